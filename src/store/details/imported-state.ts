// Reads memories as they were imported, before any corrections.

import * as v from 'valibot';

import { fromJson, type Json } from '../../contract/json.ts';
import { ReadDetails, type Details } from '../../contract/schemas/details.ts';
import type { Memory } from '../../contract/schemas/memory.ts';
import { memoryName } from '../check/findings.ts';
import { matchesHash } from '../check/on-read.ts';
import { Refusal } from '../refusal.ts';
import * as queries from '../sql/corrections.ts';
import type { Connection } from '../sql/query.ts';
import type { GivenDetails } from './details-row.ts';
import { readUncorrected } from './uncorrected.ts';

/** A memory as it was imported, and the details that go with it. */
export interface ImportedState {
  readonly memory: Memory;
  readonly details: GivenDetails | undefined;
}

/** Creates the function that reads a memory as it was imported, with its details and its original. It rejects with `Refusal` if the memory is missing or damaged. */
export function importedStates({ prepare }: Pick<Connection, 'prepare'>) {
  const held = {
    stored: prepare(queries.storedMemory),
    uncorrected: prepare(queries.uncorrected),
  };

  return async function stored(account_id: string, id: string): Promise<ImportedState> {
    const row = await held.stored.get({ account_id, id });
    if (row === undefined)
      throw new Refusal(
        `There is no memory ${id} in account ${account_id}; "memories list" shows the memories.`,
      );
    const kept = await held.uncorrected.get({ account_id, memory_id: id });
    const before = kept && readUncorrected(kept);
    const isDamaged =
      !matchesHash(row.body, row.body_sha256) ||
      (kept !== undefined && before === undefined) ||
      (row.details !== null && !matchesHash(row.details, row.details_sha256));
    if (isDamaged)
      throw new Refusal(
        `${memoryName({ account_id, id })} or what belongs to it is damaged, so nothing was put right; find the damage with "verify".`,
        { code: 'damaged' },
      );
    const memory = before?.memory ?? fromJson(row.body);
    if (row.details === null || before?.read === null) return { memory, details: undefined };
    const document = fromJson(row.details as Json<Details>);
    const { imported_at } = document.source;
    return {
      memory,
      details: {
        read: before?.read ?? v.parse(ReadDetails, document),
        imported_at: imported_at === null ? null : Date.parse(imported_at),
        // Those of this account are made again from its corrections.
        corrections: before ? before.corrections : document.corrections,
        original: originalOf(row),
        renamed_to: row.renamed_to ?? undefined,
      },
    };
  };
}

type StoredRow = NonNullable<typeof queries.storedMemory.row>;

function originalOf(row: StoredRow): GivenDetails['original'] {
  const { media_type, compressed, bytes: length, original_sha256: sha256, reading } = row;
  if (media_type === null || compressed === null || length === null || sha256 === null)
    return undefined;
  return { media_type, bytes: { length, sha256, compressed }, reading: reading ?? '{}' };
}
