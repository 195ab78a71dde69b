// copy: a whole database into another one, of either engine.

import { toIsoTime } from '../../../lib/time.ts';
import { showDatabase } from '../../../store/address.ts';
import type { Command } from '../../command.ts';
import { showStages } from '../../output/progress.ts';
import { formatCount, formatTime } from '../../output/text.ts';

/** Copies a database while others read and write it. */
export const copyCommand: Command = {
  summary: 'Copy a database to another, SQLite or PostgreSQL',
  about:
    'Copies accounts, keys, memories and the change feed, then compares both sides. Run it again to continue, or to copy what has changed.',
  options: ['from', 'to', 'json'],
  required: ['from', 'to'],
  examples: [
    [
      'Move from SQLite to PostgreSQL',
      'memory-gateway copy --from memory-gateway.db --to postgres://user@host/memories',
    ],
    ['Copy to another file', 'memory-gateway copy --from memory-gateway.db --to copy.db'],
  ],
  run: async (args, context) => {
    const [from, to] = [args.need('from'), args.need('to')];
    const { copyDatabase } = await import('../../../store/copy/copy.ts');
    const copied = await copyDatabase({ from, to, stage: showStages(context) });
    const { at, accounts, keys, memories, changes, sent, sha256 } = copied;
    const [source, target] = [showDatabase(from), showDatabase(to)];
    const contents = [
      formatCount(accounts, 'account', 'accounts'),
      formatCount(keys, 'key', 'keys'),
      formatCount(memories, 'memory', 'memories'),
      formatCount(changes, 'change', 'changes'),
    ].join(', ');
    return {
      text: `${target} has all of ${source} as of ${formatTime(at)}: ${contents}, SHA-256 ${sha256} on both sides; ${sent} were sent.`,
      json: {
        from: source,
        to: target,
        at: toIsoTime(at),
        accounts,
        keys,
        memories,
        changes,
        sent,
        sha256,
      },
    };
  },
};
