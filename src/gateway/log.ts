// Log: where a gateway reports. The loggers of the ecosystem (pino and others) fit as they are.

/** Takes what a gateway reports. */
export interface Log {
  /** A failure that is ours: `err` holds the whole error. */
  readonly error: (fields: object, message: string) => void;
  /** One line a request; left out, nothing is measured. Never a key, a header, a query or a body. */
  readonly access?: (fields: object, message: string) => void;
}

/** Drops all reports. */
export const silent: Log = { error: () => {} };
