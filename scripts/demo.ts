// npm run demo: a database filled from fixtures/, served, with curl lines ready to paste.

import { parseStrictly } from '../src/cli/args.ts';
import { runToExit } from '../src/cli/exit.ts';
import type { ServeOptions } from '../src/cli/listen.ts';
import { createLogger } from '../src/cli/logger.ts';
import { print } from '../src/cli/print.ts';
import { serve } from '../src/cli/serve.ts';
import { readPort } from '../src/cli/values.ts';
import { isMissing } from '../src/store/file.ts';
import { Refusal } from '../src/store/refusal.ts';
import { openStore } from '../src/store/sqlite.ts';
import type { Writer } from '../src/store/writer.ts';
import { fill, withSeeded } from './fill.ts';
import { readFixtures } from './fixtures.ts';

/** The account whose memories the curl lines read, and a word that comes up in some of them. */
const SHOWN = 'mira';
const WORD = 'fridge';

const KEY_LIFE_MS = 30 * 86_400_000;

const HELP = `Serves a demo database, made from fixtures/ if there is none, and prints curl lines with a working key.

Usage: npm run demo -- [OPTIONS]

  --database FILE  the SQLite file (else demo.db)
  --port PORT      the port to listen on, or the next free one (else $MEMORY_GATEWAY_PORT, $PORT, 8787)
  --help           show this
`;

process.exitCode = await runToExit('demo', async () => {
  const text = { type: 'string' } as const;
  const options = { database: text, port: text, help: { type: 'boolean' } } as const;
  const { values } = parseStrictly({ options });
  if (values.help) {
    print(HELP.trimEnd());
    return 0;
  }
  const { MEMORY_GATEWAY_PORT, PORT } = process.env;
  const port = readPort(values.port || MEMORY_GATEWAY_PORT || PORT || '8787');
  const database = values.database || 'demo.db';
  const accounts = prepare(database);
  const log = await createLogger(2, 'warn'); // stdout is for the lines to paste
  const shown = chooseShown(database, accounts);
  const url = await serveOnFreePort({ database, host: '127.0.0.1', port, log });
  if (port !== 0 && !url.endsWith(`:${port}`)) print(`Port ${port} is in use; ${url} is not.\n`);
  print(show({ url, database, accounts, shown }));
  return 0;
});

interface DemoAccount {
  readonly id: string;
  readonly name: string;
  readonly memories: number;
  readonly key: string;
}

/** Makes the database if there is none, finishes what was cut short, and issues a key for every open account. */
function prepare(database: string): DemoAccount[] {
  const fixtures = readFixtures();
  return withSeeded(database, isMissing(database) ? fixtures : [], (writer) => {
    const counts = new Map(writer.accounts.list().map(({ id, memories }) => [id, memories]));
    const cutShort = fixtures.filter(({ id, count }) => (counts.get(id) ?? count) < count);
    fill(writer, cutShort);
    return writer.accounts
      .list()
      .filter(({ disabled_at }) => disabled_at === null)
      .map(({ id, name, memories }) => ({ id, name, memories, key: issueKey(writer, id) }));
  });
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

interface Shown {
  readonly url: string;
  readonly database: string;
  readonly accounts: readonly DemoAccount[];
  readonly shown: DemoAccount;
}

function show({ url, database, accounts, shown }: Shown): string {
  const total = accounts.reduce((sum, { memories }) => sum + memories, 0);
  const curl = `curl -s -H 'Authorization: Bearer ${shown.key}'`;
  return [
    `Memory Gateway serves ${total} memories of ${accounts.length} accounts at ${url} from ${database}.`,
    '',
    `The newest memories of ${shown.name}, one of them, and the names of those with "${WORD}" in them:`,
    '',
    `${curl} '${url}/v1/memories?limit=3'`,
    `${curl} '${url}/v1/memories/${newestFinished(database, shown.id)}'`,
    `${curl} '${url}/v1/memories?q=${WORD}&fields=name'`,
    '',
    'Keys of the accounts, good for 30 days:',
    ...accounts.map(({ name, key }) => `  ${key}  ${name}`),
    '',
    `The API as a page, to try with one of them: ${url}/docs`,
    '',
    'Press Ctrl-C to stop.',
  ].join('\n');
}

/** The account whose memories are shown. Fails with `Refusal` when none has any. */
function chooseShown(database: string, accounts: readonly DemoAccount[]): DemoAccount {
  const withMemories = accounts.filter(({ memories }) => memories > 0);
  const shown = withMemories.find(({ id }) => id === SHOWN) ?? withMemories[0];
  if (shown !== undefined) return shown;
  throw new Refusal(`${database} has no memory to show; name another file with --database.`);
}

/** The id of the newest memory that is not being processed any more, or of the newest. */
function newestFinished(database: string, account_id: string): string {
  const store = openStore(database);
  try {
    const newest = { account_id, order: 'desc', bytes: 'slim', limit: 1 } as const;
    const { items } = store.positions({ ...newest, is_processing: false });
    return (items[0] ?? store.positions(newest).items[0])?.id ?? '';
  } finally {
    store.close();
  }
}
