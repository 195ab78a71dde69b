// Load: callers that ask on and on, on connections of both kinds, kept and new, and check every byte that comes.

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** What is asked for, and the SHA-256 of what must come. */
export interface Target {
  readonly path: string;
  readonly key: string;
  readonly hash: string;
}

/** An answer is right or wrong or was cut off; else none came, or nobody listened. */
export type Outcome = 'right' | 'wrong' | 'cut' | 'unanswered' | 'refused';

/** So long after the last byte nothing more is awaited. */
const PATIENCE_MS = 60_000;

/** The SHA-256 of an answer's body. */
export function hashOf(body: Uint8Array): string {
  return createHash('sha256').update(body).digest('hex');
}

/** Asks once, and tells what came of it. */
async function askFor({ path, key, hash }: Target, port: number, agent: Agent): Promise<Outcome> {
  const headers = { 'x-api-key': key };
  const sent = request({ port, host: '127.0.0.1', path, headers, agent, timeout: PATIENCE_MS });
  let before = 0;
  sent.once('socket', ({ bytesRead }) => (before = bytesRead));
  sent.once('timeout', () => sent.destroy(new Error('nothing comes')));
  const answered = once(sent, 'response');
  sent.on('error', () => {}); // it may break a second time, in the middle of the answer
  sent.end();
  try {
    const [response] = (await answered) as [IncomingMessage];
    const found = createHash('sha256');
    for await (const part of response) found.update(part as Buffer);
    return response.statusCode === 200 && found.digest('hex') === hash ? 'right' : 'wrong';
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED') return 'refused';
    return (sent.socket?.bytesRead ?? 0) > before ? 'cut' : 'unanswered';
  }
}

/** Callers at work. */
export interface Load {
  /** How often each of them has come so far. */
  readonly outcomes: Record<Outcome, number>;
  /** Resolves when so many more right answers have come. */
  readonly more: (count: number) => Promise<void>;
  /** Resolves when every caller has its last answer. */
  readonly stop: () => Promise<void>;
}

/**
 * Lets `callers` ask, every second one on a connection that it keeps. A kept connection is never at
 * rest: who sends in the very moment in which an idle one is closed loses that request by HTTP/1.1
 * itself (RFC 9112 §9.5), which is no fault of either side.
 */
export function startLoad(port: number, targets: readonly Target[], callers: number): Load {
  const outcomes = { right: 0, wrong: 0, cut: 0, unanswered: 0, refused: 0 };
  const over = new AbortController();
  const call = async (caller: number) => {
    const agent = new Agent({ keepAlive: caller % 2 === 0, maxSockets: 1 });
    for (let turn = caller; !over.signal.aborted; turn++) {
      const outcome = await askFor(targets[turn % targets.length]!, port, agent);
      outcomes[outcome]++;
      if (outcome !== 'right') await sleep(20);
    }
    agent.destroy();
  };
  const all = Array.from({ length: callers }, (_, caller) => call(caller));
  return {
    outcomes,
    async more(count) {
      const enough = outcomes.right + count;
      const ends = performance.now() + PATIENCE_MS;
      while (outcomes.right < enough && performance.now() < ends) await sleep(5);
    },
    async stop() {
      over.abort();
      await Promise.all(all);
    },
  };
}
