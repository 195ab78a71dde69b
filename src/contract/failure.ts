// Failure: the only error that leaves a door.

/** Why a call failed: the API said so; or no answer came, in time or at all, or it was not the API's. */
export type FailureReason = 'answer' | 'network' | 'timeout' | 'abort' | 'mismatch' | 'key';

/** What a failure may be told beside its status and sentence. */
export interface FailureOptions {
  /** `answer` when left out: the API itself failed the call. */
  readonly reason?: FailureReason;
  /** The error behind it, where there is one. */
  readonly cause?: unknown;
}

/** A failed call: a status, and one sentence that tells the caller what to do. */
export class Failure extends Error {
  /** The HTTP status of the answer, the same in every door; 0 when no answer came. */
  readonly status: number;
  readonly detail: string;
  readonly reason: FailureReason;

  constructor(status: number, detail: string, { reason = 'answer', cause }: FailureOptions = {}) {
    super(detail, cause === undefined ? cause : { cause });
    this.name = 'Failure';
    this.status = status;
    this.detail = detail;
    this.reason = reason;
  }
}

/** The failure of a call that its own signal ended. */
export function aborted(signal: AbortSignal): Failure {
  const cause: unknown = signal.reason;
  return new Failure(0, 'The call was aborted by its signal.', { reason: 'abort', cause });
}

/** The failure of an answer that is not the API's: of a proxy, or of another server. */
export function foreign(status: number): Failure {
  const detail = `Something other than the gateway answered ${status}; check baseUrl.`;
  return new Failure(status, detail, { reason: 'mismatch' });
}
