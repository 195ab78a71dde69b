// Bind: where a server listens, and why it cannot.

import { once } from 'node:events';
import type { ListenOptions, Server } from 'node:net';

import { Refusal } from '../store/refusal.ts';

/** Where a server listens. */
export interface Bind {
  readonly host: string;
  readonly port: number;
  /** A listening socket in place of host and port. */
  readonly fd?: number | undefined;
}

/** The options that say where. */
export interface Flags {
  readonly host: string;
  readonly port: string;
}

const FLAGS: Flags = { host: '--host', port: '--port' };

/** Lets a server listen; `flags` are the options that say where. Fails with `Refusal`. */
export async function listenAt(server: Server, bind: Bind, flags = FLAGS): Promise<void> {
  const { host, port, fd } = bind;
  refuseOrphan();
  const where: ListenOptions & { fd?: number } = fd === undefined ? { port, host } : { fd };
  try {
    server.listen(where);
    await once(server, 'listening');
  } catch (error) {
    throw cannotListen(error as NodeJS.ErrnoException, bind, flags);
  }
}

/**
 * Fails with `Refusal` where Node takes this process for a worker that nobody has started: it would wait
 * for its first process to listen, and end. To listen loads the module anyway.
 */
function refuseOrphan(): void {
  const { isWorker } = process.getBuiltinModule('node:cluster');
  if (isWorker && process.channel === undefined)
    throw new Refusal('NODE_UNIQUE_ID makes a worker of this process; start it without.');
}

/** The address of a server that listens. */
export function addressOf(server: Server): string {
  const bound = server.address();
  if (bound === null || typeof bound === 'string') return `unix:${bound ?? ''}`; // was handed over
  const { address, family, port } = bound;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

/** Tells whether callers have addresses; those of a Unix socket have none. */
export function hasAddresses(server: Server): boolean {
  const bound = server.address();
  return bound !== null && typeof bound !== 'string';
}

function cannotListen(error: NodeJS.ErrnoException, { fd, host, port }: Bind, flags: Flags) {
  const why: Record<string, string> = {
    EADDRINUSE: `Port ${port} on ${host} is in use; choose another with ${flags.port}.`,
    EACCES: `This user may not listen on port ${port}; choose one above 1023 with ${flags.port}.`,
    EADDRNOTAVAIL: `This machine has no address ${host}; choose another with ${flags.host}.`,
    ENOTFOUND: `There is no host ${host}; give an address of this machine with ${flags.host}.`,
  };
  const code = error.code ?? '';
  if (fd !== undefined) {
    const sentence = `Cannot listen on file descriptor ${fd} (${code}); let the supervisor hand over a socket that listens.`;
    return new Refusal(sentence, { cause: error });
  }
  const sentence =
    why[code] ?? `Cannot listen on ${host} (${code}); choose another with ${flags.host}.`;
  return new Refusal(sentence, { cause: error });
}
