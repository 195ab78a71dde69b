// export: all memories of an account, or some of them, from one snapshot.

import { setImmediate as turn } from 'node:timers/promises';

import { countMemories } from '../../store/accounts/accounts.ts';
import type { Batches } from '../../store/engine.ts';
import { engineOf } from '../../store/engines.ts';
import type { EncodedEntry } from '../../store/store.ts';
import { chooseAccount } from '../args/account.ts';
import type { Args } from '../args/args.ts';
import { notOneOf, UsageError } from '../args/parse.ts';
import { withCleanup } from '../cleanup.ts';
import type { Command } from '../command.ts';
import type { Context } from '../context.ts';
import { withProgress, type Progress } from '../output/progress.ts';
import { formatCount } from '../output/text.ts';
import { createAddDetails, type DetailsOf } from './details.ts';
import { filterOptions, readChoice } from './filters.ts';
import type { FolderFormat } from './folder-export.ts';
import { JSON_FRAMES, writeList, type ListFrame } from './list-export.ts';
import { writeToFile, writeToStdout, type ExportTarget, type WriteBytes } from './output.ts';

/** The result of an export. */
interface ExportSummary {
  readonly memories: number;
  /** How many memories have nothing to write in this format. */
  readonly left_out?: number;
  /** The hash of all bytes, or of the SHA256SUMS of a folder. */
  readonly sha256: string;
}

const FORMATS = [
  'jsonl',
  'json',
  'csv',
  'markdown',
  'vtt',
  'srt',
  'txt',
  'bookmarks',
  'searches',
] as const;
type Format = (typeof FORMATS)[number] | FolderFormat;

/** The formats with one list of memories. Others are folders with a file for each. */
type ListFormat = Exclude<Format, FolderFormat>;

const LISTS: ReadonlySet<Format> = new Set<ListFormat>([
  'jsonl',
  'json',
  'csv',
  'bookmarks',
  'searches',
]);

function isList(format: Format): format is ListFormat {
  return LISTS.has(format);
}

/** Writes memories of an account. */
export const exportCommand: Command = {
  summary: 'Export memories as JSON, CSV, Markdown, captions or text',
  about:
    'Writes one snapshot of an account. Other commands can write to the database at the same time. What only the app has is no part of memories: --format bookmarks writes its stars, notes and ticked action items, --format searches the saved searches.',
  options: [
    'database',
    'account',
    ...filterOptions,
    'format',
    'details',
    'originals',
    'output',
    'overwrite',
    'json',
  ],
  overrides: {
    originals: {
      value: 'FOLDER',
      default: undefined,
      unset: 'no',
      help: 'Write what the memories were made from into FOLDER, instead of the memories',
    },
    account: { unset: 'the only account' },
    format: {
      default: 'jsonl',
      help: 'jsonl, json, csv, markdown, vtt, srt, txt, bookmarks or searches',
    },
    order: { unset: 'asc' },
    timezone: {
      help: 'Time zone of the dates above, and of the days of Markdown notes, such as Europe/Berlin',
    },
  },
  examples: [
    ['A compressed copy', 'memory-gateway export --account mira | gzip > memories.jsonl.gz'],
    [
      'A folder of Markdown notes',
      'memory-gateway export --account mira --format markdown --output notes',
    ],
    [
      'A folder of captions, for a video player or an editor',
      'memory-gateway export --account mira --format vtt --output captions',
    ],
    [
      'The stars, notes and ticked action items of the app',
      'memory-gateway export --account mira --format bookmarks --output bookmarks.jsonl',
    ],
    [
      'Everything that is known of each memory, to import it elsewhere',
      'memory-gateway export --account mira --details --output mira.jsonl',
    ],
    [
      'What the memories were made from, as it was imported',
      'memory-gateway export --account mira --originals originals',
    ],
    [
      'The memories of one month in Berlin',
      'memory-gateway export --account mira --started-after 2026-11-01 --started-before 2026-12-01 --timezone Europe/Berlin --output november.jsonl',
    ],
  ],
  run: withCleanup(async (args, context) => {
    const format = readFormat(args);
    const target = readTarget(args, format);
    const hasDetails = readDetails(args, format);
    const choice = await readChoice(args);
    if (format === 'searches' && choice.isPart)
      throw new UsageError('--format searches writes all saved searches; leave the filters out.');
    return engineOf(args.need('database')).withSnapshot(async (snapshot) => {
      const { id } = chooseAccount(snapshot, args);
      const count = snapshot.connection.prepare(countMemories);
      const all = choice.isPart ? undefined : await count.get({ account_id: id });
      const total = all?.n ?? 0; // 0 means unknown
      const work = (progress: Progress) => {
        const batches = counted(snapshot.memories(id, choice.filters), progress);
        const { timezone } = choice;
        const { stdout } = context;
        const of = { account_id: id, snapshot, database: args.need('database') };
        return write(batches, { ...of, stdout, format, hasDetails, target, timezone });
      };
      const { memories, left_out, sha256 } = await withBar(context, { total, target }, work);
      const of = isList(format) ? '' : ' of SHA256SUMS';
      const exported =
        format === 'bookmarks'
          ? formatCount(memories, 'bookmark', 'bookmarks')
          : format === 'searches'
            ? formatCount(memories, 'saved search', 'saved searches')
            : formatCount(memories, 'memory', 'memories');
      const note = `Exported ${exported} of account ${id}; the SHA-256${of} is ${sha256}.`;
      return {
        note: left_out ? `${note}\n${leftOut(left_out, format)}` : note,
        json: { account_id: id, format, output: target?.path, memories, left_out, sha256 },
      };
    });
  }),
};

function leftOut(count: number, format: Format): string {
  const memories = formatCount(count, 'memory', 'memories');
  if (format === 'originals') return `Left out ${memories} without an original.`;
  return format === 'txt'
    ? `Left out ${memories} without a transcript.`
    : `Left out ${memories} without times of lines; --format txt writes their transcripts.`;
}

function readFormat(args: Args): Format {
  if (args.text('originals') !== undefined) return 'originals';
  const text = args.need('format');
  const format = FORMATS.find((each) => each === text);
  if (format !== undefined) return format;
  throw notOneOf('format', FORMATS, text);
}

/** Reads whether memories are written with their details. Only JSON has a place for them. */
function readDetails(args: Args, format: Format): boolean {
  const hasDetails = args.flag('details');
  if (hasDetails && format !== 'jsonl' && format !== 'json')
    throw new UsageError('--details needs --format jsonl or json.');
  return hasDetails;
}

/** Reads the file or folder to write; undefined for standard output. */
function readTarget(args: Args, format: Format): ExportTarget | undefined {
  const originals = args.text('originals');
  if (originals !== undefined && args.text('output') !== undefined)
    throw new UsageError('--originals names the folder that is written; leave --output out.');
  const path = originals ?? args.text('output');
  const overwrite = args.flag('overwrite');
  if (path === '')
    throw new UsageError('--output and --originals take the path of a file or a folder.');
  if (path !== undefined) return { path, overwrite, database: args.need('database') };
  if (!isList(format))
    throw new UsageError(`Give --output FOLDER; --format ${format} writes a folder of files.`);
  if (overwrite) throw new UsageError('--overwrite needs --output.');
  if (args.flag('json'))
    throw new UsageError('--json needs --output, because the memories go to standard output.');
  return undefined;
}

interface WriteOptions extends Pick<Context, 'stdout'>, DetailsOf {
  readonly format: Format;
  readonly hasDetails: boolean;
  /** Undefined for standard output. */
  readonly target: ExportTarget | undefined;
  readonly timezone: string;
}

async function write(
  memories: Batches,
  { format, target, stdout, hasDetails, ...how }: WriteOptions,
): Promise<ExportSummary> {
  if (!isList(format)) {
    const { writeFolder } = await import('./folder-export.ts'); // loaded for these formats only
    return writeFolder(memories, { ...how, format, target: target as ExportTarget });
  }
  const writeAll = async (put: WriteBytes) => {
    if (format === 'bookmarks' || format === 'searches') {
      const { writeBookmarks, writeSearches } = await import('./bookmarks-export.ts');
      return format === 'bookmarks' ? writeBookmarks(memories, how, put) : writeSearches(how, put);
    }
    const frame: ListFrame =
      format === 'csv' ? (await import('./csv-export.ts')).CSV_FRAME : JSON_FRAMES[format];
    const toBytes = hasDetails ? createAddDetails(how) : frame.toBytes;
    return writeList(memories, { ...frame, toBytes }, put);
  };
  return target === undefined ? writeAll(writeToStdout(stdout)) : writeToFile(target, writeAll);
}

/** Shows a progress bar, unless the memories go to the same terminal. */
function withBar<T>(
  context: Context,
  { total, target }: { total: number; target: ExportTarget | undefined },
  work: (progress: Progress) => Promise<T>,
) {
  if (target === undefined && context.stdout.isTTY) return work({ to() {}, say() {} });
  return withProgress(context, { total, unit: 'memories' }, work);
}

async function* counted(
  batches: Batches,
  progress: Progress,
): AsyncGenerator<readonly EncodedEntry[]> {
  let count = 0;
  for await (const items of batches) {
    yield items;
    count += items.length;
    progress.to(count);
    await turn(); // SQLite is synchronous: without a turn, signals would wait
  }
}
