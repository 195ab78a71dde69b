// listen: a gateway on a file behind a server on a port, and how both end.

import { once } from 'node:events';
import type { AddressInfo, ListenOptions, Server } from 'node:net';

import type { Limits } from '../gateway/limits.ts';
import { openGateway, type OpenOptions } from '../gateway/open.ts';
import { createServer, stopServer } from '../gateway/server.ts';
import { Refusal } from '../store/refusal.ts';
import type { ProgramLog } from './logger.ts';

/** How long running answers may take to end where nobody says. */
export const GRACE_MS = 10_000;

/** What is served, where, and where it is logged. */
export interface ServeOptions extends Omit<OpenOptions, 'log'> {
  readonly host: string;
  readonly port: number;
  /** A listening socket in place of host and port. */
  readonly fd?: number | undefined;
  readonly accessLog?: boolean;
  readonly limits?: Limits;
  /** How long running answers may take after the signal to stop: 10 s if left out. */
  readonly graceMs?: number;
  readonly log: ProgramLog;
}

/** What listens. */
export interface Listening {
  readonly url: string;
  /** Takes no connection from this call on; resolves when all answers have ended and the file is closed. */
  readonly stop: () => Promise<void>;
}

/** Opens the file and listens. Fails with `Refusal`. */
export async function listen(options: ServeOptions): Promise<Listening> {
  const { host, port, fd, accessLog = false, limits, graceMs = GRACE_MS, log, ...opened } = options;
  const { logger } = log;
  const access = accessLog ? { access: logger.info.bind(logger) } : {};
  const report = { error: logger.error.bind(logger), warn: logger.warn.bind(logger), ...access };
  const gateway = openGateway({ ...opened, log: report });
  const server = createServer(gateway.listener, report, limits);
  try {
    await open(server, fd === undefined ? { port, host } : { fd });
  } catch (error) {
    await gateway.close();
    throw cannotListen(error as NodeJS.ErrnoException, fd === undefined ? host : HANDED, port);
  }
  return {
    url: addressOf(server.address()),
    async stop() {
      gateway.drain();
      await stopServer(server, graceMs);
      await gateway.close();
    },
  };
}

async function open(server: Server, where: ListenOptions & { fd?: number }): Promise<void> {
  server.listen(where);
  await once(server, 'listening');
}

function addressOf(bound: AddressInfo | string | null): string {
  if (bound === null || typeof bound === 'string') return `unix:${bound ?? ''}`; // was handed over
  const { address, family, port } = bound;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

const HANDED = 'the socket that was handed over';

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
