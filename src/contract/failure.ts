// Failure: the only error with which a call rejects, over HTTP and in the same process.

/**
 * The reason why a call failed:
 * - `answer`: the gateway returned an error.
 * - `network`: no response arrived, or it broke off.
 * - `timeout`: the call took too long.
 * - `abort`: your signal aborted the call.
 * - `mismatch`: the response is not from a compatible gateway.
 * - `hook`: one of your hooks failed.
 * - `key`: your `apiKey` function failed.
 */
export type FailureReason =
  | 'answer'
  | 'network'
  | 'timeout'
  | 'abort'
  | 'mismatch'
  | 'hook'
  | 'key';

/** Options of a failure, besides its status and sentence. */
export interface FailureOptions {
  /** Default: `answer`. */
  readonly reason?: FailureReason;
  /** The error that caused it. Default: none. */
  readonly cause?: unknown;
}

/** A failed call. */
export class Failure extends Error {
  /** The HTTP status, also for calls in the same process. 0 if there was no response. */
  declare readonly status: number;
  /** One sentence that tells you what to do. It is also the `message`. */
  declare readonly detail: string;
  /** The reason why the call failed. */
  declare readonly reason: FailureReason;
  /** The `x-request-id` of the last response, which the gateway's log has, too. Only over HTTP. */
  declare readonly requestId?: string;
  /** The URL of the request. It has no key. Only over HTTP. */
  declare readonly url?: string;
  /** The milliseconds that the last response asks to wait before a retry. Only over HTTP, if it does. */
  declare readonly retryAfterMs?: number;

  constructor(status: number, detail: string, { reason = 'answer', cause }: FailureOptions = {}) {
    super(detail, cause === undefined ? cause : { cause });
    this.name = 'Failure';
    this.status = status;
    this.detail = detail;
    this.reason = reason;
  }
}

/** The failure of a call that its signal aborted. */
export function abortFailure(signal: AbortSignal): Failure {
  const cause: unknown = signal.reason;
  return new Failure(0, 'The signal aborted the call.', { reason: 'abort', cause });
}

/** The failure of a response that is not from a gateway, but from a proxy or another server. */
export function mismatchFailure(status: number): Failure {
  const detail = `The response ${status} is not from a gateway. Check baseUrl.`;
  return new Failure(status, detail, { reason: 'mismatch' });
}
