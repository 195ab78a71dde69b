// A supervisor that owns a listening TCP or Unix socket, accepts nothing itself, and passes the socket to the programs it starts.

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

// Nothing below returns to the event loop, so no connection is ever accepted here. A line on
// standard input, a JSON array of words, starts a program.
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
