// A program that repeatedly opens, uses and closes a gateway, and prints the resources that it holds.

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
} from '../../../src/index.ts';

declare const gc: () => void; // by --expose-gc

/** Resources that a cycle must not leak. */
export interface Left {
  readonly fds: number;
  /** Returns the names of the resources that keep the event loop running. */
  readonly handles: readonly string[];
  readonly heap: number;
}

const [, , database = '', key = '', cycles = ''] = process.argv;

/** The first cycles compile code and intern names. */
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
  await sleep(200); // sockets of the client close
  gc();
  gc();
  const { heapUsed, external } = process.memoryUsage();
  return {
    fds: readdirSync('/proc/self/fd').length,
    // A timer that is due now fires before it could be counted as a leak.
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
