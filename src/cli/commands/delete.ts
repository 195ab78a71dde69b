// memories delete: deletes memories for good, after a confirmation on a terminal.

import { Failure } from '../../contract/failure.ts';
import type { Memory } from '../../contract/schemas/memory.ts';
import { engineOf } from '../../store/engines.ts';
import { Refusal } from '../../store/refusal.ts';
import { needAccount } from '../args/account.ts';
import type { Args } from '../args/args.ts';
import { readMemoryIds } from '../args/memory-ids.ts';
import { parametersOf } from '../args/parameters.ts';
import { UsageError } from '../args/parse.ts';
import type { Command } from '../command.ts';
import type { Context } from '../context.ts';
import { ask } from '../output/ask.ts';
import { printError } from '../output/print.ts';
import { formatCount, formatName, formatTime } from '../output/text.ts';
import { agentOf } from '../serve/command-env.ts';
import { callAsAccount } from './accounts/account-api.ts';

/** How many memories the question lists. */
const LISTED = 20;
/** The options that choose memories. */
const filterNames = ['q', 'started-after', 'started-before', 'person', 'tag', 'source'] as const;

/** What is shown of a memory. */
type Line = Pick<Memory, 'id' | 'name' | 'started_at'>;

/** Deletes memories: all that are named, or none. */
export const memoriesDeleteCommand: Command = {
  summary: 'Delete memories for good: all that you name, or none',
  about:
    'Give ids, or options that choose memories: those that match all of them are deleted. Asks for confirmation if it runs on a terminal. There is no way back except a backup: "bin add" has one. "-" reads the ids from standard input.',
  takes: '[ID…]',
  options: ['database', 'account', ...filterNames, 'timezone', 'dry-run', 'yes', 'json'],
  required: ['account'],
  overrides: { 'dry-run': { help: 'List what would be deleted, but delete nothing' } },
  examples: [
    [
      'See what would be deleted',
      'memory-gateway memories delete standup-2026-11-18 --account mira --dry-run',
    ],
    [
      'See what is older than two years',
      'memory-gateway memories delete --account mira --started-before 2024-01-01 --dry-run',
    ],
    [
      'Delete two memories without a question',
      'memory-gateway memories delete standup-2026-11-18 call-7 --account mira --yes',
    ],
  ],
  run: async (args, context) => {
    const isFiltered = filterNames.some((name) => args.text(name) !== undefined);
    if (isFiltered && args.positionals.length > 0)
      throw new UsageError('Give ids, or options that choose memories, but not both.');
    const named = isFiltered ? [] : await readMemoryIds(args, context);
    const account_id = await needAccount(args);
    const matching = isFiltered ? await findMatching(args) : undefined;
    const ids = matching?.map(({ id }) => id) ?? named;
    if (ids.length === 0)
      return {
        text: 'There are no such memories; nothing was deleted.',
        json: { account_id, deleted: [] },
      };
    const look = async (some: readonly string[]) =>
      matching?.slice(0, some.length) ?? findMemories(args, some);
    if (args.flag('dry-run')) {
      const lines = (await look(ids)).map(formatLine);
      return {
        text: [`${formatCount(ids.length, 'memory', 'memories')} would be deleted:`, ...lines].join(
          '\n',
        ),
        json: { account_id, dry_run: true, would_delete: ids },
      };
    }
    const isOnTerminal = context.stdin.isTTY && context.stderr.isTTY;
    if (!args.flag('yes') && isOnTerminal) await confirm(context, ids, look);
    const engine = engineOf(args.need('database'));
    const erased = await engine.withWriter((writer) =>
      writer.erase({ account_id, ids, agent: agentOf(context) }),
    );
    const [first] = ids;
    const what = ids.length === 1 ? `Memory ${first}` : `${ids.length} memories`;
    return {
      text: `${what} of account ${account_id} ${ids.length === 1 ? 'is' : 'are'} deleted.`,
      json: { account_id, deleted: ids, erased },
      ...(erased ? {} : { note: engine.erasureNote }),
    };
  },
};

/** Finds the memories that the options choose, the oldest first. */
function findMatching(args: Args): Promise<Line[]> {
  return callAsAccount(args, (api) =>
    api.memories.list({
      fields: ['name', 'started_at'],
      order: 'asc',
      ...parametersOf(args, [...filterNames, 'timezone']),
    }),
  );
}

/** Reads memories by id. Rejects with `Refusal` if one does not exist. */
function findMemories(args: Args, ids: readonly string[]): Promise<Memory[]> {
  return callAsAccount(args, async (api, account) => {
    const memories: Memory[] = [];
    for (const memory_id of ids) {
      try {
        memories.push(await api.memories.get({ memory_id }));
      } catch (error) {
        if (!(error instanceof Failure) || error.status !== 404) throw error;
        throw new Refusal(
          `There is no memory ${memory_id} in account ${account}; nothing was deleted.`,
        );
      }
    }
    return memories;
  });
}

function formatLine({ started_at, id, name }: Line): string {
  return `  ${formatTime(Date.parse(started_at))}  ${id}  ${formatName(name)}`;
}

/** Rejects with `Refusal` unless the answer on the terminal is yes. */
async function confirm(
  context: Context,
  ids: readonly string[],
  look: (some: readonly string[]) => Promise<readonly Line[]>,
): Promise<void> {
  const lines = (await look(ids.slice(0, LISTED))).map(formatLine);
  const more = ids.length > LISTED ? [`  and ${ids.length - LISTED} more`] : [];
  printError(context.stderr, [...lines, ...more].join('\n'));
  const what = formatCount(ids.length, 'memory', 'memories');
  if (!/^y(es)?$/i.test(await ask(context, `Delete ${what} for good? [y/N] `)))
    throw new Refusal('Nothing was deleted.');
}
