// Listens on an address, a port or an inherited socket, and explains why it cannot.

import { once } from 'node:events';
import type { ListenOptions, Server } from 'node:net';

import { Refusal } from '../../../store/refusal.ts';
import type { Environment } from '../../context.ts';
import { allowGroup, unixPathOf } from './unix-socket.ts';

/** The address of a server. */
export interface ListenAddress {
  /** A name or an address, or `unix:` and the path of a Unix socket. */
  readonly host: string;
  readonly port: number;
  /** Whether other processes of this user may listen on the port as well. Default: false. */
  readonly reusePort?: boolean | undefined;
  /** A listening socket to use instead of host and port. */
  readonly fd?: number | undefined;
}

/** The options that set an address, for error messages. */
export interface AddressOptions {
  readonly host: string;
  readonly port: string;
}

const OPTIONS: AddressOptions = { host: '--host', port: '--port' };

/** Makes a server listen. Rejects with `Refusal`, which names the option to change. */
export async function listenAt(
  server: Server,
  address: ListenAddress,
  options = OPTIONS,
): Promise<void> {
  const { host, port, reusePort = false, fd } = address;
  const path = unixPathOf(host);
  const named: ListenOptions = path === undefined ? { port, host, reusePort } : { path };
  const where: ListenOptions & { fd?: number } = fd === undefined ? named : { fd };
  try {
    server.listen(where);
    await once(server, 'listening');
    if (fd === undefined) allowGroup(host);
  } catch (error) {
    throw toListenRefusal(error as NodeJS.ErrnoException, address, options);
  }
}

/** Returns the URL of a server that listens. */
export function urlOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === 'string') return `unix:${address ?? ''}`; // inherited
  const { address: host, family, port } = address;
  return `http://${family === 'IPv6' ? `[${host}]` : host}:${port}`;
}

/** Returns whether other machines can reach a server at this URL. */
export function isPublicUrl(url: string): boolean {
  return !/^unix:|^http:\/\/(?:127\.|\[::1\]|\[::ffff:127\.)/.test(url);
}

/** Returns whether clients have addresses. Clients of a Unix socket have none. */
export function hasClientAddresses(server: Server): boolean {
  const address = server.address();
  return address !== null && typeof address !== 'string';
}

function toListenRefusal(
  error: NodeJS.ErrnoException,
  { fd, host, port }: ListenAddress,
  options: AddressOptions,
): Refusal {
  const isPath = unixPathOf(host) !== undefined;
  const reasons: Record<string, string> = {
    EADDRINUSE: `Port ${port} on ${host} is in use; choose another with ${options.port}.`,
    EACCES: `This user may not listen on port ${port}; choose one above 1023 with ${options.port}.`,
    EADDRNOTAVAIL: `This machine has no address ${host}; choose another with ${options.host}.`,
    ENOTSUP: `This system cannot spread the connections of one port over several processes; start without --reuse-port.`,
    ENOTFOUND: `There is no host ${host}; give an address of this machine with ${options.host}.`,
  };
  const code = error.code ?? '';
  const sentence =
    fd === undefined
      ? ((isPath ? undefined : reasons[code]) ??
        `Cannot listen on ${host} (${code}); choose another with ${options.host}.`)
      : `Cannot listen on file descriptor ${fd} (${code}); the supervisor must pass a socket that listens.`;
  return new Refusal(sentence, { cause: error });
}

/** The file descriptor of the first socket in systemd's protocol, sd_listen_fds(3). */
const FIRST_FD = 3;

/** Returns the socket that a supervisor passed to process `pid`, whose environment is `env`. Throws `Refusal` if there are several. */
export function inheritedSocket(pid: number, env: Environment): number | undefined {
  const { LISTEN_PID, LISTEN_FDS } = env;
  // Environments are inherited, so the socket may belong to another process.
  if (LISTEN_FDS === undefined || LISTEN_PID !== String(pid)) return undefined;
  if (LISTEN_FDS === '1') return FIRST_FD;
  throw new Refusal(`The supervisor passed ${LISTEN_FDS} sockets; let it pass one.`);
}
