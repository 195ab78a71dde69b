// The interface of changes to memories: what the app needs of the program to edit and delete them. Embedding programs have none.

import type { NewEdit } from '../contract/edit-input.ts';

/** A change that an owner makes in the app. */
export type OwnersChange = (WithIds | WithEdit) & {
  readonly account_id: string;
  /** The browser in words, for the log of the account. */
  readonly agent: string;
};

interface WithIds {
  /** What to do: delete memories, restore or erase what is in the bin, take edits back, or erase the account. */
  readonly does: 'delete' | 'restore' | 'empty' | 'undo' | 'erase-account';
  /** The memories or edits. Empty if everything in the bin, or in the account, is erased. */
  readonly ids: readonly string[];
}

interface WithEdit {
  readonly does: 'edit';
  readonly edit: NewEdit;
}

/**
 * The changes of owners. Each runs as a process of its own, as an import does, so no connection of the server
 * writes a memory. One account's changes run one after the other.
 */
export interface Changes {
  /** How many days deleted memories stay in the bin. 0: they are erased at once. */
  readonly binDays: number;
  /**
   * Makes a change: all of it or nothing. `check` rejects with a 404 if there is nothing to change. It runs when it
   * is the change's turn, and again if the change fails, because another browser may have been faster. Rejects
   * with the failure of the check, or with a 409 if too many changes wait, or a 503 if this one fails.
   */
  readonly make: (change: OwnersChange, check: () => Promise<void>) => Promise<void>;
}
