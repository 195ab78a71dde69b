// Sends one request and reads its response.

import { request as httpRequest, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

import { Refusal } from '../../src/store/refusal.ts';
import type { Running } from './server.ts';

/** A request. */
export interface Request {
  /** Default: GET. */
  readonly method?: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A request that every server answers once it listens. */
export const READY: Request = { path: '/healthz', headers: {} };

/** A response. */
export interface Answer {
  readonly status: number;
  /** Name, value, name, value, … as received. */
  readonly head: readonly string[];
  readonly body: Buffer;
}

const PATIENCE_MS = 15_000;

/** Sends one request to a server. */
export async function ask(port: number, request: Request): Promise<Answer> {
  const response = await open(port, request);
  const body = await buffer(response);
  return { status: response.statusCode ?? 0, head: response.rawHeaders, body };
}

/**
 * Sends a request until the server responds, because it may not listen yet. Rejects with `Refusal`
 * if the server ends or never responds.
 */
export async function askUntilAnswered(
  server: Pick<Running, 'port' | 'ended'>,
  request: Request,
): Promise<Answer> {
  const until = performance.now() + PATIENCE_MS;
  const retry = async (): Promise<Answer> => {
    for (;;) {
      try {
        return await ask(server.port, request);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED') throw error;
        if (performance.now() > until) throw new Refusal('A server did not answer in 15 s.');
        await pause(1);
      }
    }
  };
  return Promise.race([retry(), server.ended]);
}

/**
 * Sends a request, and passes on the parts of the response as they arrive. Returns the number of
 * bytes.
 */
export async function drain(
  port: number,
  request: Request,
  take: (part: Buffer) => unknown = () => {},
): Promise<number> {
  let bytes = 0;
  for await (const part of (await open(port, request)) as AsyncIterable<Buffer>) {
    bytes += part.length;
    await take(part);
  }
  return bytes;
}

function open(port: number, request: Request): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  httpRequest({ ...request, host: '127.0.0.1', port, agent: false }, resolve)
    .on('error', reject)
    .end(request.body);
  return promise;
}
