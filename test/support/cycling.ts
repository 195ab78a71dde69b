// A program that opens a gateway, serves with it, and closes it, again and again; it says what it holds after some cycles and in the end.

import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { request, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

import {
  createGateway,
  createServer,
  openGateway,
  openStore,
  stopServer,
} from '../../src/index.ts';

declare const gc: () => void; // by --expose-gc

/** What a cycle must not leave anything of. */
export interface Left {
  readonly fds: number;
  /** Names of what the event loop waits for. */
  readonly handles: readonly string[];
  readonly heap: number;
}

const [, , database = '', key = '', cycles = ''] = process.argv;

/** Code is compiled and names are interned in the first cycles. */
const WARM = 5;

async function ask(server: Server, path: string): Promise<void> {
  const { port } = server.address() as AddressInfo;
  const headers = { authorization: `Bearer ${key}` };
  const asked = request({ port, host: '127.0.0.1', path, headers, agent: false }).end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  await buffer(answer);
}

async function cycle(number: number): Promise<void> {
  const gateway = number % 2 === 0 ? openGateway({ database }) : createGateway(openStore(database));
  const server = createServer(gateway.listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  for (const path of ['/v1/memories', '/v1/memories?limit=3', '/v1/memories/m001', '/v1/changes'])
    await ask(server, path);
  await ask(server, '/v1/memories?q=hello');
  await ask(server, '/readyz');
  await gateway.as('ana').memories.list({ limit: 2 });
  await stopServer(server, 1000);
  await gateway.close();
}

async function leftOver(): Promise<Left> {
  await sleep(200); // sockets of the caller close
  gc();
  gc();
  const { heapUsed, external } = process.memoryUsage();
  return {
    fds: readdirSync('/proc/self/fd').length,
    // One that is due now is gone before anybody could count it as left.
    handles: process
      .getActiveResourcesInfo()
      .filter((name) => name !== 'Immediate')
      .toSorted(),
    heap: heapUsed + external,
  };
}

for (let i = 0; i < WARM; i++) await cycle(i);
const before = await leftOver();
for (let i = 0; i < Number(cycles); i++) await cycle(i);
const after = await leftOver(); // before standard output is opened
process.stdout.write(JSON.stringify({ before, after }));
