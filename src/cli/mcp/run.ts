// Runs the command mcp: on a database, on a gateway, or to print or write the configuration of a client.

import { resolve } from 'node:path';

import {
  clients,
  configurationOf,
  type AgentConnection,
  type ClientName,
  type Configuration,
} from '../../agents/clients/configuration.ts';
import { serveAgent } from '../../agents/stdio.ts';
import { createClient } from '../../client/index.ts';
import type { Api } from '../../contract/api.ts';
import { Failure } from '../../contract/failure.ts';
import { failure } from '../../contract/statuses.ts';
import { connectGateway } from '../../gateway/open.ts';
import { isPostgres, showDatabase } from '../../store/address.ts';
import { idOfChosen } from '../args/account.ts';
import type { Args } from '../args/args.ts';
import { notOneOf, UsageError } from '../args/parse.ts';
import { readTimezone } from '../args/values.ts';
import type { CommandResult } from '../command.ts';
import type { Context, Environment } from '../context.ts';
import { formatMessage } from '../exit.ts';
import { createLogger, type ProgramLog } from '../output/logger.ts';
import { printError } from '../output/print.ts';

/** The variable with the key of a gateway. */
const KEY = 'MEMORY_GATEWAY_KEY';

/** Serves until the client closes its end. Rejects with `UsageError` or `Refusal`. */
export async function runMcp(given: Args, context: Context): Promise<CommandResult> {
  const args = withoutEmpty(given);
  const url = args.text('url');
  const timezone = readTimezone(args.text('timezone'));
  const [printed, installed] = [args.text('print'), args.text('install')];
  if (printed !== undefined && installed !== undefined)
    throw new UsageError('Give either --print or --install.');
  if (printed !== undefined) return print(args, printed, context);
  if (installed !== undefined) return install(args, installed, context);
  const log = await createLogger(context.stderr, { level: 'info' });
  try {
    const { api, close } =
      url === undefined ? await openDatabase(args, log) : openRemote(url, context.env);
    // It serves all the same: a gateway that starts later is reached then, and agents tell people what a call says.
    const looking = new AbortController();
    if (url !== undefined) void sayIfUseless(api, looking.signal, context);
    try {
      await serve(context, api, { log, timezone, isLogged: args.flag('access-log') });
    } finally {
      looking.abort();
      await close();
    }
  } finally {
    await log.end();
  }
  return {};
}

/** An empty value counts as absent: clients fill in all options, from settings that may be empty. */
function withoutEmpty(args: Args): Args {
  return { ...args, text: (name) => args.text(name) || undefined };
}

interface Serving {
  readonly log: ProgramLog;
  readonly timezone: string;
  readonly isLogged: boolean;
}

async function serve(
  { stdin, stdout }: Context,
  api: Api,
  { log, timezone, isLogged }: Serving,
): Promise<void> {
  await serveAgent(
    { input: stdin.stream, output: stdout.stream },
    {
      context: (signal) => ({ api, now: Date.now(), timezone, signal }),
      report: (error) => {
        log.logger.error({ err: error }, 'call failed');
        return failure(500);
      },
      onCall: () => {},
      ...(isLogged && { onResult: (entry: object) => log.logger.info(entry, 'call') }),
    },
  );
}

/** Says in one sentence if the gateway does not answer, or refuses the key: clients keep it in the log of the server. */
async function sayIfUseless(
  api: Api,
  signal: AbortSignal,
  { stderr, env }: Context,
): Promise<void> {
  try {
    await api.memories.list({ limit: 1, fields: ['id'] }, { signal });
  } catch (error) {
    if (signal.aborted) return;
    if (!(error instanceof Failure)) throw error;
    const said = `Calls will fail until this is put right: ${error.detail}`;
    printError(stderr, `memory-gateway: ${formatMessage(said, env)}`);
  }
}

interface Opened {
  readonly api: Api;
  readonly close: () => Promise<void>;
}

async function openDatabase(args: Args, { logger }: ProgramLog): Promise<Opened> {
  const database = args.text('database');
  if (database === undefined)
    throw new UsageError('Give --url with the address of a gateway, or --database FILE.');
  const id = await idOfChosen(args);
  const gateway = await connectGateway({
    database,
    cacheBytes: 0,
    log: { error: logger.error.bind(logger), warn: logger.warn.bind(logger) },
  });
  return { api: gateway.as(id), close: async () => gateway.close() };
}

function openRemote(url: string, env: Environment): Opened {
  const apiKey = env[KEY]?.trim() ?? '';
  if (apiKey === '') throw new UsageError(`Put the key of the gateway into ${KEY}.`);
  try {
    return { api: createClient({ baseUrl: url, apiKey }), close: async () => {} };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new UsageError(
      error.message.startsWith('apiKey')
        ? `${KEY} holds no API key; it is one word, such as mem_….`
        : 'Give --url the http(s) address of a gateway without /v1 and /mcp, such as https://memories.example.',
    );
  }
}

/** What people call a client for short. */
const SHORT: Readonly<Record<string, ClientName>> = { claude: 'claude-desktop', code: 'vscode' };

/** Reads the name of a client. `takes` are the ones to choose from. */
function readClient(option: string, named: string, takes: readonly ClientName[]): ClientName {
  const client = Object.hasOwn(SHORT, named) ? SHORT[named] : named;
  if (isClient(client)) return client;
  throw notOneOf(option, takes, named);
}

function isClient(name: string | undefined): name is ClientName {
  return clients.includes(name as ClientName);
}

/** Where a client finds the memories: at the address of `--url`, or in the database. */
async function connectionOf(
  args: Args,
  client: ClientName,
  { program, env }: Context,
): Promise<AgentConnection> {
  const url = args.text('url');
  if (url !== undefined) {
    const key = args.text('install') === undefined ? undefined : env[KEY]?.trim();
    return { url, key, program };
  }
  // Before the database is needed.
  if (configurationOf(client, { args: [] }) === undefined)
    throw new UsageError(`${client} connects to an address; give --url and run "serve".`);
  return { args: await databaseArgs(args), program };
}

async function print(args: Args, named: string, context: Context): Promise<CommandResult> {
  const client = readClient('print', named, clients);
  const connection = await connectionOf(args, client, context);
  const { place, text } = configurationOf(client, connection) as Configuration;
  return { text, note: `Put this into ${place}.` };
}

async function install(args: Args, named: string, context: Context): Promise<CommandResult> {
  const [{ installClient }, { installable }] = await Promise.all([
    import('./install.ts'),
    import('./client-files.ts'),
  ]);
  const client = readClient('install', named, installable);
  if (args.text('url') !== undefined) openRemote(args.need('url'), context.env); // names a bad key or address
  const connection = await connectionOf(args, client, context);
  return installClient(client, connection, context.env);
}

/**
 * The options of the printed command. Clients start it in another folder, so a file needs its whole path.
 * The account is named even if it is the only one, because a second one may follow.
 */
async function databaseArgs(args: Args): Promise<string[]> {
  const database = args.need('database');
  // A printed text can be for another machine. What is written holds when the account is renamed.
  const typed = args.text('install') === undefined ? args.text('account') : undefined;
  const account = typed ?? (await idOfChosen(args));
  const timezone = args.text('timezone');
  return [
    '--database',
    isPostgres(database) ? showDatabase(database) : resolve(database),
    '--account',
    account,
    ...(timezone === undefined ? [] : ['--timezone', timezone]),
  ];
}
