// Unix sockets: makes their path free before a server listens, and lets only the user and the group connect.

import { once } from 'node:events';
import { chmodSync, lstatSync, unlinkSync } from 'node:fs';
import { connect } from 'node:net';

import { Refusal } from '../../../store/refusal.ts';

const PREFIX = 'unix:';

/** Returns the path of a host such as `unix:/run/memories/gateway.sock`. Returns undefined for other hosts. */
export function unixPathOf(host: string): string | undefined {
  return host.startsWith(PREFIX) ? host.slice(PREFIX.length) : undefined;
}

/**
 * Prepares to listen on a Unix socket: removes the socket of a dead process, and lets no other user connect
 * before `allowGroup`. Does nothing for other hosts. Rejects with `Refusal` if a process listens there, or
 * if the path is taken by something else.
 */
export async function prepareSocket(host: string): Promise<void> {
  const path = unixPathOf(host);
  if (path === undefined) return;
  process.umask(0o077);
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isSocket())
    throw new Refusal(`${path} is not a socket; remove it, or choose another path with --host.`);
  if (await isListening(path))
    throw new Refusal(`A process listens on ${path}; stop it, or choose another path with --host.`);
  unlinkSync(path);
}

async function isListening(path: string): Promise<boolean> {
  const socket = connect(path);
  try {
    await once(socket, 'connect');
    return true;
  } catch (error) {
    // Any other error, such as a full queue, comes from a process that listens.
    return (error as NodeJS.ErrnoException).code !== 'ECONNREFUSED';
  } finally {
    socket.destroy();
  }
}

/** Lets the group connect as well: the proxy's user is a member of it. Does nothing for other hosts. */
export function allowGroup(host: string): void {
  const path = unixPathOf(host);
  if (path !== undefined) chmodSync(path, 0o660);
}
