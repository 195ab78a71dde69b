// An embeddings endpoint on loopback: vectors of hashed letters, or useless ones, and failures when a test wants them.

import { hash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';

/** A request that the endpoint got. */
export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: { readonly model: string; readonly input: readonly string[] };
}

/** How the endpoint answers. A test may change it at any time. */
export interface Behaviour {
  /** `letters`: alike for alike words. `random`: of the whole text, so that nothing is near to anything. */
  vectors: 'letters' | 'random';
  /** Words that mean the same. */
  synonyms: Readonly<Record<string, string>>;
  /** The status of every response. 0: no response at all. */
  status: number;
  /** Requests with a text that has this get the status of `refusal`. */
  refuses: string | undefined;
  refusal: number;
  /** The header Retry-After of every response. */
  retryAfter: string | undefined;
  /** How long it takes for each text, in milliseconds. */
  msPerText: number;
  /** What each response waits for. */
  held: Promise<void> | undefined;
  /** Whether it closes each connection that is used a second time, as if it had been idle for too long. */
  closesKept: boolean;
  /** The body of every response. Default: the vectors. */
  reply: string | undefined;
}

/** An endpoint that runs. */
export interface TestEndpoint extends Behaviour {
  readonly url: string;
  readonly received: Received[];
  close(): Promise<void>;
}

const DIMENSIONS = 512;

/** Starts an endpoint on a free port. */
export async function startEndpoint(behaviour: Partial<Behaviour> = {}): Promise<TestEndpoint> {
  const received: Received[] = [];
  const used = new WeakSet<Socket>();
  const server = createServer((request, response) => {
    if (endpoint.closesKept && used.has(request.socket)) {
      request.socket.destroy();
      return;
    }
    used.add(request.socket);
    void (async () => {
      let text = '';
      for await (const part of request) text += String(part);
      const body = JSON.parse(text) as Received['body'];
      received.push({ headers: request.headers, body });
      if (endpoint.status === 0) return; // until the client gives up
      const data = body.input.map((input, index) => ({ index, embedding: vectorOf(input) }));
      const { refuses } = endpoint;
      const isRefused = refuses !== undefined && body.input.some((each) => each.includes(refuses));
      await endpoint.held;
      await setTimeout(endpoint.msPerText * body.input.length);
      response.writeHead(isRefused ? endpoint.refusal : endpoint.status, {
        'content-type': 'application/json',
        ...(endpoint.retryAfter !== undefined && { 'retry-after': endpoint.retryAfter }),
      });
      response.end(endpoint.reply ?? JSON.stringify({ object: 'list', data }));
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const vectorOf = (text: string) =>
    endpoint.vectors === 'random' ? randomVector(text) : vectorOfLetters(text, endpoint.synonyms);
  const endpoint: TestEndpoint = {
    url: `http://127.0.0.1:${port}/v1`,
    received,
    vectors: 'letters',
    synonyms: {},
    status: 200,
    refuses: undefined,
    refusal: 500,
    retryAfter: undefined,
    msPerText: 0,
    held: undefined,
    closesKept: false,
    reply: undefined,
    ...behaviour,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return endpoint;
}

/** Words of up to three letters mostly join others. */
const SHORT = 3;
const SHORT_WEIGHT = 0.1;

/** Adds up the pieces of three letters of all words. */
function vectorOfLetters(text: string, synonyms: Behaviour['synonyms']): number[] {
  const vector = Array.from({ length: DIMENSIONS }, () => 0);
  vector[0] = 0.001; // also of a text without words
  for (const found of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    const word = `^${Object.hasOwn(synonyms, found) ? synonyms[found] : found}$`;
    const weight = word.length - 2 <= SHORT ? SHORT_WEIGHT : 1;
    for (let i = 0; i + 3 <= word.length; i++) {
      const number = hashOf(word.slice(i, i + 3));
      const at = number % DIMENSIONS;
      vector[at] = (vector[at] ?? 0) + (number & 0x10000 ? weight : -weight);
    }
  }
  return vector;
}

function hashOf(text: string): number {
  let found = 0x811c9dc5;
  for (let i = 0; i < text.length; i++)
    found = Math.imul(found ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return found;
}

function randomVector(text: string): number[] {
  return Array.from({ length: DIMENSIONS / 32 }, (_, i) => [
    ...hash('sha256', `${i} ${text}`, 'buffer'),
  ])
    .flat()
    .map((byte) => byte - 127.5);
}
