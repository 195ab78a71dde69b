// The log of a gateway: errors, warnings and requests. pino and similar loggers fit without an adapter.

/** The log of a gateway. */
export interface Log {
  /** Logs an internal error. `err` has the whole error. */
  readonly error: (fields: object, message: string) => void;
  /** Logs something that the operator should know and fix. */
  readonly warn?: ((fields: object, message: string) => void) | undefined;
  /** Logs one entry per request, never with a key, header, query or body. Default: requests are not timed. */
  readonly access?: ((fields: object, message: string) => void) | undefined;
}

/** A log that drops everything. */
export const silent: Log = { error: () => {} };

/** Returns the same log without its exceptions: a response must not fail because logging does. */
export function guarded(log: Log): Log {
  const error: Log['error'] = (fields, message) => attempt(() => log.error(fields, message));
  const warn: Log['warn'] = (fields, message) => attempt(() => log.warn?.(fields, message));
  if (log.access === undefined) return { error, warn };
  return { error, warn, access: (fields, message) => attempt(() => log.access?.(fields, message)) };
}

function attempt(write: () => void): void {
  try {
    write();
  } catch {
    // There is no other place to report it.
  }
}

/** Creates the function that returns whether an error object is new to it. Logs write each object once. */
export function createIsNewError(): (error: unknown) => boolean {
  const known = new WeakSet();
  return (error) => {
    if (!(error instanceof Error)) return true;
    if (known.has(error)) return false;
    known.add(error);
    return true;
  };
}

/** Facts about a request, added on its way. Their names are the names in the entry of the access log. */
export interface Trace {
  /** The endpoint's name in the contract, such as `memories.list`. */
  route?: string;
  /** The last four characters of the API key. */
  last_four?: string | undefined;
  /** The account that is read. It is not logged. */
  account_id?: string;
  /** The caller's address, if the access log has it. */
  readonly address?: string | undefined;
  /** Bytes of body sent. */
  bytes: number;
}

/** How a request ended. */
export interface RequestEnd {
  /** Undefined if no response was sent. */
  readonly status: number | undefined;
  /** Whether the whole response was sent. */
  readonly complete: boolean;
}

/** A request, as far as it is logged. */
interface LoggedRequest {
  readonly id: string;
  readonly method: string;
  readonly trace: Trace;
}

/** Starts timing a request. Returns the function that logs it. */
export function logAtEnd(
  log: Log,
  { id: request_id, method, trace }: LoggedRequest,
): (end: RequestEnd) => void {
  const started = performance.now();
  return ({ status, complete }) => {
    const { route, bytes, last_four, address } = trace;
    const duration_ms = Math.round((performance.now() - started) * 1000) / 1000;
    log.access?.(
      { request_id, method, route, status, duration_ms, bytes, last_four, complete, address },
      'request',
    );
  };
}
