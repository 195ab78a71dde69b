// reread: makes memories again from their originals, with the importers of today.

import { isDeepStrictEqual } from 'node:util';

import type { RereadResult } from '../../store/details/reread.ts';
import { engineOf } from '../../store/engines.ts';
import { idOfNamed } from '../args/account.ts';
import type { Args } from '../args/args.ts';
import { notOneOf } from '../args/parse.ts';
import type { Command } from '../command.ts';
import type { Context } from '../context.ts';
import { withProgress, type Progress } from '../output/progress.ts';
import { escapeLine } from '../output/terminal.ts';
import { formatCount } from '../output/text.ts';

/** Makes memories again. Exit code 1 if an original cannot be read. */
export const rereadCommand: Command = {
  summary: 'Make memories again from their originals',
  about:
    'Repairs what an older version of an importer has read worse. Ids and edits stay, and memories that come out equal are not written. If it is stopped, run it again.',
  options: ['database', 'account', 'format', 'dry-run', 'json'],
  overrides: {
    account: { unset: 'all accounts', help: 'Only memories of this account' },
    format: { unset: 'all formats', help: 'Only memories that were read as this format' },
    'dry-run': { help: 'Show what would change, but write nothing' },
  },
  examples: [
    ['See what would change', 'memory-gateway reread --dry-run'],
    ['One format of one account', 'memory-gateway reread --account mira --format limitless'],
  ],
  run: async (args, context) => {
    const account = await idOfNamed(args);
    const format = await readFormat(args);
    const isDry = args.flag('dry-run');
    const tally = createTally();
    await rereadAll(args, context, { account, format, isDry, tally });
    const { updated, unchanged, failed } = tally;
    const would = isDry ? ' would be' : '';
    return {
      text: [
        `${formatCount(updated + unchanged + failed, 'original', 'originals')} read again: ${updated}${would} updated, ${unchanged} unchanged, ${failed} failed.`,
        ...tally.changes.slice(0, SHOWN).map(formatChange),
        ...(tally.changes.length > SHOWN ? ['  and more, which --json lists'] : []),
      ].join('\n'),
      json: { dry_run: isDry, ...tally },
      exit: failed > 0 ? 1 : 0,
    };
  },
};

/** How many changes are printed, and how many changes and failures are listed as JSON. */
const SHOWN = 20;
const LISTED = 1000;

interface Change {
  readonly account_id: string;
  readonly memory_id: string;
  /** The fields of the memory that differ, and `details`. */
  readonly fields: readonly string[];
}

function createTally() {
  return {
    updated: 0,
    unchanged: 0,
    failed: 0,
    changes: [] as Change[],
    failures: [] as (Omit<Change, 'fields'> & { readonly reason: string })[],
  };
}

interface Rereading {
  readonly account: string | undefined;
  readonly format: string | undefined;
  readonly isDry: boolean;
  readonly tally: ReturnType<typeof createTally>;
}

async function rereadAll(
  args: Args,
  context: Context,
  { account, format, isDry, tally }: Rereading,
): Promise<void> {
  const { createReader } = await import('./read-original.ts'); // loads all formats
  await engineOf(args.need('database')).withWriter(async ({ accounts, rereads }) => {
    const ids = account === undefined ? (await accounts.list()).map(({ id }) => id) : [account];
    let total = 0;
    for (const id of ids) total += await rereads.count(id);
    await withProgress(
      context,
      { total, unit: 'memories', stopped: () => formatStopped(tally, isDry) },
      async (progress) => {
        let done = 0;
        const read = createReader(format);
        for (const account_id of ids)
          await rereads.run({
            account_id,
            isDry,
            read: (one) => {
              progress.to(++done);
              return read(one);
            },
            onResult: (result) => count(tally, account_id, result, progress),
          });
      },
    );
  });
}

function formatStopped({ updated }: Rereading['tally'], isDry: boolean): string {
  if (isDry) return 'Stopped. Nothing was written, because this was a dry run.';
  const done = formatCount(updated, 'memory is', 'memories are');
  return `Stopped. ${done} updated. Run the same command again for the rest.`;
}

function count(
  tally: Rereading['tally'],
  account_id: string,
  { id: memory_id, before, now, result }: RereadResult,
  progress: Progress,
): void {
  if (result === 'failed') {
    tally.failed++;
    const reason = 'reason' in now ? now.reason : '';
    if (tally.failures.length === LISTED) return;
    tally.failures.push({ account_id, memory_id, reason });
    if (tally.failed <= SHOWN)
      progress.say(escapeLine(`Memory ${memory_id} stays as it is: ${reason}.`));
    return;
  }
  tally[result === 'unchanged' ? 'unchanged' : 'updated']++;
  if (result === 'unchanged' || 'reason' in now || tally.changes.length === LISTED) return;
  const names = Object.keys(now.memory) as (keyof typeof now.memory)[];
  const fields: string[] = names.filter(
    (name) => !isDeepStrictEqual(now.memory[name], before?.memory[name]),
  );
  if (!isDeepStrictEqual(now.read, before?.read)) fields.push('details');
  tally.changes.push({ account_id, memory_id, fields });
}

function formatChange({ memory_id, fields }: Change): string {
  return `  ${escapeLine(`${memory_id}: ${fields.join(', ')}`)}`;
}

async function readFormat(args: Args): Promise<string | undefined> {
  const format = args.text('format');
  if (format === undefined) return undefined;
  const { formatNames } = await import('../../formats/formats.ts');
  if (formatNames.includes(format)) return format;
  throw notOneOf('format', formatNames, format);
}
