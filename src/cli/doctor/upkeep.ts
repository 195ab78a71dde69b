// Rules about upkeep: the schema, the log, free pages, and leftovers of commands.

import { shellWord } from '../../lib/shell.ts';
import { commandOn } from '../../store/address.ts';
import { formatBytes } from '../output/progress.ts';
import type { Rule } from './rule.ts';

/** SQLite empties its log (WAL) when it reaches 4 MB, and each command that writes empties it at its end. */
const LARGE_LOG_BYTES = 32e6;
const MANY_FREE_BYTES = 10e6;
/** Older versions cannot open the search index after a deletion. */
const OLDEST_SQLITE = [3, 42] as const;

/** Rules about the file. */
export const upkeepRules: readonly Rule[] = [
  [
    'sqlite-too-old',
    'fault',
    ({ sqlite }) =>
      isOlder(sqlite, OLDEST_SQLITE) &&
      `SQLite ${sqlite} cannot read the search index, which needs ${OLDEST_SQLITE.join('.')}; install better-sqlite3 from npm without changes.`,
  ],
  ['schema', 'fault', ({ schema_faults }) => schema_faults],
  [
    'journal-mode',
    'hint',
    (known) =>
      known.trouble === null &&
      known.journal_mode !== 'wal' &&
      `The journal mode is ${known.journal_mode}, in which writers wait for readers; change it with: ${commandOn(known.path, 'migrate')}`,
  ],
  [
    'large-log',
    'hint',
    (known) =>
      (known.wal_size ?? 0) >= LARGE_LOG_BYTES &&
      `The log next to the file (-wal) has ${formatBytes(known.wal_size ?? 0)}; unless a command is writing now, a program that uses the database hangs or was killed. Stop that program, then run: ${commandOn(known.path, 'accounts list')}`,
  ],
  [
    'free-pages',
    'hint',
    ({ pages, free_pages, page_size }) => {
      const free = (free_pages ?? 0) * (page_size ?? 0);
      const isMuch = free >= MANY_FREE_BYTES && (free_pages ?? 0) > (pages ?? 0) / 4;
      return (
        isMuch &&
        `${formatBytes(free)} of the file are free and will be used for the next memories; you need to do nothing.`
      );
    },
  ],
  [
    'draft',
    'hint',
    ({ drafts }) =>
      drafts.length > 0 &&
      `A command that was killed left a temporary file; remove it with: rm -r ${drafts.map(shellWord).join(' ')}`,
  ],
  [
    'kept',
    'hint',
    ({ kept }) =>
      kept.length > 0 &&
      `Safety copies from before restores and migrations take ${formatBytes(kept.reduce((sum, { size }) => sum + size, 0))}; when you no longer need to roll back, remove them with: rm ${kept.map(({ path }) => shellWord(path)).join(' ')}`,
  ],
];

function isOlder(version: string, [major, minor]: readonly [number, number]): boolean {
  const [its = 0, itsMinor = 0] = version.split('.').map(Number);
  return its < major || (its === major && itsMinor < minor);
}
