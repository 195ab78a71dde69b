// Clients that send requests endlessly, on persistent and on new connections, and check every byte of the responses.

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** A request, and the SHA-256 of the expected body. */
export interface Target {
  readonly path: string;
  readonly key: string;
  readonly hash: string;
}

/** The outcome of a request: right, wrong or cut off, or no response, or a refused connection. */
export type Outcome = 'right' | 'wrong' | 'cut' | 'unanswered' | 'refused';

/** Longest time without a byte before a response counts as missing. */
const PATIENCE_MS = 60_000;

/** Returns the SHA-256 of a response body. */
export function hashOf(body: Uint8Array): string {
  return createHash('sha256').update(body).digest('hex');
}

/** Sends one request and returns the outcome. */
async function askFor({ path, key, hash }: Target, port: number, agent: Agent): Promise<Outcome> {
  const headers = { 'x-api-key': key };
  const sent = request({ port, host: '127.0.0.1', path, headers, agent, timeout: PATIENCE_MS });
  let before = 0;
  sent.once('socket', ({ bytesRead }) => (before = bytesRead));
  sent.once('timeout', () => sent.destroy(new Error('nothing comes')));
  const answered = once(sent, 'response');
  sent.on('error', () => {}); // the connection may break again, in the middle of the response
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

/** Running callers. */
export interface Load {
  /** The outcomes so far. */
  readonly outcomes: Record<Outcome, number>;
  /** Resolves after the given number of further right responses. */
  readonly more: (count: number) => Promise<void>;
  /** Resolves when every caller has its last response. */
  readonly stop: () => Promise<void>;
}

/**
 * Starts callers, every second one on a persistent connection. Each sends its next request at once,
 * because a request sent just when the server closes an idle connection is lost, as HTTP/1.1 allows
 * (RFC 9112 section 9.5).
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
