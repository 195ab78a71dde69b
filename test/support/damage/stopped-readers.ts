// Clients that send requests and read nothing, and what they cost the server, while it serves another client.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { serveAlone } from '../processes/serve-process.ts';
import { openLine } from '../wire/open-connection.ts';
import { stop } from '../world/program.ts';
import { sized } from '../world/thorough.ts';
import { memories } from '../world/world.ts';

export const MIB = 1024 * 1024;

/** What an attack did. */
export interface Cost {
  /** Bytes of memory at most above the idle server. */
  readonly peak: number;
  /** How many responses had each status. Empty if there was none. */
  readonly statuses: Readonly<Record<string, number>>;
}

/** An attack: the bytes that each connection sends. */
export interface Attack {
  readonly database: string;
  /** The key of the other client, whose account has a memory `m001`. */
  readonly otherKey: string;
  readonly connections: number;
  readonly bytesOf: (connection: number) => string;
  /** Whether the server finds the bytes of all connections in one turn. */
  readonly isAtOnce?: boolean | undefined;
}

/** Creates memories whose text no encoding makes much shorter. */
export function incompressible(count: number, bytes: number) {
  return memories(count).map((memory) => ({
    ...memory,
    transcript: randomBytes((bytes * 3) / 4).toString('base64'),
  }));
}

/** Writes the head of a request. */
export function requestHead(target: string, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${target} HTTP/1.1\r\nhost: a\r\n${lines.join('')}\r\n`;
}

/** Runs an attack against a server of its own, and returns what it cost. */
export async function attackWith(t: TestContext, attack: Attack): Promise<Cost> {
  const { database, otherKey, connections, bytesOf, isAtOnce = false } = attack;
  const { child, port } = await serveAlone(t, database);
  await askFor(1000, port, otherKey); // compiles what it uses
  const idle = memoryOf(child.pid, 'VmRSS');
  const sockets: Socket[] = [];
  t.after(() => sockets.forEach((socket) => socket.destroy()));
  const other = askFor(sized(8000, 3000), port, otherKey);
  for (let i = 0; i < connections; i++) {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.pause();
    if (!isAtOnce) socket.write(bytesOf(i));
    sockets.push(socket);
    if (i % 100 === 99) await sleep(1);
  }
  if (isAtOnce) {
    const connecting = sockets.filter((socket) => socket.connecting);
    await Promise.all(connecting.map((socket) => once(socket, 'connect')));
    child.kill('SIGSTOP');
    for (const [i, socket] of sockets.entries()) socket.write(bytesOf(i));
    child.kill('SIGCONT');
  }
  await other;
  const peak = memoryOf(child.pid, 'VmHWM') - idle;
  const statuses: Record<string, number> = {};
  for (const status of await Promise.all(sockets.map(statusOf)))
    if (status !== undefined) statuses[status] = (statuses[status] ?? 0) + 1;
  assert.equal(await stop(child, 'SIGKILL'), null);
  return { peak, statuses };
}

/**
 * Asks for one memory again and again, and gets it each time. A server that parses 500,000 requests in one turn, for
 * longer than it keeps an idle connection, then closes this one, although a request waits in it. Clients repeat such a
 * request on a new connection (RFC 9112 §9.5).
 */
async function askFor(ms: number, port: number, key: string): Promise<void> {
  let line = await openLine(port);
  const ask = () => line.ask(key, '/v1/memories/m001');
  for (const end = performance.now() + ms; performance.now() < end; await sleep(2)) {
    const { status } = await ask().catch(async () => {
      line = await openLine(port);
      return await ask();
    });
    assert.equal(status, 200);
  }
  line.end();
}

/** How long a response may take. A busy machine sends the last one late. */
const PATIENCE_MS = 60_000;

/** Reads the first bytes that came, and returns their status. Returns undefined if none came before the end. */
async function statusOf(socket: Socket): Promise<string | undefined> {
  if (socket.destroyed) return undefined;
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const patience = setTimeout(() => resolve(undefined), PATIENCE_MS);
  socket.once('data', (part: Buffer) => resolve(part.toString('latin1', 9, 12)));
  socket.once('close', () => resolve(undefined));
  socket.resume();
  const status = await promise;
  clearTimeout(patience);
  socket.pause();
  return status;
}

function memoryOf(pid: number | undefined, name: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) * 1024;
}
