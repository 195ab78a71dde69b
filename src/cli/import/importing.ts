// The import command at work: its options read, its parts put together.

import * as v from 'valibot';

import { TimeZone } from '../../contract/moment.ts';
import { formatNames, itemFormats, textFormats } from '../../formats/formats.ts';
import type { Reading } from '../../formats/read.ts';
import { readTime } from '../../formats/time.ts';
import { localReader } from '../../gateway/moment.ts';
import { withImport, type Import } from '../../store/imports.ts';
import { Refusal } from '../../store/refusal.ts';
import { Mistake, type Args } from '../args.ts';
import type { Result } from '../command.ts';
import { showBytes, withProgress } from '../progress.ts';
import { chooseOwner } from './owner.ts';
import { showReject, showTally } from './report.ts';
import { runImport } from './run.ts';
import { sourcesOf, type Sourcing } from './sources.ts';
import { newTally, type Tally } from './tally.ts';

/** Imports what a command names. Exit 1 where anything was rejected. */
export async function importWith(args: Args): Promise<Result> {
  if (args.positionals.length === 0)
    throw new Mistake('Give at least one FILE or FOLDER, or - for standard input.');
  const how = { isDry: args.flag('dry-run'), isWhole: args.flag('all-or-nothing') };
  const reading = await readReading(args);
  const startedAt = readStart(args, reading);
  return withImport(args.need('database'), how, async (into) => {
    const tally = newTally();
    try {
      await importInto(into, tally, { args, reading, startedAt });
    } catch (error) {
      throw how.isWhole || how.isDry ? error : withWritten(error, tally);
    }
    const isUndone = how.isWhole && tally.rejected > 0 && !how.isDry;
    if (!isUndone) await into.commit();
    const { sample, ...counts } = tally;
    return {
      text: showTally(tally, { ...how, isUndone }),
      json: {
        dry_run: how.isDry,
        committed: !how.isDry && !isUndone,
        ...counts,
        ...(how.isDry && { sample }),
      },
      exit: tally.rejected > 0 ? 1 : 0,
    };
  });
}

interface Into {
  readonly args: Args;
  readonly reading: Reading;
  readonly startedAt: string | undefined;
}

async function importInto(
  into: Import,
  tally: Tally,
  { args, reading, startedAt }: Into,
): Promise<void> {
  const account = args.text('account');
  if (account !== undefined) await into.require(account);
  const ownerOf = chooseOwner(account, await into.accounts());
  const options: Sourcing = { startedAt, stdin: process.stdin };
  const total = process.stderr.isTTY ? await sizeOf(args.positionals, options) : 0;
  await withProgress({ total, unit: showBytes }, (progress) => {
    const onReject = (reject: Tally['rejects'][number]) => progress.say(showReject(reject));
    const found = sourcesOf(args.positionals, options);
    return runImport(found, { into, tally, reading, progress, ownerOf, onReject });
  });
}

/** Says of an import that could not go on what it has written up to there. */
function withWritten(error: unknown, { added, updated }: Tally): unknown {
  if (!(error instanceof Refusal) || added + updated === 0) return error;
  error.message = `${error.message.replace(/\.$/, '')}; ${added + updated} memories are in, and a second import does the rest.`;
  return error;
}

async function readReading(args: Args): Promise<Reading> {
  const format = args.text('format');
  if (format !== undefined && !formatNames.includes(format))
    throw new Mistake(`--format takes ${formatNames.join(', ')}, not "${format}".`);
  const timezone = args.text('timezone') ?? 'UTC';
  if (!v.safeParse(TimeZone, timezone).success)
    throw new Mistake(`--timezone takes ${v.getDescription(TimeZone)}, not "${timezone}".`);
  const isWanted = ({ name }: { readonly name: string }) => format === undefined || name === format;
  return {
    items: itemFormats.filter(isWanted),
    texts: textFormats.filter(isWanted),
    local: await localReader(timezone),
  };
}

function readStart(args: Args, { local }: Reading): string | undefined {
  const text = args.text('started-at');
  if (text === undefined || readTime(text, local) !== undefined) return text;
  throw new Mistake(`--started-at takes a time such as 2026-11-18T09:00:00Z, not "${text}".`);
}

/** How much there is to read; 0 where nobody knows. */
async function sizeOf(paths: readonly string[], options: Sourcing): Promise<number> {
  let bytes = 0;
  for await (const file of sourcesOf(paths, options)) {
    if (!('open' in file)) continue;
    if (file.size === undefined) return 0;
    bytes += file.size;
  }
  return bytes;
}
