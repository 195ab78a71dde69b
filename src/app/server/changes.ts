// The interface of changes to memories: what the app needs of the program to edit and delete them. Embedding programs have none.

import { Failure } from '../../contract/failure.ts';
import type { NewEdit } from '../app-inputs.ts';

/** A change that an owner makes in the app. */
export type OwnersChange = (WithIds | WithEdit) & {
  readonly account_id: string;
  /** The browser in words, for the log of the account. */
  readonly agent: string;
};

interface WithIds {
  /** What to do: delete memories, restore or erase what is in the bin, or take edits back. */
  readonly does: 'delete' | 'restore' | 'empty' | 'undo';
  /** The memories or edits. Empty if everything in the bin is erased. */
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

/** Returns the changes of a gateway. Throws a 403 if its app is read-only. `instead` says how owners do it then. */
export function requireChanges(changes: Changes | undefined, instead: string): Changes {
  if (changes !== undefined) return changes;
  throw new Failure(
    403,
    `The app of this gateway is read-only; ${instead}, or ask its operator to serve it with --app on, as a user of the database who may write memories.`,
  );
}
