// The app's endpoints that put memories right, delete them and bring them back, as data.

import * as v from 'valibot';

import { MemoryId, Timestamp } from '../../contract/schemas/memory.ts';
import type { ByEndpoint } from '../../contract/targets.ts';
import { MemoriesToChange, OneMemoryInput, OneRecord } from './app-inputs.ts';
import { NewEdit } from './edit-input.ts';
import { RecordId } from './records.ts';
import { Done, ofAccount, ofMemories, type RouteAtTarget } from './route-parts.ts';

/** A memory in the bin. */
export const DeletedMemory = v.object({
  id: MemoryId,
  name: v.string(),
  started_at: Timestamp,
  /** 0: not known. */
  duration_seconds: v.number(),
  /** The beginning of its summary. */
  summary: v.string(),
  deleted_at: Timestamp,
  /** When it is erased. Until then it can be brought back. */
  erased_at: Timestamp,
});

/** Something that was put right. */
export const Edit = v.object({
  id: RecordId,
  /** Null: it holds in all memories. */
  memory_id: v.nullable(MemoryId),
  field: v.picklist(['name', 'started_at', 'speaker']),
  /** The name that a speaker had, or the name or start that was imported. Null: it is not known. */
  from: v.nullable(v.string()),
  to: v.string(),
  made_at: Timestamp,
});

/** An edit that was just made. */
const MadeEdit = v.object({
  ...Edit.entries,
  /** What an earlier edit of the same had, which this one has replaced. Null: there was none. */
  replaced: v.nullable(v.string()),
});

/** The endpoints of edits and deletions. If the app is read-only, all of them are 403. */
export const changeRoutes = {
  edits: {
    create: {
      ...ofMemories,
      summary:
        'Put the name, the start and speakers of a memory right, or speakers of all memories, and get the edits',
      input: NewEdit,
      output: v.array(MadeEdit),
    },
    list: {
      ...ofAccount,
      summary: 'List the latest 1,000 edits, latest first',
      output: v.array(Edit),
    },
    undo: {
      ...ofMemories,
      summary: 'Take an edit back: its memories are made again without it',
      input: OneRecord,
      output: Done,
    },
  },
  deletions: {
    create: {
      ...ofMemories,
      summary: 'Delete memories, all or none, and get those that are in the bin now',
      input: MemoriesToChange,
      output: v.array(
        v.object({
          ...DeletedMemory.entries,
          /** How many links to it do not open while it is in the bin. */
          closed_links: v.number(),
        }),
      ),
    },
    list: {
      ...ofAccount,
      summary: 'List the memories in the bin, the latest 1,000 deletions, latest first',
      output: v.array(DeletedMemory),
    },
    get: {
      ...ofMemories,
      summary:
        'Get the text of a memory in the bin: its summary, and the beginning of its transcript',
      input: OneMemoryInput,
      output: v.object({ summary: v.string(), transcript: v.string() }),
    },
    undo: {
      ...ofMemories,
      summary: 'Bring memories back from the bin, all or none',
      input: MemoriesToChange,
      output: Done,
    },
    empty: {
      ...ofAccount,
      summary: 'Erase memories in the bin: all or none of those that are named, or the whole bin',
      input: v.strictObject({ ids: v.optional(MemoriesToChange.entries.ids) }),
      output: Done,
    },
  },
} as const satisfies ByEndpoint<RouteAtTarget>;
