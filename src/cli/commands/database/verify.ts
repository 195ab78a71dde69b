// verify: checks a whole database, and lists everything that is damaged.

import { toIsoTime } from '../../../lib/time.ts';
import { showDatabase } from '../../../store/address.ts';
import type { Verified } from '../../../store/check/findings.ts';
import { engineOf } from '../../../store/engines.ts';
import type { Command, CommandResult } from '../../command.ts';
import { showStages } from '../../output/progress.ts';
import { escapeLine } from '../../output/terminal.ts';
import { formatCount, formatTime } from '../../output/text.ts';

/** The most characters of a finding that are shown. */
const MAX_FINDING = 2000;

/** Verifies a database without changing it. */
export const verifyCommand: Command = {
  summary: 'Check every memory, the feed, the index and the database',
  about:
    'Reads everything and compares it with its checksums. Changes nothing. Exit code 1 means that something is damaged; restore a backup then.',
  options: ['database', 'json'],
  examples: [['Check a backup', 'memory-gateway verify --database memories.bak.db']],
  run: async (args, context) => {
    const database = args.need('database');
    return verifyResult(
      showDatabase(database),
      await engineOf(database).verify(showStages(context)),
    );
  },
};

/** Formats the result of a verification. Exit code 1 if something is damaged. */
export function verifyResult(database: string, { more, ...verified }: Verified): CommandResult {
  const { at, memories, accounts } = verified;
  // Ids in a damaged file can contain anything, so they are escaped.
  const findings = verified.findings.map((each) => escapeLine(each, MAX_FINDING));
  const ok = findings.length === 0;
  const rest = more > 0 ? [`And ${more} more.`] : [];
  const healthy = `${database} is healthy: ${formatCount(memories, 'memory', 'memories')} of ${formatCount(accounts, 'account', 'accounts')}, as of ${formatTime(at)}.`;
  return {
    text: ok ? healthy : [...findings, ...rest].join('\n'),
    json: { ok, database, at: toIsoTime(at), memories, accounts, findings, more },
    ...(ok ? {} : { note: `${database} is damaged.`, exit: 1 }),
  };
}
