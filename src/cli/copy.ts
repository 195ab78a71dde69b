// copy: all of one database into another, of either engine.

import { showDatabase } from '../store/address.ts';
import { none } from './accounts.ts';
import { amount, isoTime, showTime, type Command } from './command.ts';
import { watched } from './verify.ts';

/** Copies a database, while others read and write it. */
export const copyCommand: Command = {
  summary: 'copy all of a database into another, from SQLite to PostgreSQL or back',
  options: ['from', 'to', 'json'],
  run: async (args) => {
    none(args);
    const [from, to] = [args.need('from'), args.need('to')];
    const { copyDatabase } = await import('../store/copy.ts');
    const copied = await copyDatabase({ from, to, stage: watched });
    const { at, accounts, keys, memories, changes, sent, sha256 } = copied;
    const [source, target] = [showDatabase(from), showDatabase(to)];
    const what = [
      amount(accounts, 'account', 'accounts'),
      amount(keys, 'key', 'keys'),
      amount(memories, 'memory', 'memories'),
      amount(changes, 'change', 'changes'),
    ].join(', ');
    return {
      text: `${target} has all of ${source} as of ${showTime(at)}: ${what}, SHA-256 ${sha256} on both sides; ${sent} were sent.`,
      json: {
        from: source,
        to: target,
        at: isoTime(at),
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
