// The web app in serve: its options, and the addresses at which browsers can reach it.

import { isIPv4, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';

import type { Logger } from 'pino';

import type { AppOptions } from '../../app/server/app-parts.ts';
import type { CreateConnector } from '../../app/server/connector.ts';
import { engineOf } from '../../store/engines.ts';
import { Refusal } from '../../store/refusal.ts';
import type { Args } from '../args/args.ts';
import { UsageError } from '../args/parse.ts';
import { readBaseUrl, readSize, readWord } from '../args/values.ts';
import type { Context } from '../context.ts';
import { ownProgram } from '../exit.ts';
import type { Embedder, EmbedderOptions } from './imports/embedder.ts';
import type { JobRunner } from './jobs/run-jobs.ts';
import { keptAt } from './kept.ts';
import { unixPathOf } from './listen/unix-socket.ts';

/** Reads the options of the web app. Returns false if it is off. Throws `UsageError`. */
export async function readApp(args: Args, context: Context): Promise<AppOptions | false> {
  const text = readWord('app', args.need('app').toLowerCase(), ['on', 'read-only', 'off']);
  const connects = args.flag('connect');
  if (text === 'off') {
    if (connects)
      throw new UsageError(
        '--connect needs the web app, where the owner allows a client; leave --app off out.',
      );
    return false;
  }
  const [signInHeader, signOutUrl] = [args.text('sign-in-header'), args.text('sign-out-url')];
  if (signInHeader !== undefined && !/^[!#$%&'*+.^_`|~\w-]{1,100}$/.test(signInHeader))
    throw new UsageError('--sign-in-header takes the name of a header, such as Remote-User.');
  if (signInHeader !== undefined && !args.text('proxy'))
    throw new UsageError(
      '--sign-in-header needs --proxy with the addresses of your proxies; otherwise anyone could send it.',
    );
  if (signOutUrl !== undefined && !/^(?:https?:\/)?\/[^/\\]/.test(signOutUrl) && signOutUrl !== '/')
    throw new UsageError('--sign-out-url takes an http or https URL, or a path.');
  const connect = connects ? await loadConnector(args) : undefined;
  return {
    signInHeader,
    signOutUrl,
    ...ownProgram(context, args.need('database')),
    kept: keptAt(args.need('database')),
    connect,
    keyLog: !args.flag('no-key-log'),
  };
}

/** Loads what connects OAuth clients, which few gateways do. Throws `UsageError` if nobody could reach it safely. */
async function loadConnector(args: Args): Promise<CreateConnector> {
  const { connectAddresses } = await import('../../connect/addresses.ts');
  try {
    connectAddresses(readBaseUrl(args.text('base-url')));
  } catch (error) {
    throw error instanceof Refusal ? new UsageError(error.message) : error;
  }
  const { createConnector } = await import('../../connect/connector.ts');
  return createConnector();
}

/** Returns whether deleted memories stay in the bin for some time. Throws `UsageError`. */
export function readBin(args: Args): boolean {
  return readWord('bin', args.need('bin').toLowerCase(), ['on', 'off']) === 'on';
}

interface ServedOptions {
  readonly context: Context;
  readonly logger: Logger;
  readonly jobs: JobRunner;
}

/**
 * Opens what owners write with in the app as the options of serve say: nothing if it is read-only. All but shares are
 * commands with the address of the server, so its user needs to be one who may write memories.
 */
export async function openServedWrites(
  args: Args,
  served: ServedOptions,
): Promise<Partial<Awaited<ReturnType<typeof openWrites>>> | undefined> {
  const hasBin = readBin(args);
  if (args.need('app').toLowerCase() !== 'on') return undefined;
  const maxBytes = readSize('max-upload', args.need('max-upload'));
  const database = args.need('database');
  if (!(await engineOf(database).mayImport())) return { shares: true };
  return openWrites({ ...served, database, maxBytes, hasBin });
}

interface WritesOptions extends ServedOptions {
  readonly database: string;
  /** The most bytes of an import. */
  readonly maxBytes: number;
  /** Whether deleted memories stay in the bin for some time. */
  readonly hasBin: boolean;
}

/** Opens what owners write with in the app: imports, edits, deletions, sources and shares. */
export async function openWrites(options: WritesOptions) {
  const { context, logger, jobs, database, maxBytes, hasBin } = options;
  const [{ createImports }, { createChanges }, { createSources }] = await Promise.all([
    import('./imports/imports.ts'),
    import('./imports/changes.ts'),
    import('./jobs/app-sources.ts'),
  ]);
  const warn = (fields: object, message: string) => logger.warn(fields, message);
  const embedder = await openEmbedder({ context, database, warn });
  const onWritten = embedder?.add;
  const imports = await createImports({ context, database, maxBytes, onWritten });
  const changes = createChanges({ context, database, hasBin, warn, onWritten });
  const close = async () => {
    await changes.close();
    await imports.close();
    await embedder?.close();
  };
  const sources = await createSources({ database, jobs });
  return { imports, changes, sources, shares: true, close };
}

/** Opens what makes the vectors of what owners write, if the environment names an endpoint. */
async function openEmbedder(options: EmbedderOptions): Promise<Embedder | undefined> {
  const { env } = options.context;
  if ((env['MEMORY_GATEWAY_EMBEDDINGS'] ?? 'off') === 'off') return undefined;
  const { createEmbedder } = await import('./imports/embedder.ts');
  return createEmbedder(options);
}

/** Where a gateway listens, and its base URL or path. */
export interface ListenAddress {
  readonly baseUrl: string;
  readonly host: string;
  readonly port: number;
}

const ALL = new Set(['0.0.0.0', '::', '[::]', '*', '']);

/**
 * Returns the addresses of a gateway without a slash at the end: its base URL, otherwise its host. If it listens
 * on all addresses, these are the addresses of this machine, never `0.0.0.0`. Throws `Refusal` if only a proxy
 * knows the address.
 */
export function appAddresses({ baseUrl, host, port }: ListenAddress): string[] {
  if (/^https?:/i.test(baseUrl)) return [baseUrl];
  if (unixPathOf(host) !== undefined)
    throw new Refusal(
      'The gateway listens on a Unix socket, so only its proxy knows its address; pass it with --base-url.',
    );
  const own = host === '0.0.0.0' ? ownAddresses().filter(isIPv4) : ownAddresses();
  const hosts = ALL.has(host) ? ['127.0.0.1', ...own] : [host];
  return hosts.map((each) => `http://${isIPv6(each) ? `[${each}]` : each}:${port}${baseUrl}`);
}

/** Returns the addresses of a gateway that listens at a URL, for the page about other devices. */
export function deviceAddresses(url: string, baseUrl = ''): string[] {
  const listens = URL.parse(url);
  if (!/^https?:/i.test(baseUrl) && listens?.protocol !== 'http:') return []; // only its proxy knows
  return appAddresses({ baseUrl, host: listens?.hostname ?? '', port: Number(listens?.port) });
}

/** Networks between containers and virtual machines of this machine, which no other device is in. */
const VIRTUAL = /^(?:docker|br-|veth|virbr|vmnet|vboxnet|cni|flannel)/;

/** Link-local addresses need a zone, which browsers do not take. */
function ownAddresses(): string[] {
  return Object.entries(networkInterfaces())
    .flatMap(([name, list = []]) => (VIRTUAL.test(name) ? [] : list))
    .filter(({ internal, address }) => !internal && !/^fe80:/i.test(address))
    .map(({ address }) => address);
}
