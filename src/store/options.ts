// Options: how PostgreSQL is read, as programs say it; no types of a driver come with it.

/** How a PostgreSQL database is read. Times are in milliseconds. */
export interface PostgresOptions {
  /** How many connections each server may have at most: 10 if left out. */
  readonly connections?: number | undefined;
  /** How long a statement may take, also one that does not answer: 5 s if left out. */
  readonly statementMs?: number | undefined;
  /** Addresses of replicas: memories are read from these, and keys from the database itself, as all is where there are none. */
  readonly replicas?: readonly string[] | undefined;
  /**
   * How far a replica may be behind before it is left out: 10 s if left out, twice as long as a replica
   * takes to come back to a primary that was restarted. What is read is right however far it is.
   */
  readonly maxLagMs?: number | undefined;
}

/** Hears what the operator should know of servers, and mend. */
export type Warn = (fields: object, message: string) => void;
