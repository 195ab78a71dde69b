// The faults that a database file can have under a running server, and how to repair each.

import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, renameSync, rmdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';

import Database from 'better-sqlite3';

import { backUp } from '../../../src/store/sqlite/files/backup.ts';
import { SCHEMA_VERSION } from '../../../src/store/sqlite/migrations.ts';
import {
  createDatabase,
  openWriter,
  withFileWriterSync,
} from '../../../src/store/sqlite/writer.ts';
import { issued } from '../world/artifacts.ts';
import { memories, memory } from '../world/world.ts';

/** Two states of a database, each in a file of its own, and the file that is served. */
export interface Files {
  readonly served: string;
  readonly old: string;
  readonly next: string;
  readonly key: string;
}

/** The fault of the served file, which is in its old state at first. */
export interface Harm {
  readonly name: string;
  /** Causes the fault and returns its repair. */
  readonly harm: (files: Files) => () => void;
  /** The responses after the fault was noticed: from one of the two states, or 500. */
  readonly seen: 'old' | 'next' | 'nothing';
  /** The responses after the repair. */
  readonly mended: 'old' | 'next';
}

/** Creates both states in a folder, and serves the old one, through a symbolic link if wanted. */
export async function createFiles(folder: string, isLinked = false): Promise<Files> {
  const at = (name: string) => join(folder, name);
  const [old, next, real] = [at('old.db'), at('next.db'), at('real.db')];
  const served = isLinked ? at('linked.db') : real;
  createDatabase(real);
  const { key } = withFileWriterSync(real, (writer) => {
    writer.accounts.create({ id: 'ana', name: 'Ana', created_by: 'command line' });
    writer.memories.putAll('ana', memories(300, 1500)); // long enough for a streamed list
    return writer.keys.create({ account_id: 'ana', label: 'test', expires_at: null });
  });
  await backUp({ database: real, file: old });
  withFileWriterSync(real, (writer) => {
    const changed = memories(150, 1200).map((each) => ({ ...each, name: 'Next' }));
    writer.memories.putAll('ana', changed);
    for (let i = 200; i < 250; i++) writer.memories.delete('ana', `m${i}`);
  });
  await backUp({ database: real, file: next });
  rmSync(real);
  noLogs(real);
  for (const each of [old, next]) withFileWriterSync(each, () => {}); // switches to WAL mode, because backups are not in WAL mode
  copy(old, real);
  chmodSync(real, 0o600);
  if (isLinked) symlinkSync(real, served);
  return { served, old, next, key: issued(key) };
}

/**
 * Overwrites a file from another process. This process may have the file open, and closing it here
 * would drop its locks.
 */
function copy(from: string, to: string): void {
  execFileSync('cp', ['--', from, to]);
}

/** Replaces a file with a copy atomically. */
function replace(from: string, to: string): void {
  copy(from, `${to}.copy`);
  renameSync(`${to}.copy`, to);
}

function write(file: string, text: string): void {
  execFileSync('sh', ['-c', 'cat > "$1"', 'sh', file], { input: text });
}

/** Commits a change that stays in the write-ahead log. */
function commit(file: string, sql: string): void {
  const db = new Database(file);
  db.pragma('wal_autocheckpoint = 0');
  db.exec(sql);
  db.close();
}

const noLogs = (file: string) => {
  for (const end of ['-wal', '-shm']) rmSync(file + end, { force: true });
};

function overwritten(name: string, how: (served: string) => void): Harm {
  return {
    name,
    harm({ served, old }) {
      how(served);
      return () => copy(old, served);
    },
    seen: 'nothing',
    mended: 'old',
  };
}

/** The faults of a file that is served under its own name. */
export const HARMS: readonly Harm[] = [
  {
    name: 'is renamed away',
    harm({ served }) {
      renameSync(served, `${served}.away`);
      return () => renameSync(`${served}.away`, served);
    },
    seen: 'nothing',
    mended: 'old',
  },
  {
    name: 'is deleted with its logs',
    harm({ served, old }) {
      rmSync(served);
      noLogs(served);
      return () => replace(old, served);
    },
    seen: 'nothing',
    mended: 'old',
  },
  {
    name: 'is renamed away with its folder',
    harm({ served }) {
      const folder = dirname(served);
      renameSync(folder, `${folder}-away`);
      return () => renameSync(`${folder}-away`, folder);
    },
    seen: 'nothing',
    mended: 'old',
  },
  {
    name: 'is replaced by rename',
    harm({ served, old, next }) {
      replace(next, served);
      return () => replace(old, served);
    },
    seen: 'next',
    mended: 'old',
  },
  {
    name: 'is replaced by rename, and its write-ahead log stays',
    harm({ served, next }) {
      commit(served, `UPDATE accounts SET name = 'In the log'`);
      replace(next, served);
      return () => noLogs(served);
    },
    seen: 'nothing',
    mended: 'next',
  },
  {
    name: 'is overwritten by another database',
    harm({ served, old, next }) {
      copy(next, served);
      return () => copy(old, served);
    },
    seen: 'next',
    mended: 'old',
  },
  overwritten('is overwritten by a text', (file) => write(file, 'Dear diary, '.repeat(50_000))),
  overwritten('is emptied', (file) => write(file, '')),
  overwritten('is cut to its first hundred bytes', (file) =>
    execFileSync('truncate', ['-s', '100', file]),
  ),
  overwritten('is filled with zeros', (file) =>
    execFileSync('sh', ['-c', 'head -c 1000000 /dev/zero > "$1"', 'sh', file]),
  ),
  {
    name: 'is replaced by a folder',
    harm({ served, old }) {
      rmSync(served);
      mkdirSync(served);
      return () => {
        rmdirSync(served);
        replace(old, served);
      };
    },
    seen: 'nothing',
    mended: 'old',
  },
  {
    name: 'is replaced by a broken link',
    harm({ served }) {
      renameSync(served, `${served}.away`);
      symlinkSync(`${served}.nothing`, served);
      return () => renameSync(`${served}.away`, served);
    },
    seen: 'nothing',
    mended: 'old',
  },
  {
    name: 'is replaced by a database of another program',
    harm({ served, old }) {
      rmSync(served);
      noLogs(served);
      commit(served, 'CREATE TABLE notes (text)');
      return () => replace(old, served);
    },
    seen: 'nothing',
    mended: 'old',
  },
  {
    name: 'loses its write-ahead log, and is written afterwards',
    harm({ served }) {
      noLogs(served);
      const writer = openWriter(served);
      writer.memories.put('ana', memory({ id: 'm300', name: 'After' }));
      writer.memories.delete('ana', 'm300');
      writer.close();
      return () => {};
    },
    seen: 'old',
    mended: 'old',
  },
  ...(['an older', 'a newer'] as const).map((which) => ({
    name: `gets ${which} schema`,
    harm({ served }: Files) {
      const version = SCHEMA_VERSION + (which === 'a newer' ? 1 : -1);
      commit(served, `PRAGMA user_version = ${version}`);
      return () => commit(served, `PRAGMA user_version = ${SCHEMA_VERSION}`);
    },
    seen: 'nothing' as const,
    mended: 'old' as const,
  })),
  ...(
    [
      ['a column', 'memories RENAME COLUMN slim TO thin', 'memories RENAME COLUMN thin TO slim'],
      ['a table', 'search_weeks RENAME TO weeks', 'weeks RENAME TO search_weeks'],
    ] as const
  ).map(([what, there, back]) => ({
    name: `loses ${what}`,
    harm({ served }: Files) {
      commit(served, `ALTER TABLE ${there}`);
      return () => commit(served, `ALTER TABLE ${back}`);
    },
    seen: 'nothing' as const,
    mended: 'old' as const,
  })),
  {
    name: 'is migrated by a newer program',
    harm({ served }) {
      commit(
        served,
        `BEGIN; ALTER TABLE memories RENAME TO recordings; ALTER TABLE api_keys DROP COLUMN last_four; PRAGMA user_version = 99; COMMIT`,
      );
      return () =>
        commit(
          served,
          `BEGIN; ALTER TABLE recordings RENAME TO memories; ALTER TABLE api_keys ADD COLUMN last_four TEXT NOT NULL DEFAULT '0000'; PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT`,
        );
    },
    seen: 'nothing',
    mended: 'old',
  },
];

/** The faults of a symbolic link to the served file. */
export const LINK_HARMS: readonly Harm[] = [
  {
    name: 'is a link, and gets another target',
    harm({ served, next }) {
      const back = join(dirname(served), 'real.db');
      point(served, next);
      return () => point(served, back);
    },
    seen: 'next',
    mended: 'old',
  },
];

function point(link: string, to: string): void {
  symlinkSync(to, `${link}.new`);
  renameSync(`${link}.new`, link);
}
