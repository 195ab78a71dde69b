// The servers of a PostgreSQL database: how they are used, and what they report.

/** The state of a database server, with its counters since the start. */
export interface ServerStats {
  /** `primary`, or `replica-1` and so on, in the order of the options. */
  readonly name: string;
  /** The number of connections. */
  readonly connections: number;
  /** The number of idle connections. */
  readonly idle: number;
  /** The number of statements that wait for a connection. */
  readonly waiting: number;
  /** The replica lag in milliseconds. Undefined if it is not known. */
  readonly lagMs: number | undefined;
  /** Whether memories are read from this server. */
  readonly isUsed: boolean;
  readonly reads: number;
  /** The number of failed reads of a replica. Each was retried on the primary. */
  readonly failed: number;
  /** The number of reads of a replica that returned another state. Each was retried on the primary. */
  readonly behind: number;
}

/** How a PostgreSQL database is read. */
export interface PostgresOptions {
  /** The maximum number of connections to each server. Default: 10. */
  readonly connections?: number | undefined;
  /** The time limit of a statement, in milliseconds. Default: 5000. */
  readonly statementMs?: number | undefined;
  /** Addresses of replicas. Memories are read from them, and keys from the database itself. Default: none. */
  readonly replicas?: readonly string[] | undefined;
  /**
   * The lag at which a replica is no longer used, in milliseconds. Reads return the right state at any
   * lag. Default: 10,000, twice what a replica needs to reconnect to a restarted primary.
   */
  readonly maxLagMs?: number | undefined;
}

/** Receives warnings about servers that the operator should see. */
export type Warn = (fields: object, message: string) => void;
