// The sheet of facts: a database in a short table for people, and as JSON.

import { VERSION } from '../../gateway/version.ts';
import { OLDEST_NODE } from '../../node.ts';
import { SOON_DAYS } from '../../store/sqlite/parts.ts';
import { isoTime, showTime, table } from '../command.ts';
import { showBytes } from '../progress.ts';
import { showMode } from './access.ts';
import type { Known } from './advice.ts';

const { node } = process.versions;

/** Shows facts as a table; what is not known is left out. */
export function showFacts(known: Known): string {
  const { path, real_path, schema, schema_wanted } = known;
  const rows: [string, string | null][] = [
    ['leads to', real_path === path ? null : real_path],
    ['size', showSize(known)],
    ['log', showLog(known)],
    ['schema', schema === null ? null : `${schema}; this program has ${schema_wanted}`],
    ['accounts', known.accounts && showCounts(known.accounts)],
    ['keys', known.keys && showCounts(known.keys)],
    ['expiry', showEnds(known)],
    ['memories', showMemories(known)],
    ['changes', known.changes === null ? null : String(known.changes)],
    ['disk', showDisk(known)],
    ['modes', showModes(known)],
    ['versions', `memory-gateway ${VERSION}, Node ${node}, SQLite ${known.sqlite}`],
  ];
  const told = rows.filter((row): row is [string, string] => row[1] !== null);
  return table(['DATABASE', path], told);
}

function showSize({ size, pages, page_size, free_pages }: Known): string | null {
  if (size === null) return null;
  const inPages =
    pages === null ? '' : `: ${pages} pages of ${page_size} bytes, ${free_pages} free`;
  return showBytes(size) + inPages;
}

function showLog({ size, wal_size, journal_mode }: Known): string | null {
  if (size === null) return null;
  const mode = journal_mode === null ? '' : `, journal mode ${journal_mode}`;
  if (wal_size === null) return `none${mode}`;
  return `${wal_size === 0 ? 'empty' : showBytes(wal_size)}${mode}`;
}

function showCounts(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');
}

function showEnds({ keys_without_end, keys_expiring }: Known): string | null {
  if (keys_without_end === null || keys_expiring === null) return null;
  return `${keys_expiring.length} within ${SOON_DAYS} days, ${keys_without_end} never`;
}

function showMemories({ memories, oldest, newest }: Known): string | null {
  if (memories === null) return null;
  const times = oldest === null ? '' : `, from ${showTime(oldest)} to ${showTime(newest)}`;
  return `${memories}${times}`;
}

function showDisk({ file_system, free }: Known): string | null {
  return free === null ? null : `${file_system ? `${file_system}, ` : ''}${showBytes(free)} left`;
}

function showModes({ user, files: [file], folder }: Known): string | null {
  if (user === null || !file || !folder) return null;
  return `${showMode(file)}, its folder ${showMode(folder)}`;
}

/** Gives facts for machines: times as the API has them, permissions as `chmod` takes them. */
export function describe({ refusal: _, keys_expiring, ...known }: Known) {
  return {
    ...known,
    keys_expiring:
      keys_expiring?.map((key) => ({ ...key, expires_at: isoTime(key.expires_at) })) ?? null,
    oldest: isoTime(known.oldest),
    newest: isoTime(known.newest),
    files: known.files.map((file) => ({ ...file, mode: showMode(file) })),
    folder: known.folder && { ...known.folder, mode: showMode(known.folder) },
    version: VERSION,
    node,
    node_wanted: `>= ${OLDEST_NODE}`,
  };
}
