// The interface of changes to memories: what the app needs of the program to delete them. Embedding programs have none.

/** A change that an owner makes in the app. */
export interface OwnersChange {
  readonly account_id: string;
  /** What to do: delete memories, restore or erase what is in the bin. */
  readonly does: 'delete' | 'restore' | 'empty';
  /** The memories. Empty if everything in the bin is erased. */
  readonly ids: readonly string[];
  /** The browser in words, for the log of the account. */
  readonly agent: string;
}

/**
 * The changes of owners. Each runs as a process of its own, as an import does, so no connection of the server
 * writes a memory. One account's changes run one after the other.
 */
export interface Changes {
  /** How many days deleted memories stay in the bin. 0: they are erased at once. */
  readonly binDays: number;
  /** Makes a change: all of it or nothing. Rejects with a `Failure`: a 409 if too many wait, a 503 if it fails. */
  readonly make: (change: OwnersChange) => Promise<void>;
}
