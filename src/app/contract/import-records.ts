// The records of imports: their state and their report in JSON.

import * as v from 'valibot';

import { RecordId } from './records.ts';

/** How many there are of something. */
const Counted = v.object({ name: v.string(), count: v.number() });

/** A memory in the files. */
const Listed = v.object({
  id: v.string(),
  name: v.string(),
  started_at: v.string(),
  /** 0: not known. */
  duration_seconds: v.number(),
  /** How many lines the transcript has. */
  lines: v.number(),
});

/** The report of the importer. After a dry run it says what an import would do. */
export const ImportReport = v.object({
  files: v.number(),
  added: v.number(),
  updated: v.number(),
  unchanged: v.number(),
  rejected: v.number(),
  /** How many of them could be read. Most have the id of another one in these files. */
  left_out: v.number(),
  formats: v.array(Counted),
  skipped: v.array(Counted),
  first_started_at: v.nullable(v.string()),
  last_started_at: v.nullable(v.string()),
  /** How many recordings are dated by the modification time of their file. */
  dated_by_file: v.number(),
  without_transcript: v.number(),
  /** How many have a transcript, and no time for any of its lines. */
  without_line_times: v.number(),
  /** How many have words of somebody without a name. */
  unnamed_speakers: v.number(),
  /** What the files have that is not kept, by format. */
  not_kept: v.array(v.object({ format: v.string(), names: v.array(Counted) })),
  /** What to do about files without transcripts, in sentences. */
  advice: v.array(v.string()),
  /** The first memories, and what becomes of them. */
  memories: v.array(
    v.object({ ...Listed.entries, result: v.picklist(['added', 'updated', 'unchanged']) }),
  ),
  /** The first that are not written, because they are in the bin. */
  in_bin: v.array(Listed),
  /** How many files are no transcripts of a known kind. */
  files_skipped: v.number(),
  /** The first of them. */
  skipped_files: v.array(v.string()),
  /** Why items cannot be imported: in which files, and for one reason the first of them. */
  rejects: v.array(v.object({ file: v.string(), reason: v.string() })),
});

/** An import. */
export const ImportRecord = v.object({
  id: RecordId,
  state: v.picklist(['uploading', 'checking', 'checked', 'importing', 'done', 'stopped', 'failed']),
  files: v.number(),
  bytes: v.number(),
  /** How much the importer has read, from 0 to 1. Null: not known. */
  progress: v.nullable(v.number()),
  /** Why it has failed, in a sentence. */
  problem: v.nullable(v.string()),
  /** When the importer has ended, also for a check. */
  ended_at: v.nullable(v.string()),
  report: v.nullable(ImportReport),
});
