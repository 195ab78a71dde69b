// The rules by which an import resolves conflicts between memories with the same id.

import type { Memory } from '../../contract/schemas/memory.ts';
import type { GivenDetails } from '../details/details-row.ts';
import { fitsIndex, searchedTexts } from '../search/index-terms.ts';
import { prepareMemory, type PreparedMemory, type WriteResult } from './memory-row.ts';
import { isSameRecording, type FileIdentity } from './same-recording.ts';

/**
 * The result of importing a memory. Four results mean that it was not written. `clash`: the same import
 * already had another memory with its id. `taken`: a stored memory with its id looks like another
 * recording. `wordy`: its words are too long for the search index. `binned`: its owner has deleted it, and it
 * is still in the bin.
 */
export type ImportResult = WriteResult | 'clash' | 'taken' | 'wordy' | 'binned';

/** A memory to import, and its account. */
export interface ImportedMemory {
  readonly account_id: string;
  readonly memory: Memory;
  /** Set if another recording may have the same id, because the id is a plain number. */
  readonly isNumbered?: boolean | undefined;
  /** Set if it has no transcript because its file has none, as a list of notes. */
  readonly lacksTranscript?: boolean | undefined;
  /** Set if this import has already read the same recording from another file, which counts. */
  readonly isCopy?: boolean | undefined;
  /** Set if the id is the name of a file. */
  readonly file?: FileIdentity | undefined;
  /** What else its source knew. */
  readonly details?: GivenDetails | undefined;
}

/** A validated memory with its row, ready to be written. */
export interface CheckedImport extends PreparedMemory {
  readonly imported: ImportedMemory;
}

/** Validates and serialises a memory to import. Throws `ValiError` if it breaks the contract. */
export function checkImported(imported: ImportedMemory): CheckedImport {
  const { account_id, memory, details } = imported;
  return { ...prepareMemory(account_id, memory, details), imported };
}

/** The memories that an import has seen or found. */
export interface ImportHistory {
  /** Returns the hash of the first memory with this id in the import. */
  readonly firstHash: (each: CheckedImport) => string | undefined;
  /** Returns whether a memory with this id is in the bin. */
  readonly isInBin: (each: CheckedImport) => boolean;
  /** Returns the stored memory with this id, unless it is the same. One in the bin counts as stored. */
  readonly storedMemory: (each: CheckedImport) => Partial<Memory> | undefined;
  /** Notes that this memory is the first with its id. */
  readonly remember: (each: CheckedImport) => void;
}

/** Returns the result for a memory that must not be written, or undefined if it must. */
export function resolveConflict(
  each: CheckedImport,
  { firstHash, isInBin, storedMemory, remember }: ImportHistory,
): ImportResult | undefined {
  if (!fitsIndex(searchedTexts(each.memory))) return 'wordy';
  const before = firstHash(each);
  const isKnown = each.imported.isCopy === true || before === each.row.body_sha256;
  if (before !== undefined) return isKnown ? 'unchanged' : 'clash';
  if (mayClash(each) && isOther(storedMemory(each), each.imported)) return 'taken';
  remember(each);
  return isInBin(each) ? 'binned' : undefined;
}

/** Returns whether another recording may have the same id. */
export function mayClash({ imported: { isNumbered, file } }: CheckedImport): boolean {
  return isNumbered === true || file !== undefined;
}

function isOther(old: Partial<Memory> | undefined, { memory, file }: ImportedMemory): boolean {
  return old !== undefined && !isSameRecording(old, memory, file);
}

/** Fills the gaps in `resolved` with the results of the memories that were written, in order. */
export function fillGaps(
  resolved: readonly (ImportResult | undefined)[],
  written: readonly ImportResult[],
): ImportResult[] {
  const rest = written.values();
  return resolved.map((result) => result ?? (rest.next().value as ImportResult));
}
