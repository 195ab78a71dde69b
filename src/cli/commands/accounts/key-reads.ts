// keys reads: what a key has read in the last 30 days.

import { toJsonRecord } from '../../../lib/time.ts';
import { Refusal } from '../../../store/refusal.ts';
import { oneArgument } from '../../args/args.ts';
import { withAppStore, withWriter } from '../../args/database.ts';
import type { Command } from '../../command.ts';
import { formatTable, formatTime } from '../../output/text.ts';

/** Shows what a key has read. */
export const keysReadsCommand: Command = {
  summary: 'Show which paths a key has read in the last 30 days',
  about:
    'Paths only: nothing of what was searched for or read. A path is listed within a minute of its request. An agent is listed by the tools that it has called. "serve" and "start" record nothing with --no-key-log.',
  takes: 'ID',
  options: ['database', 'json'],
  examples: [
    [
      'What a key has read, by its id, which "keys list" shows',
      'memory-gateway keys reads 01a2b3c4-d5e6-7f80-9a1b-2c3d4e5f6071',
    ],
  ],
  run: async (args) => {
    const id = oneArgument(args, 'ID');
    const { account_id } = await withWriter(args, (writer) => writer.keys.get(id));
    const reads = await withAppStore(args.need('database'), ({ keys }) =>
      keys.reads({ account_id, id }),
    );
    if (reads === undefined)
      throw new Refusal(`There is no key ${id}; "memory-gateway keys list" shows the ids.`);
    return {
      text: formatTable(reads, {
        LAST: ({ last_at }) => formatTime(last_at),
        TIMES: ({ count }) => String(count),
        PATH: ({ path }) => path,
      }),
      json: reads.map(toJsonRecord),
    };
  },
};
