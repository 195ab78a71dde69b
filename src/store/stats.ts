// Stats: how the servers of a database do.

/** How a server of a database does, and what was asked of it since the start. */
export interface ServerStats {
  /** `primary`, or `replica-1` and so on, in the order in which they were named. */
  readonly name: string;
  /** How many connections there are, how many of them are idle, and how many statements wait for one. */
  readonly connections: number;
  readonly idle: number;
  readonly waiting: number;
  /** How far it is behind, in milliseconds; undefined where nobody knows. */
  readonly lagMs: number | undefined;
  /** Whether memories are read from it. */
  readonly isUsed: boolean;
  readonly reads: number;
  /** Reads of a replica that failed, and those that were of another state: each was made again on the primary. */
  readonly failed: number;
  readonly behind: number;
}
