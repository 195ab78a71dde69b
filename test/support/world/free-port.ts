// Finds a free port, for programs that cannot choose one themselves.

import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that systems give to programs that want any, and above those that fetch refuses. */
const [FIRST, LAST] = [11_000, 32_000];

/** Finds a port of 127.0.0.1 that nobody listens on. */
export async function freePort(): Promise<number> {
  const port = FIRST + Math.floor(Math.random() * (LAST - FIRST));
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return freePort();
    throw error;
  }
  await new Promise((resolve) => server.close(resolve));
  return port;
}
