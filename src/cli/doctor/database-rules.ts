// Rules about the database: its schema and log, leftovers of commands, accounts, keys and memories, and sources.

import { shellWord } from '../../lib/shell.ts';
import { DAY_MS } from '../../lib/time.ts';
import { commandOn } from '../../store/address.ts';
import { UNUSED_DAYS, type SourceFacts } from '../../store/files/database-file.ts';
import { formatBytes } from '../output/progress.ts';
import { formatTime } from '../output/text.ts';
import type { Inspection, Rule } from './rule.ts';

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

const LISTED_KEYS = 10;

/** Rules about accounts, keys and memories. */
export const contentRules: readonly Rule[] = [
  ['key-expires', 'hint', describeExpiring],
  ['key-unused', 'hint', describeUnused],
  [
    'no-account',
    'hint',
    (known) =>
      isNone(known.accounts) &&
      `There is no account yet; create one with: ${commandOn(known.path, 'accounts create NAME')}`,
  ],
  [
    'no-key',
    'hint',
    (known) =>
      known.accounts !== null &&
      known.accounts.active > 0 &&
      known.keys?.active === 0 &&
      `No key is active, so no client can read; create one with: ${commandOn(known.path, 'keys create --account ACCOUNT')}`,
  ],
  [
    'no-memory',
    'hint',
    ({ memories, accounts, path }) =>
      memories === 0 &&
      !isNone(accounts) &&
      `There is no memory yet; import some with: ${commandOn(path, 'import FILE')}`,
  ],
];

function describeExpiring({ keys_expiring, path }: Inspection): string[] {
  const sentences = (keys_expiring ?? []).map(
    ({ id, label, account_id, expires_at }) =>
      `Key ${id} ("${label}") of account ${account_id} expires at ${formatTime(expires_at)}; replace it with: ${commandOn(path, `keys rotate ${id}`)}`,
  );
  return shorten(sentences, path, 'expire soon');
}

function describeUnused({ keys_unused, path }: Inspection): string[] {
  const sentences = (keys_unused ?? []).map(
    ({ id, label, account_id, last_used_at }) =>
      `Key ${id} ("${label}") of account ${account_id} was last used at ${formatTime(last_used_at)}; if nobody needs it, run: ${commandOn(path, `keys revoke ${id}`)}`,
  );
  return shorten(sentences, path, `were not used for ${UNUSED_DAYS} days`);
}

/** Returns the first sentences, and how many more keys there are. */
function shorten(sentences: readonly string[], path: string, what: string): string[] {
  const more = sentences.length - LISTED_KEYS;
  const first = sentences.slice(0, LISTED_KEYS);
  if (more <= 0) return first;
  return [...first, `${more} more keys ${what}; see all with: ${commandOn(path, 'keys list')}`];
}

function isNone(accounts: Inspection['accounts']): boolean {
  return accounts !== null && accounts.active + accounts.disabled === 0;
}

/** A source whose usual interval is unknown, or that watches a folder, is late after this. */
const LATE_MS = 7 * DAY_MS;
/** How many usual intervals a source may be late, but a day at least. */
const INTERVALS = 3;

/** Rules about sources. */
export const sourceRules: readonly Rule[] = [
  [
    'source-failed',
    'hint',
    (known) =>
      (known.sources ?? [])
        .filter(({ result }) => result === 'failed')
        .map(
          (source) =>
            `The last run of ${nameOf(source)} failed at ${formatTime(source.active_at)}: ${source.error ?? 'for an unknown reason.'} If you no longer need it, run: ${forget(known, source)}`,
        ),
  ],
  [
    'source-late',
    'hint',
    (known) =>
      (known.sources ?? [])
        .filter(isLate)
        .map(
          (source) =>
            `The ${nameOf(source)} has not run since ${formatTime(source.active_at)}; look at its timer, or forget the source with: ${forget(known, source)}`,
        ),
  ],
];

function isLate({ kind, active_at, interval_ms }: SourceFacts): boolean {
  const usual = kind === 'pull' && interval_ms !== null;
  const limit = usual ? Math.max(DAY_MS, INTERVALS * interval_ms) : LATE_MS;
  return Date.now() - active_at > limit;
}

function nameOf({ name, account_id }: SourceFacts): string {
  return `source ${name} of account ${account_id}`;
}

function forget({ path }: Inspection, { name, account_id }: SourceFacts): string {
  return commandOn(path, `sources forget ${shellWord(name)} --account ${account_id}`);
}
