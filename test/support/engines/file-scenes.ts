// Accounts in SQLite files that random histories write, back up and restore.

import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

import Database from 'better-sqlite3';

import { openGateway } from '../../../src/gateway/open.ts';
import { engineOf } from '../../../src/store/engines.ts';
import { createDatabase, openWriter } from '../../../src/store/sqlite/writer.ts';
import type { Scene } from '../model/feed-history.ts';
import { issued } from '../world/artifacts.ts';

const IN_MEMORY = '/dev/shm'; // as Linux has it: histories write thousands of times

/** Returns a function that runs work on an account in a file of its own. */
export function createFileScenes(t: TestContext) {
  const root = existsSync(IN_MEMORY) ? IN_MEMORY : tmpdir();
  const folder = mkdtempSync(join(root, 'memory-gateway-test-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const template = join(folder, 'template.db');
  let key = '';
  createDatabase(template, ({ accounts, keys }) => {
    accounts.create({ id: 'ana', name: 'Ana', created_by: 'command line' });
    ({ key } = keys.create({ account_id: 'ana', label: 'test', expires_at: null }));
  });
  issued(key);
  return async <T>(work: (scene: Scene) => Promise<T>): Promise<T> => {
    const own = mkdtempSync(join(folder, 'history-'));
    const { scene, close } = open(own, template, key);
    try {
      return await work(scene);
    } finally {
      await close();
      rmSync(own, { recursive: true });
    }
  };
}

/** Opens a file: a gateway on it, and two writers with connections of their own. */
function openAll(database: string) {
  const gateway = openGateway({ database });
  const writers = [openWriter(database), openWriter(database)];
  const close = async () => {
    for (const writer of writers) writer.close();
    await gateway.close();
  };
  return { database, gateway, writers, close };
}

/** Copies a database with SQLite's backup API, as `backup` and `restore` do. */
async function copyPages(from: string, to: string): Promise<void> {
  const db = new Database(from, { readonly: true });
  await db.backup(to);
  db.close();
}

function open(folder: string, template: string, key: string) {
  const first = join(folder, '0.db');
  copyFileSync(template, first);
  let now = openAll(first);
  let files = 0;

  async function move(to: string): Promise<void> {
    await now.close();
    now = openAll(to);
  }

  const restores = {
    /** By the program's own `restore`, which verifies the backup first. */
    byCommand: async (file: string) => {
      await (await engineOf(now.database).file?.())?.restore({ file, discard: true });
    },
    /** Into the file that is served and written: the same without the verification, which takes the longest. */
    inPlace: (file: string) => copyPages(file, now.database),
    /** Into the file that is served, with new programs afterwards. */
    withRestart: async (file: string) => {
      await copyPages(file, now.database);
      await move(now.database);
    },
    /** As another file. */
    asCopy: async (file: string) => {
      const copy = join(folder, `${++files}.db`);
      copyFileSync(file, copy);
      await move(copy);
    },
  };
  const ways = Object.values(restores);

  const scene: Scene = {
    account_id: 'ana',
    key,
    send: (request) => now.gateway.fetch(request),
    writers: () => now.writers,
    database: () => now.database,
    async backUp() {
      const file = join(folder, `${++files}.backup.db`);
      await copyPages(now.database, file);
      return async (way) => ways[way % ways.length]?.(file);
    },
  };
  return { scene, close: () => now.close() };
}
