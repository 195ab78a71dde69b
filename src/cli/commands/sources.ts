// sources: lists recurring sources with the results of their last runs, and forgets them.

import { toJsonRecord } from '../../lib/time.ts';
import { Refusal } from '../../store/refusal.ts';
import { isKilled, type SourceRecord } from '../../store/sources/runs.ts';
import type { UnreadFile } from '../../store/sources/watched-files.ts';
import { idOfNamed, needAccount } from '../args/account.ts';
import { oneArgument } from '../args/args.ts';
import { withWriter } from '../args/database.ts';
import type { Command, CommandGroup } from '../command.ts';
import { escapeLine } from '../output/terminal.ts';
import { formatTable, formatTime, type Columns } from '../output/text.ts';

/** The group of these commands. */
export const sourceGroup: CommandGroup = {
  summary: 'Manage recurring sources of memories',
  about:
    'A source is a product or another gateway that "pull" has imported from. The database keeps where its next run continues.',
};

/** The commands about sources. */
export const sourceCommands: Readonly<Record<string, Command>> = {
  'sources list': {
    summary: 'List sources, and when each last ran with what result',
    options: ['database', 'account', 'json'],
    overrides: { account: { unset: 'all accounts', help: 'Only sources of this account' } },
    examples: [['See when each source last ran', 'memory-gateway sources list']],
    run: async (args) => {
      const account = await idOfNamed(args);
      const { sources, unread } = await withWriter(args, async (writer) => {
        const all = await writer.sources.list();
        const listed = all.filter(({ account_id }) => account_id === (account ?? account_id));
        const files: UnreadFile[][] = [];
        for (const source of listed)
          files.push(await writer.watchedFiles.unread(source, source.started_at));
        return { sources: listed, unread: files };
      });
      const lines = unread.flat().map(formatUnread);
      return {
        text: [formatTable(sources, COLUMNS), ...lines].join('\n'),
        json: sources.map((source, i) => ({ ...toJson(source), unread_files: unread[i] })),
      };
    },
  },

  'sources forget': {
    summary: 'Forget where a source continues; its memories stay',
    about:
      'The next run reads everything again. Its memories are then unchanged, but they no longer count as those of the source, so no deletion there reaches them.',
    takes: 'NAME',
    options: ['database', 'account', 'json'],
    required: ['account'],
    overrides: { account: { help: 'Account of the source' } },
    examples: [
      ['Forget a source', 'memory-gateway sources forget limitless --account mira'],
      [
        'A source with an address',
        'memory-gateway sources forget "gateway https://memories.example" --account mira',
      ],
    ],
    run: async (args) => {
      const name = oneArgument(args, 'NAME');
      const account_id = await needAccount(args);
      await withWriter(args, async (writer) => {
        if (await writer.sources.forget({ account_id, name })) return;
        throw new Refusal(
          `Account ${account_id} has no source "${name}"; "sources list" shows their names.`,
        );
      });
      return {
        text: `Source ${name} of account ${account_id} is forgotten.`,
        json: { account_id, name },
      };
    },
  },
};

function formatUnread({ path, result, reason }: UnreadFile): string {
  return escapeLine(`${path} (${result}): ${reason}`);
}

const COLUMNS: Columns<SourceRecord> = {
  ACCOUNT: ({ account_id }) => account_id,
  SOURCE: ({ name }) => name,
  'LAST RUN': ({ active_at }) => formatTime(active_at),
  // The run of a watch goes on for as long as it works.
  RESULT: (run) =>
    run.result ?? (isKilled(run) ? 'killed' : run.kind === 'watch' ? 'watching' : 'not ended'),
  ADDED: ({ added }) => String(added),
  UPDATED: ({ updated }) => String(updated),
  DELETED: ({ deleted }) => String(deleted),
  ERROR: ({ result, error }) => (result === 'failed' ? (error ?? '') : ''),
};

/** Returns a source for JSON. Its state and its token are for the program alone. */
function toJson({ state: _, run: __, settings, ...source }: SourceRecord): object {
  return toJsonRecord({ ...source, settings: JSON.parse(settings) as unknown });
}
