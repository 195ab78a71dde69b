// A supervisor: keeps a listening socket open, a Unix socket where a path is given, takes no connection itself, and hands the socket to every program it starts.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readSync, writeSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';

const server = createServer();
const [path] = process.argv.slice(2);
server.listen(path === undefined ? { port: 0, host: '127.0.0.1' } : { path });
await once(server, 'listening');
const { port } = path === undefined ? (server.address() as AddressInfo) : { port: 0 };
writeSync(1, `port ${port}\n`);

// From here on nothing leaves this loop, so that no connection is ever taken: a line on standard input
// starts a program with the words of it, as JSON.
const { fd } = Reflect.get(server, '_handle') as { readonly fd: number };
const byte = Buffer.alloc(1);
for (let line = ''; readSync(0, byte) === 1;) {
  line += byte.toString();
  if (!line.endsWith('\n')) continue;
  const words = JSON.parse(line) as string[];
  line = '';
  const hand = 'LISTEN_FDS=1 LISTEN_PID=$$ exec "$@"';
  const stdio = ['ignore', 'inherit', 'inherit', fd] as const;
  const child = spawn('sh', ['-c', hand, 'sh', ...words], { stdio: [...stdio] });
  writeSync(1, `started ${child.pid}\n`);
}
