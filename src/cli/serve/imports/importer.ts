// Starts the importer as a process of its own, and reads its report and its progress.

import * as v from 'valibot';

import { ImportReport } from '../../../app/contract/import-records.ts';
import { forOwner } from '../../../app/server/owner-words.ts';
import type { Context } from '../../context.ts';
import { agentEnv } from '../command-env.ts';
import { spawnCommand, type CommandEnd } from '../command-process.ts';

/** What the importer is started with. */
export interface ImporterOptions {
  readonly context: Pick<Context, 'env' | 'program'>;
  readonly database: string;
  readonly account_id: string;
  readonly folder: string;
  readonly isDry: boolean;
  readonly timezone: string;
  /** The browser of the owner, in words. */
  readonly agent: string;
  /** Called with how much has been read, from 0 to 1. */
  readonly onProgress: (progress: number) => void;
}

/** A report of the importer, or a sentence that says why there is none. */
export type ImporterResult =
  | { readonly report: v.InferOutput<typeof ImportReport> }
  | { readonly problem: string };

/** An importer that runs. */
export interface RunningImporter {
  readonly result: Promise<ImporterResult>;
  /** Stops it. What is written stays. */
  readonly stop: () => Promise<void>;
}

/** Starts the importer. It yields to requests. */
export function startImporter(options: ImporterOptions): RunningImporter {
  const { context, database, account_id, folder, isDry, timezone, agent, onProgress } = options;
  const { ended, stop } = spawnCommand({
    context,
    database,
    args: [
      'import',
      `--account=${account_id}`,
      `--timezone=${timezone}`,
      '--json',
      '--embeddings=off', // vectors are made when the import has ended
      ...(isDry ? ['--dry-run'] : []),
      '--',
      folder,
    ],
    env: { MEMORY_GATEWAY_PROGRESS: 'json', ...agentEnv(agent) },
    isInBackground: true,
    onLine(line) {
      const [, progress] = /^\{"progress":([\d.]+)\}$/.exec(line) ?? [];
      if (progress !== undefined) onProgress(Number(progress));
      return progress !== undefined;
    },
  });
  return { result: ended.then((end) => readResult(end, folder)), stop };
}

const Counts = v.record(v.string(), v.number());

/** An item that cannot be imported, with its line or its number in the file. */
const Rejected = v.object({
  file: v.string(),
  reason: v.string(),
  line: v.optional(v.number()),
  item: v.optional(v.number()),
});

/** What the importer prints: the report, with counters by their names instead of lists. */
const Output = v.object({
  ...v.omit(ImportReport, ['formats', 'skipped', 'not_kept', 'rejects']).entries,
  rejects: v.array(Rejected),
  formats: Counts,
  passed_over: Counts,
  not_kept: v.record(v.string(), Counts),
});

/** How many reasons the page shows, and how many files of each. */
const [MAX_REASONS, MAX_FILES] = [100, 20];

/** How many names of what is not kept the page shows for a format. */
const MAX_NAMES = 20;

async function readResult({ out, problem }: CommandEnd, folder: string): Promise<ImporterResult> {
  if (out === '') {
    return { problem: problem || 'The importer was stopped before its end; import again.' };
  }
  const { passed_over, formats, not_kept, rejects, skipped_files, ...counts } = v.parse(
    Output,
    JSON.parse(out),
  );
  const bare = (text: string) => text.replaceAll(`${folder}/`, '');
  const { products } = await import('../../../formats/formats.ts');
  const productOf = (format: string) => products.get(format) ?? format;
  return {
    report: {
      ...counts,
      formats: listOf(formats).map(({ name, count }) => ({ name: productOf(name), count })),
      skipped: listOf(passed_over),
      not_kept: Object.entries(not_kept).map(([format, names]) => ({
        format: productOf(format),
        names: listOf(names).slice(0, MAX_NAMES),
      })),
      skipped_files: skipped_files.map(bare),
      rejects: byReason(rejects).map(({ file, reason }) => ({
        file: bare(file),
        reason: forOwner(bare(reason)),
      })),
    },
  };
}

/** Returns one entry for all items whose reasons differ at most in the value that they end with: `, not "text"`. */
function byReason(rejects: readonly v.InferOutput<typeof Rejected>[]) {
  const groups = Map.groupBy(rejects, ({ reason }) => reason.replace(/, not .*$/s, ''));
  return Array.from(groups.values(), (items) => {
    const [first] = items;
    const files = [...new Set(items.map(({ file }) => file))];
    const names = files.slice(0, MAX_FILES);
    const more = files.length > names.length ? ` and ${files.length - names.length} more` : '';
    const at = first?.line ? `line ${first.line}` : first?.item ? `item ${first.item}` : '';
    const count = items.length.toLocaleString('en');
    const where = items.length === 1 ? at : `${count} items${at && `, the first in ${at}`}`;
    const isTold = items.length > files.length || (items.length === 1 && at !== '');
    return {
      file: names.join(', ') + more + (isTold ? ` (${where})` : ''),
      reason: first?.reason ?? '',
    };
  }).slice(0, MAX_REASONS);
}

function listOf(counts: Readonly<Record<string, number>>) {
  return Object.entries(counts).map(([name, count]) => ({ name, count }));
}
