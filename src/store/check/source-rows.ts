// Checks the rows of recurring sources, of the memories that they added, and of watched files.

import * as v from 'valibot';

import { AccountId, MemoryId } from '../../contract/schemas/memory.ts';
import { show } from './findings.ts';
import { rowChecks, TimeRange } from './tables.ts';

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
  started_at: TimeRange,
  active_at: TimeRange,
  ended_at: v.nullable(TimeRange),
  succeeded_at: v.nullable(TimeRange),
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
  modified_at: TimeRange,
  marker: v.string(),
  result: v.picklist(['imported', 'rejected', 'skipped', 'moved']),
  reason: v.nullable(v.string()),
  read_at: TimeRange,
});

const noteOf = (row: Readonly<Record<string, unknown>>) =>
  `The note of source ${show(row['source'])}`;

/** The checks of sources, of the memories that they added, and of watched files. */
export const sourceChecks = rowChecks({
  sources: {
    name: (row) => `Source ${show(row['name'])} of account ${show(row['account_id'])}`,
    schema: Source,
  },
  source_memories: {
    name: (row) => `${noteOf(row)} about memory ${show(row['memory_id'])}`,
    schema: SourceMemory,
  },
  watched_files: {
    name: (row) => `${noteOf(row)} about file ${JSON.stringify(row['path'])}`,
    schema: WatchedFile,
  },
});
