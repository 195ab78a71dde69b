// Vectors as the store reads them: the sign bits of a whole account, and the numbers of a few memories.

import type { SqlBool } from 'kysely';

import type { RevisionQuery, RevisionResult } from '../positions.ts';
import { isInTime, type Window } from '../scope.ts';
import type { VectorSignTable } from '../sql/tables/tables.ts';

/** Which vectors can be compared with each other: those of one model and one way to cut memories into passages. */
export interface VectorKind {
  readonly model: string;
  /** The number of the way in which memories are cut. */
  readonly cut: number;
}

/** The vectors of which memories of an account are read. Filters are as in a search. */
export interface SignRange extends VectorKind, RevisionQuery, Window {
  readonly account_id: string;
  readonly is_processing?: boolean | undefined;
  /** The `rest` of the read before. */
  readonly after?: string | undefined;
}

/** The sign bits of a memory's vectors, one vector after the other, each filled up to whole bytes. */
export interface MemorySigns {
  readonly memory_id: string;
  readonly signs: Uint8Array;
}

/** The sign bits of some memories, in the order of their ids. */
export interface SignBatch extends RevisionResult {
  readonly memories: readonly MemorySigns[];
  /** The id that the next read starts after. Undefined: everything was read. */
  readonly rest: string | undefined;
}

/** The memories whose vectors are read. */
export interface VectorQuery extends VectorKind, RevisionQuery {
  readonly account_id: string;
  readonly ids: readonly string[];
}

/** The vectors of a memory, and the hash of the body that they were made of. */
export interface MemoryVectors extends MemorySigns {
  readonly body_sha256: string;
  readonly numbers: Uint8Array;
}

/** How many memories one read of sign bits takes: in SQLite about a millisecond, unless they are long. */
export const SIGN_ROWS = 200;

/** A row of signs. `has_facets` is whether its memory has those of the range, if there are any. */
type SignRow = Pick<VectorSignTable, 'memory_id' | 'started_at' | 'is_processing' | 'signs'> & {
  readonly has_facets?: SqlBool | null;
};

/** Creates a batch of the rows that were read. Filters count here, so that each read ends after as many rows. */
export function toSignBatch(rows: readonly SignRow[], range: SignRange): SignBatch {
  const { is_processing } = range;
  const memories = rows.filter(
    (row) =>
      isInTime(row.started_at, range) &&
      (range.facets === undefined || Boolean(row.has_facets)) &&
      (is_processing === undefined || row.is_processing === Number(is_processing)),
  );
  return { memories, rest: rows.length < SIGN_ROWS ? undefined : rows.at(-1)?.memory_id };
}
