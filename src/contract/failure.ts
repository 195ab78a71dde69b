// Failure: the only error that leaves a door.

/** A failed call: an HTTP status, and one sentence that tells the caller what to do. */
export class Failure extends Error {
  readonly status: number;
  readonly detail: string;

  constructor(status: number, detail: string) {
    super(detail);
    this.name = 'Failure';
    this.status = status;
    this.detail = detail;
  }
}
