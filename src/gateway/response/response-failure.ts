// ResponseFailure: a failure whose response has headers of its own.

import { Failure } from '../../contract/failure.ts';

/** The headers of a failure's response: name, value, name, value, … */
export interface FailureHeaders {
  /** Besides the common ones. Default: those that belong to the status. */
  readonly headers?: readonly string[] | undefined;
  /** About caching. Default: those of `/v1`. */
  readonly common?: readonly string[] | undefined;
}

/** A failure with headers. */
export class ResponseFailure extends Failure {
  readonly headers: readonly string[] | undefined;
  readonly common: readonly string[] | undefined;

  constructor(status: number, detail: string, { headers, common }: FailureHeaders = {}) {
    super(status, detail);
    this.headers = headers;
    this.common = common;
  }
}
