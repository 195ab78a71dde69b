// listen: a gateway on a file behind a server on a port, and how both end.

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import { openGateway } from '../gateway/open.ts';
import { createServer, stopServer } from '../gateway/server.ts';
import { Refusal } from '../store/refusal.ts';
import type { ProgramLog } from './logger.ts';

/** How long running answers may take after the signal to stop. */
const GRACE_MS = 10_000;

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

/** What listens. */
export interface Listening {
  readonly url: string;
  /** Takes no connection from this call on; resolves when all answers have ended and the file is closed. */
  readonly stop: () => Promise<void>;
}

/** Opens the file and listens. Fails with `Refusal`. */
export async function listen(options: ServeOptions): Promise<Listening> {
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
  return {
    url: addressOf(server.address() as AddressInfo),
    async stop() {
      gateway.drain();
      await stopServer(server, GRACE_MS);
      await gateway.close();
    },
  };
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
