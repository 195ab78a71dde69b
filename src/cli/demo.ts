// demo: a database filled from fixtures/, served, with curl lines ready to paste.

import { accessSync, constants, mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { Refusal } from '../store/refusal.ts';
import { isMissing } from '../store/sqlite/file.ts';
import type { Writer } from '../store/writer.ts';
import { none } from './accounts.ts';
import type { Command } from './command.ts';
import { chooseShown, showCurl, type DemoAccount } from './curl.ts';
import { needFile } from './file.ts';
import { fill, withSeeded } from './fill.ts';
import { readFixtures } from './fixtures.ts';
import type { ServeOptions } from './listen.ts';
import { createLogger } from './logger.ts';
import { serve } from './serve.ts';
import { readPort } from './values.ts';

const KEY_LIFE_MS = 30 * 86_400_000;

const FILE = 'demo.db';

/** Serves a demo database, made if there is none, until a signal ends it. */
export const demoCommand: Command = {
  summary: 'serve a demo database, made if there is none, and print curl lines with a working key',
  options: ['database', 'port', 'json'],
  own: {
    // Not from the environment: that names a database of one's own.
    database: {
      value: 'FILE',
      help: `the SQLite file (else ${FILE} here, or with this user's data where nothing can be written here)`,
    },
  },
  says: { port: 'the port to listen on, or the next free one' },
  run: async (args) => {
    none(args);
    const port = readPort(args.need('port'));
    const isNamed = args.text('database') !== undefined;
    const database = isNamed
      ? needFile(
          args,
          'fill a database with "memory-gateway import", and serve it with "memory-gateway serve"',
        )
      : await findPlace();
    const accounts = await prepare(database);
    const log = await createLogger(2, 'warn'); // stdout is for the lines to paste
    const shown = chooseShown(database, accounts);
    const url = await serveOnFreePort({ database, host: '127.0.0.1', port, log });
    const isOther = port !== 0 && !url.endsWith(`:${port}`);
    return {
      text:
        (isOther ? `Port ${port} is in use; ${url} is not.\n\n` : '') +
        showCurl({ url, database, accounts, shown }),
      json: { url, database, accounts },
    };
  },
};

/** Finds where the demo's database is to be: here, or with the data of this user. Fails with `Refusal`. */
async function findPlace(): Promise<string> {
  if (isWritable('.')) return FILE;
  let data = 'a folder of this user';
  try {
    const { default: envPaths } = await import('env-paths'); // for those who run it from elsewhere
    ({ data } = envPaths('memory-gateway', { suffix: '' }));
    mkdirSync(data, { recursive: true, mode: 0o700 });
    return join(data, FILE);
  } catch (cause) {
    const why = `nothing can be written here or in ${data}`;
    throw new Refusal(`There is no place for the demo, as ${why}; name one with --database.`, {
      cause,
    });
  }
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Makes the database if there is none, finishes what was cut short, and issues a key for every open account. */
function prepare(database: string): Promise<DemoAccount[]> {
  const fixtures = readFixtures();
  return withSeeded(database, isMissing(database) ? fixtures : [], async (writer) => {
    const there = await writer.accounts.list();
    const counts = new Map(there.map(({ id, memories }) => [id, memories]));
    const cutShort = fixtures.filter(({ id, count }) => (counts.get(id) ?? count) < count);
    await fill(writer, cutShort);
    const accounts: DemoAccount[] = [];
    for (const { id, name, memories, disabled_at } of await writer.accounts.list())
      if (disabled_at === null)
        accounts.push({ id, name, memories, key: await issueKey(writer, id) });
    return accounts;
  });
}

async function issueKey({ keys }: Writer, account_id: string): Promise<string> {
  const expires_at = Date.now() + KEY_LIFE_MS;
  return (await keys.create({ account_id, label: 'demo', expires_at })).key;
}

async function serveOnFreePort(options: ServeOptions): Promise<string> {
  const last = Math.min(options.port + 100, 65_535);
  for (let port = options.port; ; port++) {
    try {
      return await serve({ ...options, port });
    } catch (error) {
      const isTaken =
        error instanceof Refusal && (error.cause as NodeJS.ErrnoException)?.code === 'EADDRINUSE';
      if (!isTaken || port === last) throw error;
    }
  }
}
