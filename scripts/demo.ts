// npm run demo: a database filled from fixtures/, served, with curl lines ready to paste.

import * as v from 'valibot';

import { parseStrictly } from '../src/cli/args.ts';
import { runToExit } from '../src/cli/exit.ts';
import { createLogger } from '../src/cli/logger.ts';
import { serve, type ServeOptions } from '../src/cli/serve.ts';
import { readPort } from '../src/cli/values.ts';
import { Memory } from '../src/contract/memory.ts';
import { Refusal } from '../src/store/refusal.ts';
import { openStore } from '../src/store/sqlite.ts';
import type { Writer } from '../src/store/writer.ts';
import { fill, openSeeded } from './fill.ts';
import { readFixtures } from './fixtures.ts';

/** The account whose memories the curl lines read. */
const SHOWN = 'mira';

const KEY_LIFE_MS = 30 * 86_400_000;

process.exitCode = await runToExit('demo', async () => {
  const text = { type: 'string' } as const;
  const { values } = parseStrictly({ options: { database: text, port: text } });
  const database = values.database || 'demo.db';
  const accounts = prepare(database);
  const log = await createLogger(2, 'warn'); // stdout is for the lines to paste
  const wanted = readPort(values.port || process.env['PORT'] || '8787');
  const options = { database, host: '127.0.0.1', port: wanted, log };
  const url = await serveOnFreePort(options);
  if (wanted !== 0 && !url.endsWith(`:${wanted}`))
    process.stdout.write(`Port ${wanted} is in use, so this is another.\n`);
  process.stdout.write(show(url, database, accounts));
  return 0;
});

interface DemoAccount {
  readonly id: string;
  readonly name: string;
  readonly memories: number;
  readonly key: string;
}

/** Fills a new database from fixtures/; whether new or not, issues a key for every account that is open. */
function prepare(database: string): DemoAccount[] {
  const writer = openSeeded(database);
  try {
    if (writer.accounts.list().length === 0) fill(writer, readFixtures(), () => {});
    return writer.accounts
      .list()
      .filter(({ disabled_at }) => disabled_at === null)
      .map(({ id, name, memories }) => ({ id, name, memories, key: issueKey(writer, id) }));
  } finally {
    writer.close();
  }
}

function issueKey(writer: Writer, account_id: string): string {
  return writer.keys.create({ account_id, label: 'demo', expires_at: Date.now() + KEY_LIFE_MS })
    .key;
}

async function serveOnFreePort(options: ServeOptions): Promise<string> {
  for (let port = options.port; ; port++) {
    try {
      return await serve({ ...options, port });
    } catch (error) {
      const isTaken =
        error instanceof Refusal && (error.cause as NodeJS.ErrnoException)?.code === 'EADDRINUSE';
      if (!isTaken || port >= options.port + 100) throw error;
    }
  }
}

function show(url: string, database: string, accounts: readonly DemoAccount[]): string {
  const total = accounts.reduce((sum, { memories }) => sum + memories, 0);
  const shown = accounts.find(({ id }) => id === SHOWN) ?? accounts[0];
  if (shown === undefined)
    throw new Refusal(`${database} has no open account; remove it and try again.`);
  const curl = `curl -s -H 'Authorization: Bearer ${shown.key}'`;
  return [
    `Memory Gateway serves ${total} memories of ${accounts.length} accounts at ${url} from ${database}.`,
    '',
    `The newest memories of ${shown.name}, and one of them:`,
    '',
    `${curl} '${url}/v1/memories?limit=3'`,
    `${curl} '${url}/v1/memories/${newestFinished(database, shown.id)}'`,
    '',
    'Keys of the accounts, good for 30 days:',
    ...accounts.map(({ name, key }) => `  ${key}  ${name}`),
    '',
    'Press Ctrl-C to stop.',
    '',
  ].join('\n');
}

/** The id of the newest memory that is not being processed any more. */
function newestFinished(database: string, account_id: string): string {
  const store = openStore(database);
  try {
    const { items } = store.items({ account_id, order: 'desc', limit: 20 }, Infinity);
    const memories = items.map(({ body }) =>
      v.parse(Memory, JSON.parse(new TextDecoder().decode(body))),
    );
    return memories.find(({ is_processing }) => !is_processing)?.id ?? 'ID';
  } finally {
    store.close();
  }
}
