// verify: says whether a database is well, and if not, all that is wrong with it.

import { showDatabase } from '../store/address.ts';
import type { Stage } from '../store/stage.ts';
import type { Verified } from '../store/verify.ts';
import { none } from './accounts.ts';
import { amount, isoTime, showTime, type Command, type Result } from './command.ts';
import { plainLine } from './plain.ts';
import { withProgress } from './progress.ts';

/** The most characters of a finding that are shown. */
const LONGEST = 2000;

/** Verifies a database, read-only. */
export const verifyCommand: Command = {
  summary: 'check every memory, the feed, the search index and the database itself',
  options: ['database', 'json'],
  run: async (args) => {
    none(args);
    const database = args.need('database');
    const { verifyAny } = await import('../store/verify.ts');
    return tell(showDatabase(database), await verifyAny(database, watched));
  },
};

/** Draws a bar for each stage of long work. */
export const watched: Stage = (counted, work) =>
  withProgress(counted, (progress) => work((done) => progress.to(done)));

/** Says what was found: exit 1 where something is wrong. */
export function tell(database: string, { more, ...verified }: Verified): Result {
  const { at, memories, accounts } = verified;
  // A file that is not well may be of anybody, and its ids be anything.
  const findings = verified.findings.map((each) => plainLine(each, LONGEST));
  const ok = findings.length === 0;
  const rest = more > 0 ? [`And ${more} more.`] : [];
  const well = `${database} is well: ${amount(memories, 'memory', 'memories')} of ${amount(accounts, 'account', 'accounts')}, as of ${showTime(at)}.`;
  return {
    text: ok ? well : [...findings, ...rest].join('\n'),
    json: { ok, database, at: isoTime(at), memories, accounts, findings, more },
    ...(ok ? {} : { note: `${database} is not well.`, exit: 1 }),
  };
}
