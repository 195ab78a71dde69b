// The rules of upkeep: the file itself, its log, and what commands leave beside it.

import { commandOn, shellWord } from '../../store/shell.ts';
import { showBytes } from '../progress.ts';
import type { Rule } from './advice.ts';

/** SQLite works its log off from 4 MB on, and a command that writes empties it at its end. */
const LARGE_LOG = 32e6;
const MANY_FREE = 10e6;
/** Older ones cannot open the index of words any more once something was deleted. */
const OLDEST_SQLITE = [3, 42] as const;

/** What is not well with the file. */
export const upkeepRules: readonly Rule[] = [
  [
    'sqlite-too-old',
    'fault',
    ({ sqlite }) =>
      isOlder(sqlite, OLDEST_SQLITE) &&
      `SQLite ${sqlite} cannot read the search index, which needs ${OLDEST_SQLITE.join('.')}; install better-sqlite3 as it is published.`,
  ],
  ['schema', 'fault', ({ schema_faults }) => schema_faults],
  [
    'journal-mode',
    'hint',
    (known) =>
      known.trouble === null &&
      known.journal_mode !== 'wal' &&
      `The journal mode is ${known.journal_mode}, in which who writes waits for who reads; change it with: ${commandOn(known.path, 'migrate')}`,
  ],
  [
    'large-log',
    'hint',
    (known) =>
      (known.wal_size ?? 0) >= LARGE_LOG &&
      `The log beside the file has ${showBytes(known.wal_size ?? 0)}; unless a command writes just now, a program that uses the database hangs or was killed: end it, then run: ${commandOn(known.path, 'accounts list')}`,
  ],
  [
    'free-pages',
    'hint',
    ({ pages, free_pages, page_size }) => {
      const free = (free_pages ?? 0) * (page_size ?? 0);
      const isMuch = free >= MANY_FREE && (free_pages ?? 0) > (pages ?? 0) / 4;
      return (
        isMuch &&
        `${showBytes(free)} of the file are free and will be used for the next memories; nothing needs to be done.`
      );
    },
  ],
  [
    'draft',
    'hint',
    ({ drafts }) =>
      drafts.length > 0 &&
      `A command that was killed left a draft behind; remove it with: rm -r ${drafts.map(shellWord).join(' ')}`,
  ],
  [
    'kept',
    'hint',
    ({ kept }) =>
      kept.length > 0 &&
      `What was there before a restore or a migration is kept, ${showBytes(kept.reduce((sum, { size }) => sum + size, 0))} of it; once you need no way back, remove it with: rm ${kept.map(({ path }) => shellWord(path)).join(' ')}`,
  ],
];

function isOlder(version: string, [major, minor]: readonly [number, number]): boolean {
  const [its = 0, itsMinor = 0] = version.split('.').map(Number);
  return its < major || (its === major && itsMinor < minor);
}
