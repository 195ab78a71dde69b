// Runs the import command: reads its options, opens the database, and reports the result.

import { setFlagsFromString } from 'node:v8';

import { formatNames, itemFormats, textFormats } from '../../formats/formats.ts';
import type { ReadOptions } from '../../formats/outcome.ts';
import { TABLE_FIELDS, type Columns } from '../../formats/tables/fields.ts';
import { readProductTime } from '../../formats/time/product-time.ts';
import { localReader } from '../../lib/timezone.ts';
import { createPacker } from '../../store/details/pack.ts';
import type { Import } from '../../store/engine.ts';
import { engineOf } from '../../store/engines.ts';
import { undoneImport } from '../../store/import/marks.ts';
import { Refusal } from '../../store/refusal.ts';
import { idOfNamed } from '../args/account.ts';
import { type Args } from '../args/args.ts';
import { readEmbeddings } from '../args/embeddings.ts';
import { notOneOf, UsageError } from '../args/parse.ts';
import { readTimezone, readWord } from '../args/values.ts';
import type { CommandResult } from '../command.ts';
import type { Context } from '../context.ts';
import { formatBytes, withProgress } from '../output/progress.ts';
import { formatCount } from '../output/text.ts';
import { agentOf } from '../serve/command-env.ts';
import { createAccountChooser } from './owner.ts';
import { runImport } from './run-import.ts';
import { findSources, type SourceOptions } from './sources.ts';
import {
  adviceAbout,
  formatRejected,
  formatTally,
  createTally,
  isNothing,
  type Tally,
} from './tally.ts';

/** Imports the files that the command names. Exit code 1 if any item was rejected, or nothing was found. */
export async function runImportCommand(args: Args, context: Context): Promise<CommandResult> {
  if (args.positionals.length === 0)
    throw new UsageError('Give at least one FILE or FOLDER, or - for standard input.');
  const how = {
    isDry: args.flag('dry-run'),
    isAtomic: args.flag('all-or-nothing'),
    agent: agentOf(context),
  };
  const reading = await readReadOptions(args);
  const startedAt = readStart(args, reading);
  const account = await idOfNamed(args);
  const embeddings = readEmbeddings(args, context.env);
  const owners = new Set<string>();
  const engine = engineOf(args.need('database'));
  const imported = await engine.withImport(how, async (into) => {
    const tally = createTally(how);
    try {
      await importFiles(into, tally, { args, context, account, reading, startedAt, owners });
    } catch (error) {
      throw how.isAtomic || how.isDry ? error : await withWritten(error, tally, into);
    }
    const isUndone = how.isAtomic && tally.rejected > 0 && !how.isDry;
    if (!isUndone) await into.commit();
    const { sample, found, ...counts } = tally;
    return {
      text: formatTally(tally, { ...how, isUndone }),
      json: {
        dry_run: how.isDry,
        committed: !how.isDry && !isUndone,
        ...counts,
        ...found,
        advice: adviceAbout(tally),
        ...(sample && { sample }),
      },
      exit: tally.rejected > 0 || isNothing(tally) ? 1 : 0,
    };
  });
  if (embeddings === undefined || how.isDry) return imported;
  const { addVectors } = await import('../embed/embedding.ts');
  return addVectors(imported, owners, { engine, embeddings, context });
}

interface ImportOptions {
  readonly args: Args;
  readonly context: Context;
  /** The id of the account, if one is named. */
  readonly account: string | undefined;
  readonly reading: ReadOptions;
  readonly startedAt: string | undefined;
  /** Gets the ids of the accounts that memories are for. */
  readonly owners: Set<string>;
}

/** How many rejected items are printed: an archive may have a million. */
const MAX_SHOWN = 300;

const MORE_REJECTS =
  'More items are rejected. They are counted but not shown; --json lists the first 1,000.';

async function importFiles(
  into: Import,
  tally: Tally,
  { args, context, account, reading, startedAt, owners }: ImportOptions,
): Promise<void> {
  const choose = createAccountChooser(account, await into.accounts());
  const ownerOf: typeof choose = (memory) => {
    const owner = choose(memory);
    if (typeof owner === 'string') owners.add(owner);
    return owner;
  };
  const options: SourceOptions = { startedAt, stdin: context.stdin.stream };
  const isForServer = context.env['MEMORY_GATEWAY_PROGRESS'] === 'json';
  if (isForServer) keepYoungGenerationSmall();
  const isShown = context.stderr.isTTY || isForServer;
  const total = isShown ? await sizeOf(args.positionals, options) : 0;
  const stopped = () => formatStopped(tally, args);
  await withProgress(context, { total, unit: formatBytes, stopped }, (progress) => {
    const onReject = (reject: Tally['rejects'][number]) => {
      if (tally.rejected <= MAX_SHOWN) progress.say(formatRejected(reject));
      else if (tally.rejected === MAX_SHOWN + 1) progress.say(MORE_REJECTS);
    };
    const found = findSources(args.positionals, options);
    return runImport(found, { into, tally, reading, progress, ownerOf, onReject });
  });
}

/**
 * Keeps V8's young generation at its first size, because an importer shares the memory of a server. Measured with an
 * export of 330 MB: a peak of 263 MB instead of 311, in the same time.
 */
function keepYoungGenerationSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}

/** Says what an import that was stopped has kept, and how to go on. */
function formatStopped({ added, updated, unchanged }: Tally, args: Args): string {
  if (args.flag('dry-run')) return 'Stopped. Nothing was written, because this was a dry run.';
  if (args.flag('all-or-nothing'))
    return 'Stopped. Nothing was written, because of --all-or-nothing.';
  return `Stopped. ${formatCount(added, 'memory', 'memories')} added and ${updated} updated stay, ${unchanged} were unchanged. Run the same command again for the rest.`;
}

/** Adds to the error of an interrupted import what it has written so far, or says that a restore has removed it. */
async function withWritten(
  error: unknown,
  { added, updated }: Tally,
  into: Import,
): Promise<unknown> {
  if (!(error instanceof Refusal)) return error;
  try {
    if (await into.isUndone()) return undoneImport();
  } catch {
    // The database cannot be asked, for the reason that the error gives.
  }
  if (added + updated === 0) return error;
  const kept = `${formatCount(added + updated, 'memory is', 'memories are')} imported already; import again for the rest.`;
  const { message } = error;
  // A message without a full stop ends with a command to paste.
  error.message = message.endsWith('.') ? `${message.slice(0, -1)}; ${kept}` : `${kept} ${message}`;
  return error;
}

/** Reads the options that say how files are to be read. Throws `UsageError`. */
export async function readReadOptions(args: Args): Promise<ReadOptions> {
  const format = args.text('format');
  const isTable = format === TABLE;
  if (format !== undefined && !isTable && !formatNames.includes(format))
    throw notOneOf('format', [...formatNames, TABLE], format);
  const timezone = readTimezone(args.text('timezone'));
  const isWanted = ({ name }: { readonly name: string }) => format === undefined || name === format;
  return {
    items: itemFormats.filter(isWanted),
    texts: textFormats.filter(isWanted),
    local: await localReader(timezone),
    encoding: readEncoding(args.text('encoding')),
    columns: readColumns(args.text('map'), isTable),
    withoutTranscript: args.flag('without-transcript'),
    ...readKept(args),
    timezone,
  };
}

/** Reads which parts of what is imported are kept besides the memories. Throws `UsageError`. */
export function readKept(args: Args): Pick<ReadOptions, 'keepsEmails' | 'createPacker'> {
  const originals = readWord('originals', args.need('originals'), ['keep', 'off']);
  return {
    keepsEmails: readWord('emails', args.need('emails'), ['drop', 'keep']) === 'keep',
    createPacker: originals === 'keep' ? createPacker : undefined,
  };
}

/** The format of tables, which no file shows by itself. */
const TABLE = 'csv';

/** Reads `id=uuid,started_at=when`. Throws `UsageError`. */
function readColumns(map: string | undefined, isTable: boolean): Columns | undefined {
  if (map !== undefined && !isTable) throw new UsageError('--map needs --format csv.');
  if (!isTable) return undefined;
  const pairs = (map ?? '').split(',').filter((pair) => pair.trim() !== '');
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, field = '', column = ''] = /^\s*(\w+)\s*=\s*(.*?)\s*$/.exec(pair) ?? [];
      if (!TABLE_FIELDS.some((name) => name === field) || column === '')
        throw new UsageError(
          `--map takes FIELD=COLUMN with one of ${TABLE_FIELDS.join(', ')}, not "${pair}".`,
        );
      return [field, column];
    }),
  );
}

function readEncoding(label: string | undefined): string | undefined {
  if (label === undefined) return undefined;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    throw new UsageError(
      `--encoding takes a name of the Encoding Standard, such as windows-1252, shift_jis or gb18030, not "${label}".`,
    );
  }
}

function readStart(args: Args, { local }: ReadOptions): string | undefined {
  const text = args.text('started-at');
  if (text === undefined || readProductTime(text, local) !== undefined) return text;
  throw new UsageError(`--started-at takes a time such as 2026-11-18T09:00:00Z, not "${text}".`);
}

/** Returns the number of bytes to read; 0 if it is unknown. */
async function sizeOf(paths: readonly string[], options: SourceOptions): Promise<number> {
  let bytes = 0;
  for await (const file of findSources(paths, options)) {
    if (!('open' in file)) continue;
    if (file.size === undefined) return 0;
    bytes += file.size;
  }
  return bytes;
}
