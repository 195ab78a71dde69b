// Log: where a gateway reports. The loggers of the ecosystem (pino and others) fit as they are.

/** Takes what a gateway reports. */
export interface Log {
  /** A failure that is ours: `err` holds the whole error. */
  readonly error: (fields: object, message: string) => void;
  /** What the operator should know, and mend. */
  readonly warn?: ((fields: object, message: string) => void) | undefined;
  /** One line a request; left out, nothing is measured. Never a key, a header, a query or a body. */
  readonly access?: ((fields: object, message: string) => void) | undefined;
}

/** Drops all reports. */
export const silent: Log = { error: () => {} };

/** The same log, whose errors stay its own: an answer does not fail because it cannot be reported. */
export function guarded(log: Log): Log {
  const error: Log['error'] = (fields, message) => attempt(() => log.error(fields, message));
  const warn: Log['warn'] = (fields, message) => attempt(() => log.warn?.(fields, message));
  if (log.access === undefined) return { error, warn };
  return { error, warn, access: (fields, message) => attempt(() => log.access?.(fields, message)) };
}

function attempt(report: () => void): void {
  try {
    report();
  } catch {
    // There is nowhere left to say so.
  }
}
