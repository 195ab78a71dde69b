// The error of a source: what went wrong with a request, in a sentence without credentials.

/**
 * The kind of a problem:
 * - `credential`: the product refuses it.
 * - `busy`: the product asks to wait.
 * - `network`: no whole response came.
 * - `response`: a response is not as documented.
 * - `expired`: the position in a feed is no longer valid.
 * - `missing`: there is no such item.
 * - `stopped`: a signal ended the run.
 */
export type ProblemKind =
  | 'credential'
  | 'busy'
  | 'network'
  | 'response'
  | 'expired'
  | 'missing'
  | 'stopped';

/** An error of a source. Its message is a sentence for people, without credentials and queries. */
export class SourceFailure extends Error {
  override readonly name = 'SourceFailure';
  readonly kind: ProblemKind;
  /** The status of the response, or 0 if there was none. */
  readonly status: number;
  /** How long the product asks to wait, in milliseconds. */
  readonly retryAfterMs: number;

  constructor(kind: ProblemKind, message: string, { status = 0, retryAfterMs = 0 } = {}) {
    super(message);
    this.kind = kind;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Whether an error is a problem of a source of one of these kinds. */
export function isProblem(error: unknown, ...kinds: readonly ProblemKind[]): boolean {
  return error instanceof SourceFailure && (kinds.length === 0 || kinds.includes(error.kind));
}

/** Names what has the address of a source, for a sentence to whoever has started the pull. */
export function addressIn({ isFromApp = false }: { readonly isFromApp?: boolean }): string {
  return isFromApp ? 'its address' : '--url';
}
