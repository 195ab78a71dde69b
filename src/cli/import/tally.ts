// Counts the results of an import, and formats its report.

import type { ReadDetails } from '../../contract/schemas/details.ts';
import type { Memory } from '../../contract/schemas/memory.ts';
import { UNKNOWN } from '../../formats/json/groups.ts';
import type { ItemPosition } from '../../formats/json/read-items.ts';
import { adviceFor } from '../../formats/product-exports.ts';
import { NO_FORMAT } from '../../formats/unknown-file.ts';
import type { WriteResult } from '../../store/import/memory-row.ts';
import { countLines } from '../../text/turns.ts';
import { escapeLine } from '../output/terminal.ts';
import { formatCount, formatName, formatTime } from '../output/text.ts';
import {
  countFound,
  createFindings,
  extremes,
  formatFindings,
  formatPartly,
  increment,
  listCounts,
  noCounts,
  type Findings,
  type PartlyRead,
} from './findings.ts';

/** An item that was not imported: its place and the reason. */
export interface RejectedItem extends ItemPosition {
  readonly file: string;
  readonly reason: string;
  /** The id of its memory, if it could be read. */
  readonly id?: string;
}

/** How many items the report holds. Rejected items are also printed when they occur, up to a limit. */
export const REPORTED = { rejects: 1000, skipped: 20, memories: 100 };

/** A memory that was read, and what became of it. */
export type ListedMemory = Pick<Memory, 'id' | 'name' | 'started_at' | 'duration_seconds'> & {
  lines: number;
  result: WriteResult;
};

/** The result of an import, as `--json` prints it. */
export interface Tally {
  files: number;
  added: number;
  updated: number;
  unchanged: number;
  rejected: number;
  /** How many of the rejected items could be read. Most have the id of another one. */
  left_out: number;
  readonly partly_read: PartlyRead[];
  /** Numbers of skipped items, by reason. */
  readonly passed_over: Record<string, number>;
  /** How many files were skipped as a whole. */
  files_skipped: number;
  /** The first of them. */
  readonly skipped_files: string[];
  /** How many recordings are dated by the modification time of their file. */
  dated_by_file: number;
  /** Numbers of memories, by account. */
  readonly accounts: Record<string, number>;
  /** Numbers of memories, by format. */
  readonly formats: Record<string, number>;
  first_started_at: string | null;
  last_started_at: string | null;
  readonly found: Findings;
  /** The first rejected items. */
  readonly rejects: RejectedItem[];
  /** The first memories. */
  readonly memories: ListedMemory[];
  /** The first that are not written, because they are in the bin. */
  readonly in_bin: Omit<ListedMemory, 'result'>[];
  /** The earliest and the latest memory of a dry run, or the only one. */
  sample: readonly Memory[] | undefined;
}

/** Creates an empty tally. Only a dry run shows memories. Otherwise none is held, as each can have 64 MiB. */
export function createTally({ isDry = false } = {}): Tally {
  return {
    files: 0,
    added: 0,
    updated: 0,
    unchanged: 0,
    rejected: 0,
    left_out: 0,
    partly_read: [],
    passed_over: noCounts(),
    files_skipped: 0,
    skipped_files: [],
    dated_by_file: 0,
    accounts: noCounts(),
    formats: noCounts(),
    first_started_at: null,
    last_started_at: null,
    found: createFindings(),
    rejects: [],
    memories: [],
    in_bin: [],
    sample: isDry ? [] : undefined,
  };
}

interface CountedMemory {
  readonly memory: Memory;
  readonly format: string;
  readonly details: ReadDetails | undefined;
  /** Whether its start is the modification time of its file. */
  readonly isDated: boolean;
}

/** Counts a memory that was written, or would be. */
export function countMemory(
  tally: Tally,
  { memory, format, details, isDated }: CountedMemory,
  put: WriteResult,
): void {
  tally[put]++;
  if (isDated) tally.dated_by_file++;
  increment(tally.accounts, memory.user_id);
  increment(tally.formats, format);
  if (details) countFound(tally.found, memory, details);
  const { started_at } = memory;
  if (tally.memories.length < REPORTED.memories)
    tally.memories.push({ ...listed(memory), result: put });
  if (tally.first_started_at === null || started_at < tally.first_started_at)
    tally.first_started_at = started_at;
  if (tally.last_started_at === null || started_at > tally.last_started_at)
    tally.last_started_at = started_at;
  if (tally.sample) tally.sample = extremes(tally.sample, memory);
}

/** Returns what the report says of a memory. */
export function listed(memory: Omit<Memory, 'user_id'>): Omit<ListedMemory, 'result'> {
  const { id, name, started_at, duration_seconds, transcript } = memory;
  return { id, name, started_at, duration_seconds, lines: countLines(transcript) };
}

/** Counts a rejected item. */
export function countRejected(tally: Tally, reject: RejectedItem): void {
  tally.rejected++;
  if (reject.id !== undefined) tally.left_out++;
  if (tally.rejects.length < REPORTED.rejects) tally.rejects.push(reject);
}

/** Counts a skipped item, and names it if it is a whole file. */
export function countSkipped(tally: Tally, reason: string, file: string | undefined): void {
  increment(tally.passed_over, reason);
  if (file === undefined) return;
  if (tally.files_skipped++ < REPORTED.skipped) tally.skipped_files.push(file);
}

/** Formats a rejected item on one line: its place and the reason. */
export function formatRejected({ file, line, item, id, reason }: RejectedItem): string {
  const place = `${file}${line === undefined ? '' : `:${line}`}`;
  const which = `${item === undefined ? '' : `, item ${item}`}${id === undefined ? '' : `, id ${id}`}`;
  return escapeLine(`${place}${which}: ${reason}.`);
}

/** How the import ended: a dry run, or undone because an item was rejected. */
interface Outcome {
  readonly isDry: boolean;
  readonly isUndone: boolean;
}

/** Formats the result of an import in a few lines. */
export function formatTally(tally: Tally, how: Outcome): string {
  const { files, first_started_at, last_started_at } = tally;
  const counts = formatCounts(tally, how.isDry || how.isUndone);
  return [
    `${formatCount(files, 'file', 'files')} read: ${counts}.`,
    ...formatSkipped(tally),
    ...tally.partly_read.map(formatPartly),
    ...(first_started_at === null
      ? []
      : [
          `They are from ${first_started_at.slice(0, 10)} to ${last_started_at?.slice(0, 10)}, for ${listCounts(Object.entries(tally.accounts))}, by format ${listCounts(Object.entries(tally.formats))}.`,
        ]),
    ...formatFindings(tally.found),
    ...(tally.dated_by_file > 0 ? [datedByFile(tally.dated_by_file)] : []),
    ...(how.isDry ? ['Nothing was written, because this was a dry run.'] : []),
    ...(tally.sample && tally.sample.length > 0
      ? [tally.sample.length > 1 ? 'The earliest and the latest of them:' : 'The memory:']
      : []),
    ...(tally.sample ?? []).map(formatSample),
    ...(how.isUndone ? ['Nothing was written, because some items were rejected.'] : []),
    ...(isNothing(tally) && tally.in_bin.length === 0 ? [nothingToImport(tally)] : []),
    ...adviceAbout(tally).map((advice) => escapeLine(advice)),
  ].join('\n');
}

/** What became of memories. Some commands delete them as well. */
type Counts = Pick<Tally, 'added' | 'updated' | 'unchanged' | 'rejected'> & {
  readonly deleted?: number;
};

/** Formats what became of memories, or would: `1 memory added, 0 updated, 2 unchanged, 0 rejected`. */
export function formatCounts(
  { added, updated, unchanged, deleted, rejected }: Counts,
  isUnwritten = false,
): string {
  const would = isUnwritten ? ' would be' : '';
  return [
    `${formatCount(added, 'memory', 'memories')}${would} added`,
    `${updated}${would} updated`,
    `${unchanged} unchanged`,
    ...(deleted === undefined ? [] : [`${deleted}${would} deleted`]),
    `${rejected} rejected`,
  ].join(', ');
}

/** Formats how many items were skipped, a line for each reason. */
export function formatSkipped({ passed_over }: Pick<Tally, 'passed_over'>): string[] {
  return Object.entries(passed_over).map(([reason, n]) => escapeLine(`${n} skipped: ${reason}.`));
}

function datedByFile(count: number): string {
  const files = formatCount(count, 'recording is', 'recordings are');
  return `${files} dated by the modification time of the file; put the time into the file's name, or give --started-at.`;
}

/** Says that nothing was imported, and names the first five files that are of another kind. */
function nothingToImport({ skipped_files }: Tally): string {
  const named = skipped_files.slice(0, 5).join(', ');
  const why = named
    ? `These files are no transcripts of a known kind: ${named}`
    : 'Give files or folders with transcripts';
  return escapeLine(`There was nothing to import. ${why}; see "help import" for what is read.`);
}

type Unread = Pick<Tally, 'skipped_files' | 'rejects'>;

/** Returns what to do about the files that hold no transcript, each sentence once. */
export function adviceAbout({ skipped_files, rejects }: Unread): string[] {
  const unread = rejects.filter(({ reason }) => reason === UNKNOWN || reason === NO_FORMAT);
  const files = [...skipped_files, ...unread.map(({ file }) => file)];
  return [...new Set(files.map(adviceFor))].filter((advice) => advice !== undefined);
}

/** Whether no item was read, neither imported nor rejected. */
export function isNothing({ added, updated, unchanged, rejected }: Tally): boolean {
  return added + updated + unchanged + rejected === 0;
}

function formatSample({ started_at, id, name, transcript }: Memory): string {
  const time = formatTime(Date.parse(started_at));
  return `  ${time}  ${id}  ${formatName(name, 60)}: ${escapeLine(transcript, 60)}`;
}
