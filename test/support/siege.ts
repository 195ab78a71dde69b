// A siege: callers that ask on and on while the database is harmed, and judge each answer by what was written.

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

import { ready } from '../../src/store/ready.ts';
import { withWriter } from '../../src/store/writer.ts';
import { hashOf } from './load.ts';
import type { Own } from './own.ts';
import { send } from './wire.ts';
import { memory } from './world.ts';

/** What came of requests. */
export interface Outcomes {
  /** As before any harm. */
  right: number;
  /** 500 with a sentence. */
  failed: number;
  /** A stream that broke off behind its head. */
  cut: number;
  /** No gateway was there, or it ended before it answered. */
  unreached: number;
  /** Nothing came in time. */
  late: number;
  /** Anything else. */
  wrong: number;
}

export interface Siege {
  readonly outcomes: Outcomes;
  /** What was wrong, in words. */
  readonly wrongs: readonly string[];
  /** Resolves when so many more right answers have come. Fails when they do not, in half a minute. */
  readonly more: (count: number) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** A request asks the database twice at most before it is answered: each time it is given up after ten seconds. */
export const DEADLINE_MS = 20_000;

const PATHS = [
  '/v1/memories?limit=5',
  '/v1/memories/m007',
  '/v1/memories?q=mira&limit=3',
  '/v1/changes?limit=10',
  '/v1/memories',
  '/v1/memories/nobody',
];

/** A good key in its form, which nobody was given. */
const WRONG_KEY = `mem_${'0'.repeat(49)}`;

/** Lets callers ask gateways, whose answers must be those that came before any harm. */
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
        if (waited > 30_000) throw new Error(`no right answers come: ${JSON.stringify(outcomes)}`);
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

/** An answer in short: what is no failure by its SHA-256. */
function told(status: number, body: Buffer): string {
  return `${status} ${status === 200 ? hashOf(body) : body.toString()}`;
}

interface Call {
  readonly port: number;
  readonly path: string;
  readonly key: string;
  readonly agent?: Agent | false;
}

/** Asks once; what does not end in time is `late`, and what breaks off is `cut`, or `unreached` before its head. */
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

/** A memory that is written again and again, beside readers who must not find it older than it was when they asked. */
export interface Writing {
  readonly writes: number;
  readonly failed: number;
  readonly read: number;
  readonly stop: () => Promise<void>;
  readonly wrongs: readonly string[];
}

/** Writes a memory of `bo` on and on, and reads it. */
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
      versions.set(hashOf(ready('bo', given).row.body), version);
      try {
        await withWriter(database, ({ memories }) => memories.put('bo', given));
        latest = version;
        counts.writes++;
      } catch {
        counts.failed++; // it may be there or not
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
