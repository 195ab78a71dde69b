// memories delete: deletes memories for good, after a confirmation on a terminal.

import { Failure } from '../../contract/failure.ts';
import type { Memory } from '../../contract/schemas/memory.ts';
import { addEvent } from '../../store/app/log.ts';
import { engineOf } from '../../store/engines.ts';
import { Refusal } from '../../store/refusal.ts';
import { needAccount } from '../args/account.ts';
import type { Args } from '../args/args.ts';
import { readMemoryIds } from '../args/memory-ids.ts';
import type { Command } from '../command.ts';
import type { Context } from '../context.ts';
import { ask } from '../output/ask.ts';
import { printError } from '../output/print.ts';
import { formatCount, formatName, formatTime } from '../output/text.ts';
import { callAsAccount } from './accounts/account-api.ts';
import { agentOf } from './bin.ts';

/** How many memories the question lists. */
const LISTED = 20;
const MAX_NAME = 80;

/** Deletes memories: all that are named, or none. */
export const memoriesDeleteCommand: Command = {
  summary: 'Delete memories for good: all that you name, or none',
  about:
    'Asks for confirmation if it runs on a terminal. There is no way back except a backup: "bin add" has one. "-" reads the ids from standard input.',
  takes: 'ID…',
  options: ['database', 'account', 'dry-run', 'yes', 'json'],
  required: ['account'],
  overrides: { 'dry-run': { help: 'List what would be deleted, but delete nothing' } },
  examples: [
    [
      'See what would be deleted',
      'memory-gateway memories delete standup-2026-11-18 --account mira --dry-run',
    ],
    [
      'Delete two memories without a question',
      'memory-gateway memories delete standup-2026-11-18 call-7 --account mira --yes',
    ],
  ],
  run: async (args, context) => {
    const ids = await readMemoryIds(args, context);
    const account_id = await needAccount(args);
    if (args.flag('dry-run')) {
      const lines = (await findMemories(args, ids)).map(formatLine);
      return {
        text: [`${formatCount(ids.length, 'memory', 'memories')} would be deleted:`, ...lines].join(
          '\n',
        ),
        json: { account_id, dry_run: true, would_delete: ids },
      };
    }
    const isOnTerminal = context.stdin.isTTY && context.stderr.isTTY;
    if (!args.flag('yes') && isOnTerminal) await confirm(args, context, ids);
    const engine = engineOf(args.need('database'));
    const erased = await engine.withWriter(async (writer) => {
      const isErased = await writer.erase({ account_id, ids });
      await writer.sourceMemories.disown(account_id, ids);
      const subject = String(ids.length);
      const kind = 'memories-deleted';
      await addEvent(writer.connection, { account_id, kind, subject, agent: agentOf(context) });
      return isErased;
    });
    const [first] = ids;
    const what = ids.length === 1 ? `Memory ${first}` : `${ids.length} memories`;
    return {
      text: `${what} of account ${account_id} ${ids.length === 1 ? 'is' : 'are'} deleted.`,
      json: { account_id, deleted: ids, erased },
      ...(erased ? {} : { note: engine.erasureNote }),
    };
  },
};

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

function formatLine({ started_at, id, name }: Memory): string {
  return `  ${formatTime(Date.parse(started_at))}  ${id}  ${formatName(name, MAX_NAME)}`;
}

/** Rejects with `Refusal` unless the answer on the terminal is yes. */
async function confirm(args: Args, context: Context, ids: readonly string[]): Promise<void> {
  const lines = (await findMemories(args, ids.slice(0, LISTED))).map(formatLine);
  const more = ids.length > LISTED ? [`  and ${ids.length - LISTED} more`] : [];
  printError(context.stderr, [...lines, ...more].join('\n'));
  const what = formatCount(ids.length, 'memory', 'memories');
  if (!/^y(es)?$/i.test(await ask(context, `Delete ${what} for good? [y/N] `)))
    throw new Refusal('Nothing was deleted.');
}
