// Applies corrections to a memory that is ready to be written.

import { applyCorrections, type Correction } from '../details/corrections.ts';
import {
  isWritten,
  NOTHING_READ,
  prepareDetails,
  type DetailsChange,
  type GivenDetails,
} from '../details/details-row.ts';
import type { Uncorrected } from '../details/uncorrected.ts';
import { toMemoryRow, type PreparedMemory } from './memory-row.ts';

/** A memory as it is written. */
export interface CorrectedMemory extends PreparedMemory {
  /** The memory as it was imported, if corrections have changed it. */
  readonly uncorrected?: Uncorrected;
}

/** Applies the corrections of a memory, in the order in which they were made. Returns the same memory if they change nothing. */
export function correctPrepared(
  given: PreparedMemory,
  corrections: readonly Correction[],
): CorrectedMemory {
  if (corrections.length === 0) return given;
  // Without details of its own, a memory that stays the same keeps those that it has.
  const details: GivenDetails = given.details ?? {
    read: NOTHING_READ,
    yields: 'same',
    imported_at: null,
  };
  const { memory, read, applied } = applyCorrections(
    { memory: given.memory, read: details.read },
    corrections,
  );
  if (applied.length === 0) return given;
  const { corrections: earlier } = details;
  return {
    row: toMemoryRow(given.row.account_id, memory),
    memory,
    details: prepareDetails(
      { ...details, read, corrections: [...(earlier ?? []), ...applied] },
      memory,
    ),
    uncorrected: {
      memory: given.memory,
      read: given.details?.read ?? null,
      corrections: earlier?.length ? earlier : undefined,
    },
  };
}

/** What is written of a memory, and what is stored of it. */
export interface WrittenMemory {
  readonly each: CorrectedMemory;
  readonly change: DetailsChange;
  /** Whether its nine fields are those that are stored. */
  readonly isSame: boolean;
}

/**
 * Returns what a reset gives back once a memory is written. Undefined: no correction has changed it. `stored` is
 * what it has given back so far.
 */
export function importedState(
  { each: { uncorrected, details }, change, isSame }: WrittenMemory,
  stored: Uncorrected | undefined,
): Uncorrected | undefined {
  if (uncorrected === undefined || stored === undefined) return uncorrected;
  // An export of the corrected memory says nothing about the state before.
  if (details?.yields === 'same' && isSame) return stored;
  const { read, corrections } = isWritten(change) ? uncorrected : stored;
  return { memory: uncorrected.memory, read, corrections };
}
