// Clients that send requests while the database has a fault, and check each response against the written memories.

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

import { engineOf } from '../../../src/store/engines.ts';
import { prepareMemory } from '../../../src/store/import/memory-row.ts';
import type { Own } from '../engines/own-server.ts';
import { send } from '../wire/wire.ts';
import { memory } from '../world/world.ts';
import { hashOf } from './load-callers.ts';

/** The outcomes of requests. */
export interface Outcomes {
  /** Same response as before the fault. */
  right: number;
  /** 500 with a detail. */
  failed: number;
  /** A response that broke off after its headers. */
  cut: number;
  /** No gateway accepted the connection, or it closed it before a response. */
  unreached: number;
  /** No response in time. */
  late: number;
  /** Any other response. */
  wrong: number;
}

export interface Siege {
  readonly outcomes: Outcomes;
  /** Descriptions of the wrong responses. */
  readonly wrongs: readonly string[];
  /**
   * Resolves after this many further right responses. Rejects if they take longer than half a
   * minute.
   */
  readonly more: (count: number) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/**
 * A request reads the database at most three times before its response: its key, a replica, and the
 * primary. Without a replica, each read may take 8 s, and 5 s with the shorter statements of tests that have one.
 */
export const DEADLINE_MS = 20_000;

const PATHS = [
  '/v1/memories?limit=5',
  '/v1/memories/m007',
  '/v1/memories?q=mira&limit=3',
  '/v1/changes?limit=10',
  '/v1/memories',
  '/v1/memories/nobody',
];

/** A well-formed key that was never issued. */
const WRONG_KEY = `mem_${'0'.repeat(49)}`;

/** Starts clients that send requests to gateways. The responses must be the same as before the fault. */
export async function besiege(own: Own, ports: readonly number[], callers = 6): Promise<Siege> {
  const outcomes: Outcomes = { right: 0, failed: 0, cut: 0, unreached: 0, late: 0, wrong: 0 };
  const wrongs: string[] = [];
  const over = new AbortController();
  const [first = 0] = ports;
  const golden = new Map<string, string>();
  for (const path of PATHS) golden.set(path, await say(first, path, own.key));

  const call = async (caller: number) => {
    const agent = new Agent({ keepAlive: caller % 2 === 0, maxSockets: 1 });
    for (let turn = caller; !over.signal.aborted; turn++) {
      const port = ports[turn % ports.length] as number;
      const path = PATHS[turn % PATHS.length] as string;
      const isStranger = turn % 5 === 0;
      const said = await ask({ port, path, key: isStranger ? WRONG_KEY : own.key, agent });
      const wanted = isStranger ? (text: string) => text.startsWith('401 ') : isRight(path);
      const outcome = judge(said, wanted);
      outcomes[outcome]++;
      if (outcome === 'wrong') wrongs.push(`${path}: ${said.slice(0, 200)}`);
      if (outcome !== 'right') await sleep(20);
    }
    agent.destroy();
  };
  const isRight = (path: string) => (said: string) => said === golden.get(path);
  const all = Array.from({ length: callers }, (_, caller) => call(caller));
  return {
    outcomes,
    wrongs,
    async more(count) {
      const enough = outcomes.right + count;
      for (let waited = 0; outcomes.right < enough; waited += 20) {
        if (waited > 30_000) throw new Error(`no right responses: ${JSON.stringify(outcomes)}`);
        await sleep(20);
      }
    },
    async stop() {
      over.abort();
      await Promise.all(all);
    },
  };
}

function judge(said: string, isRight: (said: string) => boolean): keyof Outcomes {
  if (said === 'cut' || said === 'late' || said === 'unreached') return said;
  if (isRight(said)) return 'right';
  return /^500 \{"detail":"[^"]+"\}$/.test(said) ? 'failed' : 'wrong';
}

async function say(port: number, path: string, key: string): Promise<string> {
  const { status, body } = await send(port, { path, key });
  return told(status, body);
}

/** Summarises a response: a success by its SHA-256. */
function told(status: number, body: Buffer): string {
  return `${status} ${status === 200 ? hashOf(body) : body.toString()}`;
}

interface Call {
  readonly port: number;
  readonly path: string;
  readonly key: string;
  readonly agent?: Agent | false;
}

/**
 * Sends one request. `late` means no response in time, `cut` a response that broke off, `unreached`
 * none at all.
 */
export async function ask({ port, path, key, agent = false }: Call): Promise<string> {
  const signal = AbortSignal.timeout(DEADLINE_MS);
  const headers = { 'x-api-key': key };
  const sent = request({ port, host: '127.0.0.1', path, headers, agent, signal });
  const answered = once(sent, 'response');
  sent.on('error', () => {});
  sent.end();
  let hasBegun = false;
  try {
    const [response] = (await answered) as [IncomingMessage];
    hasBegun = true;
    return told(response.statusCode ?? 0, await buffer(response));
  } catch {
    return signal.aborted ? 'late' : hasBegun ? 'cut' : 'unreached';
  }
}

/**
 * A memory that is written repeatedly while readers check that they never get an older version than
 * the one written before their request.
 */
export interface Writing {
  readonly writes: number;
  readonly failed: number;
  readonly read: number;
  readonly stop: () => Promise<void>;
  readonly wrongs: readonly string[];
}

/** Writes a memory of `bo` repeatedly, and reads it. */
export function keepWriting({ database, written: key }: Own, ports: readonly number[]): Writing {
  const over = new AbortController();
  const versions = new Map<string, number>();
  const counts = { writes: 0, failed: 0, read: 0 };
  const wrongs: string[] = [];
  let latest = -1;
  const id = `w-${randomUUID()}`;

  const write = async () => {
    for (let version = 0; !over.signal.aborted; version++) {
      const given = memory({
        id,
        transcript: `Version ${version} ${'x'.repeat(version % 99)}`,
      });
      versions.set(hashOf(prepareMemory('bo', given).row.body), version);
      try {
        await engineOf(database).withWriter(({ memories }) => memories.put('bo', given));
        latest = version;
        counts.writes++;
      } catch {
        counts.failed++; // the new version may be visible already or not
      }
      await sleep(10);
    }
  };
  const read = async () => {
    for (let turn = 0; !over.signal.aborted; turn++) {
      const known = latest;
      const said = await ask({
        port: ports[turn % ports.length] as number,
        path: `/v1/memories/${id}`,
        key,
      });
      const version = versions.get(said.slice(4));
      const isRight = said.startsWith('200 ')
        ? version !== undefined && version >= known
        : said === 'unreached' || said.startsWith('500 ') || (said.startsWith('404 ') && known < 0);
      if (!isRight) wrongs.push(`${said.slice(0, 100)} is ${version}, behind ${known}`);
      if (said.startsWith('200 ')) counts.read++;
      await sleep(5);
    }
  };
  const both = Promise.all([write(), read()]);
  return {
    get writes() {
      return counts.writes;
    },
    get failed() {
      return counts.failed;
    },
    get read() {
      return counts.read;
    },
    wrongs,
    async stop() {
      over.abort();
      await both;
    },
  };
}
