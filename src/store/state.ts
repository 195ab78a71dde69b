// State: which state of an account is wanted, and which was read.

/** Which state of an account is wanted. */
export interface Wanting {
  /** What is read is of the state with this `revision`, or of a later one; of the latest without it. */
  readonly revision?: string | undefined;
}

/** Which state of an account was read. */
export interface Dated {
  /** The `revision` of exactly that state, by a store that tells it with every read. */
  readonly revision?: string | undefined;
}
