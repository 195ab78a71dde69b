// The interface of changes to memories: what the app needs of the program to edit and delete them. Embedding programs have none.

import type { NewEdit } from '../contract/app-inputs.ts';

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
  /** Makes a change: all of it or nothing. Rejects with a `Failure`: a 409 if too many wait, a 503 if it fails. */
  readonly make: (change: OwnersChange) => Promise<void>;
}

/**
 * Makes a change if a check passes. If the change fails, it is checked again, because another browser may have been
 * faster. Rejects with the failure of the check, or with that of the change.
 */
export async function makeChecked(
  make: () => Promise<void>,
  check: () => Promise<void>,
): Promise<void> {
  await check();
  try {
    await make();
  } catch (error) {
    await check();
    throw error;
  }
}
