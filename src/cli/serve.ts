// serve: the gateway over HTTP, until a signal ends it.

import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Gateway } from '../gateway/gateway.ts';
import { openGateway } from '../gateway/open.ts';
import { createServer, stopServer } from '../gateway/server.ts';
import { VERSION } from '../gateway/version.ts';
import { Refusal } from '../store/refusal.ts';
import { none } from './accounts.ts';
import type { Command } from './command.ts';
import { createLogger, type ProgramLog } from './logger.ts';
import { isUnderNpm } from './npm.ts';
import { readBaseUrl, readOrigins, readPort, readSize } from './values.ts';

/** How long running answers may take after the signal to stop. */
const GRACE_MS = 10_000;

/** Ctrl-C under npm may come twice, from the terminal and from npm: so soon, it is one. */
const ECHO_MS = isUnderNpm ? 500 : 0;

/** Serves until a signal ends it. */
export const serveCommand: Command = {
  summary: 'serve the memories over HTTP',
  options: ['database', 'host', 'port', 'base-url', 'access-log', 'allow-origin', 'cache'],
  run: async (args) => {
    none(args);
    const port = readPort(args.need('port'));
    const allowOrigins = readOrigins(args.text('allow-origin'));
    await serve({
      database: args.need('database'),
      host: args.need('host'),
      port,
      baseUrl: readBaseUrl(args.text('base-url')),
      accessLog: args.flag('access-log'),
      allowOrigins,
      cacheBytes: readSize('cache', args.need('cache')),
      log: await createLogger(1),
    });
    return {};
  },
};

/** What is served, where, and where it is logged. */
export interface ServeOptions {
  readonly database: string;
  readonly host: string;
  readonly port: number;
  readonly baseUrl?: string;
  readonly accessLog?: boolean;
  readonly allowOrigins?: readonly string[];
  readonly cacheBytes?: number;
  readonly log: ProgramLog;
}

/** Serves until SIGTERM, SIGINT or SIGHUP; returns the base address once it listens. Fails with `Refusal`. */
export async function serve(options: ServeOptions): Promise<string> {
  const { database, host, port, baseUrl = '', log, accessLog = false } = options;
  const { allowOrigins = [], cacheBytes } = options;
  const { logger } = log;
  const access = accessLog ? { access: logger.info.bind(logger) } : {};
  const report = { error: logger.error.bind(logger), ...access };
  const gateway = openGateway({ database, baseUrl, allowOrigins, cacheBytes, log: report });
  const server = createServer(gateway.listener, report);
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    await gateway.close();
    throw cannotListen(error as NodeJS.ErrnoException, host, port);
  }
  const url = addressOf(server.address() as AddressInfo);

  stopOnSignal({ gateway, server, log });
  logger.info({ url, database, version: VERSION, node: process.versions.node }, 'listening');
  return url;
}

interface Running {
  readonly gateway: Gateway;
  readonly server: Server;
  readonly log: ProgramLog;
}

/** Ends the process well on the first signal, and at once on the second. */
function stopOnSignal({ gateway, server, log }: Running): void {
  let stoppedAt: number | undefined;
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    const now = performance.now();
    if (stoppedAt !== undefined && now - stoppedAt < ECHO_MS) return;
    if (stoppedAt !== undefined) process.exit(1);
    stoppedAt = now;
    gateway.drain();
    const stopped = stopServer(server, GRACE_MS);
    log.logger.info({ signal }, 'stopping'); // from here on nobody can connect
    await stopped;
    await gateway.close();
    log.logger.info({}, 'stopped');
    await log.end();
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, (name) => void stop(name));
  }
  if (isUnderNpm) onOrphaned(() => void stop('SIGTERM'));
}

/** Calls back when the parent is gone: a signal to `npm start` may end npm's shell and go no further. */
function onOrphaned(callback: () => void): void {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    callback();
  }, 250);
}

function addressOf({ address, family, port }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

function cannotListen(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const why: Record<string, string> = {
    EADDRINUSE: `Port ${port} on ${host} is in use; choose another with --port.`,
    EACCES: `This user may not listen on port ${port}; choose one above 1023 with --port.`,
    EADDRNOTAVAIL: `This machine has no address ${host}; choose another with --host.`,
    ENOTFOUND: `There is no host ${host}; give an address of this machine with --host.`,
  };
  const code = error.code ?? '';
  const sentence = why[code] ?? `Cannot listen on ${host} (${code}); choose another with --host.`;
  return new Refusal(sentence, { cause: error });
}
