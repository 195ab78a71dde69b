// Checks the rows of recurring sources, of the memories that they added, and of watched files.

import * as v from 'valibot';

import { AccountId, MemoryId } from '../../contract/memory.ts';
import { build, query, type Slot } from '../sql/query.ts';
import type { SourceMemoryTable, SourceTable, WatchedFileTable } from '../sql/tables.ts';
import { RESTORE, show } from './findings.ts';
import { rowFaultsOf, Time } from './tables.ts';

const Count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const Name = v.pipe(v.string(), v.minLength(1), v.maxLength(4096));
const JsonObject = v.pipe(
  v.string(),
  v.parseJson(),
  v.check((value) => !Array.isArray(value)),
  v.record(v.string(), v.unknown()),
);

// These repeat the CHECK constraints of the schema, as the other tables' schemas do.
const Source = v.strictObject({
  account_id: AccountId,
  name: Name,
  kind: v.picklist(['pull', 'watch']),
  settings: JsonObject,
  state: JsonObject,
  run: v.pipe(v.string(), v.uuid()),
  interval_ms: v.nullable(Count),
  started_at: Time,
  active_at: Time,
  ended_at: v.nullable(Time),
  succeeded_at: v.nullable(Time),
  result: v.nullable(v.picklist(['ok', 'failed', 'interrupted'])),
  added: Count,
  updated: Count,
  unchanged: Count,
  deleted: Count,
  rejected: Count,
  error: v.nullable(v.string()),
});

const SourceMemory = v.strictObject({
  account_id: AccountId,
  source: Name,
  memory_id: MemoryId,
  item_id: v.string(),
});

const WatchedFile = v.strictObject({
  account_id: AccountId,
  source: Name,
  path: v.pipe(v.string(), v.minLength(1)),
  size: Count,
  modified_at: Time,
  marker: v.string(),
  result: v.picklist(['imported', 'rejected', 'skipped', 'moved']),
  reason: v.nullable(v.string()),
  read_at: Time,
});

/** Reads all rows of these tables. */
export const sourceRows = {
  sources: query((_: Slot<object>) => build.selectFrom('sources').selectAll()),
  memories: query((_: Slot<object>) => build.selectFrom('source_memories').selectAll()),
  files: query((_: Slot<object>) => build.selectFrom('watched_files').selectAll()),
};

/** Yields the faults of a row of `sources`. */
export function sourceFaults(row: SourceTable): Iterable<string> {
  const name = `Source ${show(row.name)} of account ${show(row.account_id)}`;
  return rowFaultsOf(name, v.safeParse(Source, row), RESTORE);
}

/** Yields the faults of a row of `source_memories`. */
export function sourceMemoryFaults(row: SourceMemoryTable): Iterable<string> {
  const name = `The note of source ${show(row.source)} about memory ${show(row.memory_id)}`;
  return rowFaultsOf(name, v.safeParse(SourceMemory, row), RESTORE);
}

/** Yields the faults of a row of `watched_files`. */
export function watchedFileFaults(row: WatchedFileTable): Iterable<string> {
  const name = `The note of source ${show(row.source)} about file ${JSON.stringify(row.path)}`;
  return rowFaultsOf(name, v.safeParse(WatchedFile, row), RESTORE);
}
