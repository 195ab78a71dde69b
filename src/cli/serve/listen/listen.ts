// Starts and stops an HTTP server with a gateway behind it, and warns about options that are unsafe or useless.

import type { Server } from 'node:http';
import { setFlagsFromString } from 'node:v8';

import type { Logger } from 'pino';

import type { ConnectGatewayOptions } from '../../../app/server/open-with-app.ts';
import type { Gateway } from '../../../gateway/gateway.ts';
import type { Log } from '../../../gateway/log.ts';
import { UNIX_PROXY } from '../../../gateway/request/client-ip.ts';
import type { Limits } from '../../../gateway/server/limits.ts';
import { shellWord } from '../../../lib/shell.ts';
import { commandOn } from '../../../store/address.ts';
import { engineOf } from '../../../store/engines.ts';
import { Refusal } from '../../../store/refusal.ts';
import type { ProgramLog } from '../../output/logger.ts';
import { deviceAddresses } from '../app.ts';
import { startFileCheck } from './file-check.ts';
import type { AccessLogSwitch } from './reload.ts';
import { hasClientAddresses, isPublicUrl, listenAt, urlOf, type ListenAddress } from './socket.ts';

/** How long open requests may take on shutdown, unless an option says otherwise. */
export const DEFAULT_GRACE_MS = 10_000;

/** What to serve, where, and with which log. */
export interface ServeOptions extends ListenAddress, Omit<ConnectGatewayOptions, 'log'> {
  /** Whether requests are logged. Default: never. */
  readonly accessLog?: AccessLogSwitch;
  /** Called with the fields of each access log line, whether the log is on or off. */
  readonly onAccess?: Log['access'];
  /** Whether the database is migrated before the server opens it. Default: false. */
  readonly migrate?: boolean;
  readonly limits?: Limits;
  /** How long open requests may take on shutdown. Default: 10 seconds. */
  readonly graceMs?: number;
  readonly log: ProgramLog;
  /** Called when everything has stopped, before the process ends. */
  readonly onStopped?: () => Promise<void>;
}

/** A server that listens. */
export interface RunningServer {
  readonly url: string;
  readonly gateway: Gateway;
  readonly server: Server;
  /** Accepts no more connections from this call on. Resolves when open requests have ended and the database is closed. */
  readonly stop: () => Promise<void>;
}

const NO_CLIENT_ADDRESSES =
  'The rate limit for failed keys is off: clients of a Unix socket have no address. If a proxy connects to it, pass --proxy unix.';

const NO_UNIX_SOCKET =
  '--proxy unix trusts everybody who connects to a Unix socket, but this is none; name the addresses of your proxies, or listen on a Unix socket with --host.';

/** Creates the database or updates its schema, and logs what it did. Rejects with `Refusal`. */
export async function migrateFirst(database: string, { logger }: ProgramLog): Promise<void> {
  const { schema, applied, kept } = await engineOf(database).upgrade({ discard: false });
  if (applied.length > 0) logger.info({ schema, applied, kept }, 'database migrated');
}

/**
 * Lets V8's young generation grow from 1 MB to 16 MB in two steps. By default it doubles when that much has survived its
 * collections, and of requests next to nothing survives: a server stayed at 2 MB for 50,000 requests of 12 kB each, and
 * collected every 200 of them. Measured: 22 µs of CPU for a memory without the cache instead of 25.
 */
function growYoungGeneration(): void {
  setFlagsFromString('--semi-space-growth-factor=4');
}

/** Opens the database and listens. Rejects with `Refusal`. */
export async function startServer(options: ServeOptions): Promise<RunningServer> {
  const {
    host,
    port,
    reusePort,
    fd,
    limits,
    graceMs = DEFAULT_GRACE_MS,
    log,
    accessLog,
    onAccess,
    onStopped: _,
    migrate: __,
    ...gatewayOptions
  } = options;
  growYoungGeneration();
  // Loaded here, because other commands need neither.
  const [{ connectGateway }, { createServer, stopServer }] = await Promise.all([
    import('../../../app/server/open-with-app.ts'),
    import('../../../gateway/server/server.ts'),
  ]);
  const { logger } = log;
  const gatewayLog = {
    error: logger.error.bind(logger),
    warn: (fields: object, message: string) => logger.warn(fields, message),
    access: accessLog ? both(accessWriter(logger, accessLog), onAccess) : onAccess,
  };
  const app = gatewayOptions.app && {
    ...gatewayOptions.app,
    addresses: () => deviceAddresses(urlOf(server), gatewayOptions.baseUrl),
  };
  const gateway = await connectGateway({ ...gatewayOptions, app, log: gatewayLog });
  const server = createServer(gateway.listener, gatewayLog, limits);
  const { perMinute = 0, proxies = [] } = gatewayOptions.throttle ?? {};
  try {
    await listenAt(server, { host, port, reusePort, fd });
    if (proxies.includes(UNIX_PROXY) && hasClientAddresses(server)) {
      await new Promise((resolve) => server.close(resolve));
      throw new Refusal(NO_UNIX_SOCKET);
    }
  } catch (error) {
    await gateway.close();
    throw error;
  }
  if (perMinute > 0 && !proxies.includes(UNIX_PROXY) && !hasClientAddresses(server))
    logger.warn({}, NO_CLIENT_ADDRESSES);
  const endFileCheck = startFileCheck(logger);
  return {
    url: urlOf(server),
    gateway,
    server,
    async stop() {
      endFileCheck();
      gateway.drain();
      await stopServer(server, graceMs);
      await gateway.close();
    },
  };
}

/**
 * Returns where the app is and how to sign in, for the log. The link itself is printed on request only, because
 * others may read a log.
 */
export function aboutApp(
  url: string,
  { app, baseUrl = '', database }: Pick<ServeOptions, 'app' | 'baseUrl' | 'database'>,
): { readonly app?: string; readonly sign_in?: string } {
  if (app === undefined || app === false) return {};
  const base = /^https?:/i.test(baseUrl) ? baseUrl : `${url}${baseUrl}`;
  const sign_in = commandOn(database, `sign-in ACCOUNT${reachedBy(url, baseUrl)}`);
  return { app: `${base}/app/`, sign_in };
}

/** Returns the options with which `sign-in` prints addresses of a gateway that listens at a URL. */
export function reachedBy(url: string, baseUrl = ''): string {
  const base = baseUrl === '' ? '' : ` --base-url ${shellWord(baseUrl)}`;
  if (/^https?:/i.test(baseUrl) || !url.startsWith('http:')) return base;
  const { hostname, port } = new URL(url);
  const host = hostname.replaceAll(/[[\]]/g, '');
  return `${host === '127.0.0.1' ? '' : ` --host ${host}`} --port ${port || '80'}${base}`;
}

const NO_TLS =
  'Listening on the network without TLS: others on it can read API keys and memories. Put a TLS proxy in front and pass its https:// address to --base-url, or listen on 127.0.0.1.';

const USELESS_PROXY = '--proxy has no effect without --throttle, the app or --access-log=address.';

type Warned = Pick<ServeOptions, 'app' | 'baseUrl' | 'throttle' | 'logAddress'>;

/** Warns once at the start: an unencrypted public address unless a base URL names the TLS proxy, and options without effect. */
export function warnAboutOptions(
  logger: Logger,
  url: string,
  { app, baseUrl = '', throttle, logAddress }: Warned,
): void {
  if (isPublicUrl(url) && !baseUrl.startsWith('https:')) logger.warn({ url }, NO_TLS);
  const isUseful = app !== false || (throttle?.perMinute ?? 0) > 0 || logAddress === true;
  if (!isUseful && (throttle?.proxies ?? []).length > 0) logger.warn({}, USELESS_PROXY);
}

/** Creates the function that writes the access log. pino replaces its methods when the level changes, so none is kept. */
function accessWriter(logger: Logger, isOn: () => boolean): OnAccess {
  return (fields, message) => {
    if (isOn()) logger.info(fields, message);
  };
}

type OnAccess = NonNullable<Log['access']>;

function both(first: OnAccess, second: OnAccess | undefined): OnAccess {
  if (second === undefined) return first;
  return (fields, message) => {
    first(fields, message);
    second(fields, message);
  };
}
