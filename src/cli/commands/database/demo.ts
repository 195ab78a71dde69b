// demo: creates a database of sample data, serves it, and prints curl commands that work.

import { accessSync, constants, existsSync } from 'node:fs';
import { join } from 'node:path';

import { shellWord } from '../../../lib/shell.ts';
import { DAY_MS } from '../../../lib/time.ts';
import { commandOn } from '../../../store/address.ts';
import { engineOf, openStore } from '../../../store/engines.ts';
import { Refusal } from '../../../store/refusal.ts';
import { UsageError } from '../../args/parse.ts';
import { requireSqliteFile } from '../../args/postgres.ts';
import { readHost, readPort } from '../../args/values.ts';
import type { Command } from '../../command.ts';
import type { Environment } from '../../context.ts';
import { createDataFolder } from '../../data-folder.ts';
import { isUnderNpm, nameProgram, ownProgram } from '../../exit.ts';
import { createLogger } from '../../output/logger.ts';
import { reachedBy, warnAboutOptions } from '../../serve/listen/listen.ts';
import { unixPathOf } from '../../serve/listen/unix-socket.ts';
import { otherPort, serveOnFreePort } from '../../serve/start/free-port.ts';
import { createLinkSecret, localUrl } from '../../serve/start/links.ts';
import { signInLink } from '../accounts/sign-in.ts';
import { readFixtures, withSeedDatabase, writeMemories } from './seed.ts';

/** The account that the curl commands read, and a word that some of its memories contain. */
const SHOWN_ACCOUNT = 'mira';
const SHOWN_WORD = 'fridge';

// A sample that only a clone has, to try an import.
const SAMPLE = 'fixtures/samples/omi';

/** An account of the demo, with a key. */
interface DemoAccount {
  readonly id: string;
  readonly name: string;
  readonly memories: number;
  readonly key: string;
}

/** A running demo, and the account that its curl commands read. */
interface RunningDemo {
  readonly url: string;
  readonly database: string;
  readonly accounts: readonly DemoAccount[];
  readonly shown: DemoAccount;
  /** The link that signs a browser in as the shown account. */
  readonly link: string;
  /** What people type to begin with memories of their own. */
  readonly start: string;
}

/** Formats what the demo prints once it listens. */
function demoText({ url, database, accounts, shown, link, start }: RunningDemo): string {
  const total = accounts.reduce((sum, { memories }) => sum + memories, 0);
  const sample = commandOn(database, `import ${SAMPLE} --account ${shellWord(shown.id)}`);
  const again = commandOn(database, `sign-in ${shellWord(shown.id)}${reachedBy(url)}`);
  const curl = `curl -s -H 'Authorization: Bearer ${shown.key}'`;
  return [
    `Open this link to read as ${shown.name} in a browser. It works once, within 10 minutes:`,
    '',
    `  ${link}`,
    '',
    `Create another link: ${again}`,
    '',
    `Memory Gateway serves ${total} memories of ${accounts.length} accounts at ${url} from ${database}.`,
    '',
    `Read ${shown.name}'s newest memories, one of them, and the names of those that contain "${SHOWN_WORD}":`,
    '',
    `${curl} '${url}/v1/memories?limit=3'`,
    `${curl} '${url}/v1/memories/${newestFinished(database, shown.id)}'`,
    `${curl} '${url}/v1/memories?q=${SHOWN_WORD}&fields=name'`,
    '',
    'API keys of the accounts, revoked when you stop the demo:',
    ...accounts.map(({ name, key }) => `  ${key}  ${name}`),
    '',
    ...(existsSync(SAMPLE) ? [`Import a sample: ${sample}`, ''] : []),
    `Try the API in a browser: ${url}/docs`,
    '',
    `The demo imports, renames and deletes nothing in the browser. For your own memories, run: ${start}`,
    '',
    'Press Ctrl+C to stop.',
  ].join('\n');
}

/** Returns the command that begins with memories of one's own, as people type it. */
function startCommand(env: Environment): string {
  return isUnderNpm(env) ? 'npm start' : 'memory-gateway start';
}

/** Returns the account that the curl commands read. Throws `Refusal` if no account has memories. */
function chooseDemoAccount(database: string, accounts: readonly DemoAccount[]): DemoAccount {
  const withMemories = accounts.filter(({ memories }) => memories > 0);
  const shown = withMemories.find(({ id }) => id === SHOWN_ACCOUNT) ?? withMemories[0];
  if (shown !== undefined) return shown;
  throw new Refusal(`${database} has no memory to show; name another file with --database.`);
}

/** Returns the id of the newest memory that is not being processed, otherwise of the newest. */
function newestFinished(database: string, account_id: string): string {
  const store = openStore(database);
  try {
    const newest = { account_id, order: 'desc', projection: 'slim', limit: 1 } as const;
    const { items } = store.positions({ ...newest, is_processing: false });
    return (items[0] ?? store.positions(newest).items[0])?.id ?? '';
  } finally {
    store.close();
  }
}

/** A demo that is killed cannot revoke its keys, so they expire as well. */
const KEY_LIFETIME_MS = 30 * DAY_MS;

const FILE = 'demo.db';

/** Serves a demo database until a signal stops it. */
export const demoCommand: Command = {
  summary: 'Serve sample data, with a link to the web app',
  about:
    'Creates the database if there is none, in this folder or, if that is read-only, in your data folder. Also prints curl commands that work. Ctrl+C revokes the API keys; otherwise they expire after 30 days.',
  options: ['database', 'host', 'port', 'json'],
  overrides: {
    // MEMORY_GATEWAY_DATABASE names a database of your own, so the demo does not read it.
    database: {
      value: 'FILE',
      env: [],
      default: undefined,
      unset: FILE,
      help: 'SQLite file of the demo',
    },
    host: { help: 'Address to listen on, such as 0.0.0.0 in a container' },
    port: { help: 'Port to listen on; the next free one if it is in use' },
  },
  examples: [
    ['Try the program', 'memory-gateway demo'],
    ['Print the address and the keys as JSON', 'memory-gateway demo --json'],
  ],
  run: async (args, context) => {
    const host = readHost(args.need('host'));
    if (unixPathOf(host) !== undefined)
      throw new UsageError(
        'The demo takes an address in --host, because its curl commands need a port.',
      );
    const port = readPort(args.need('port'));
    const instead = 'use "memory-gateway import" and "memory-gateway serve"';
    const isNamed = args.text('database') !== undefined;
    const database = isNamed
      ? (await requireSqliteFile(args, instead)).database
      : await choosePath();
    const issued = await prepare(database);
    const accounts = issued.map(({ key_id: _, ...account }) => account);
    const log = await createLogger(context.stderr, { level: 'warn' }); // stdout is for the commands to paste
    const shown = chooseDemoAccount(database, accounts);
    const start = startCommand(context.env);
    const onStopped = () => revokeKeys(database, issued);
    const options = {
      database,
      host,
      port,
      log,
      app: { ...ownProgram(context, database), startCommand: start },
      onStopped,
    };
    const serving = await serveOnFreePort(context, options);
    warnAboutOptions(log.logger, serving.url, options);
    const url = localUrl(serving.url);
    const link = signInLink(url, await createLinkSecret(database, shown.id));
    return {
      text:
        otherPort(port, url) +
        nameProgram(demoText({ url, database, accounts, shown, link, start }), context.env),
      json: { url, link, database, accounts },
      running: serving.running,
    };
  },
};

/** Chooses where the demo's database is: here, or in this user's data folder. Rejects with `Refusal`. */
async function choosePath(): Promise<string> {
  try {
    accessSync('.', constants.W_OK);
    return FILE;
  } catch {
    // read-only
  }
  try {
    return join(await createDataFolder(), FILE);
  } catch (cause) {
    throw new Refusal(
      'The demo cannot create its database: neither this folder nor your data folder is writable; name a file with --database.',
      { cause },
    );
  }
}

interface IssuedAccount extends DemoAccount {
  readonly key_id: string;
}

/** Creates the database if there is none, completes one that was interrupted, and issues a key for each enabled account. */
async function prepare(database: string): Promise<IssuedAccount[]> {
  const fixtures = readFixtures();
  const isMissing = (await engineOf(database).file?.())?.isMissing() ?? false;
  return withSeedDatabase(database, isMissing ? fixtures : [], async (writer) => {
    const existing = await writer.accounts.list();
    const counts = new Map(existing.map(({ id, memories }) => [id, memories]));
    const incomplete = fixtures.filter(({ id, count }) => (counts.get(id) ?? count) < count);
    await writeMemories(writer, incomplete);
    const issued: IssuedAccount[] = [];
    for (const { id, name, memories, disabled_at } of await writer.accounts.list()) {
      if (disabled_at !== null) continue;
      const expires_at = Date.now() + KEY_LIFETIME_MS;
      const newKey = { account_id: id, label: 'demo', expires_at };
      const { key, id: key_id } = await writer.keys.create(newKey);
      issued.push({ id, name, memories, key, key_id });
    }
    return issued;
  });
}

/** Revokes the keys of a demo that stopped, so that they do not pile up. The file may be gone by then, or an account with its key. */
async function revokeKeys(database: string, issued: readonly IssuedAccount[]): Promise<void> {
  try {
    await engineOf(database).withWriter(async ({ keys }) => {
      const left = new Set((await keys.list()).map(({ id }) => id));
      for (const { key_id } of issued) if (left.has(key_id)) await keys.revoke(key_id);
    });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
}
