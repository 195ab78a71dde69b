// Formats doctor's facts about a database: as a table for people, and as JSON.

import { resolve } from 'node:path';

import { toIsoTime, toJsonRecord } from '../../lib/time.ts';
import { OLDEST_NODE } from '../../node-version.ts';
import { SOON_DAYS, UNUSED_DAYS } from '../../store/files/database-file.ts';
import { VERSION } from '../../version.ts';
import { formatBytes } from '../output/progress.ts';
import { formatTime, formatTable } from '../output/text.ts';
import { formatMode } from './file-rules.ts';
import type { Inspection } from './rule.ts';

const { node } = process.versions;

/** Formats the known facts as a table. */
export function formatReport(known: Inspection): string {
  const { path, real_path, schema, schema_wanted } = known;
  const rows: [string, string | null][] = [
    ['link to', real_path === resolve(path) ? null : real_path],
    ['size', showSize(known)],
    ['log', showLog(known)],
    ['schema', schema === null ? null : `${schema}; this program uses ${schema_wanted}`],
    ['accounts', known.accounts && showCounts(known.accounts)],
    ['keys', known.keys && showCounts(known.keys)],
    ['expiry', showExpiry(known)],
    ['use', showUse(known)],
    ['grants', showGrants(known)],
    ['memories', showMemories(known)],
    ['originals', showOriginals(known)],
    ['changes', known.changes === null ? null : String(known.changes)],
    [
      'sources',
      known.sources === null || known.sources.length === 0 ? null : showSources(known.sources),
    ],
    ['disk', showDisk(known)],
    ['modes', showModes(known)],
    ['versions', `memory-gateway ${VERSION}, Node ${node}, SQLite ${known.sqlite}`],
  ];
  const told = rows.filter((row): row is [string, string] => row[1] !== null);
  return formatTable(told, { DATABASE: ([name]) => name, [path]: ([, text]) => text });
}

function showSize({ size, pages, page_size, free_pages }: Inspection): string | null {
  if (size === null) return null;
  const inPages =
    pages === null ? '' : `: ${pages} pages of ${page_size} bytes, ${free_pages} free`;
  return formatBytes(size) + inPages;
}

function showLog({ size, wal_size, journal_mode }: Inspection): string | null {
  if (size === null) return null;
  const mode = journal_mode === null ? '' : `, journal mode ${journal_mode}`;
  if (wal_size === null) return `none${mode}`;
  return `${wal_size === 0 ? 'empty' : formatBytes(wal_size)}${mode}`;
}

function showCounts(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');
}

function showExpiry({ keys_without_end, keys_expiring }: Inspection): string | null {
  if (keys_without_end === null || keys_expiring === null) return null;
  return `${keys_expiring.length} within ${SOON_DAYS} days, ${keys_without_end} never`;
}

function showUse({ keys_unused }: Inspection): string | null {
  if (keys_unused === null || keys_unused.length === 0) return null;
  return `${keys_unused.length} not used for ${UNUSED_DAYS} days`;
}

function showGrants({ grants }: Inspection): string | null {
  if (grants === null || grants.active === 0) return null;
  const unused = grants.unused === 0 ? '' : `, ${grants.unused} not used for ${UNUSED_DAYS} days`;
  return `${grants.active} active${unused}`;
}

function showMemories({ memories, oldest, newest }: Inspection): string | null {
  if (memories === null) return null;
  const times = oldest === null ? '' : `, from ${formatTime(oldest)} to ${formatTime(newest)}`;
  return `${memories}${times}`;
}

function showOriginals({ originals }: Inspection): string | null {
  if (originals === null || originals.count === 0) return null;
  const { count, bytes, stored } = originals;
  return `${count} of ${formatBytes(bytes)}, compressed to ${formatBytes(stored)}`;
}

function showSources(sources: NonNullable<Inspection['sources']>): string {
  const failed = sources.filter(({ result }) => result === 'failed').length;
  return `${sources.length}, ${failed} failed`;
}

function showDisk({ file_system, free }: Inspection): string | null {
  return free === null ? null : `${file_system ? `${file_system}, ` : ''}${formatBytes(free)} left`;
}

function showModes({ user, files: [file], folder }: Inspection): string | null {
  if (user === null || !file || !folder) return null;
  return `${formatMode(file)}, its folder ${formatMode(folder)}`;
}

/** Returns the facts for JSON: times as the API formats them, permissions as `chmod` takes them. */
export function toReportJson({
  refusal: _,
  keys_expiring,
  keys_unused,
  sources,
  ...known
}: Inspection) {
  return {
    ...known,
    keys_expiring: keys_expiring?.map(toJsonRecord) ?? null,
    keys_unused: keys_unused?.map(toJsonRecord) ?? null,
    sources: sources?.map(toJsonRecord) ?? null,
    oldest: toIsoTime(known.oldest),
    newest: toIsoTime(known.newest),
    files: known.files.map((file) => ({ ...file, mode: formatMode(file) })),
    folder: known.folder && { ...known.folder, mode: formatMode(known.folder) },
    version: VERSION,
    node,
    node_wanted: `>= ${OLDEST_NODE}`,
  };
}
