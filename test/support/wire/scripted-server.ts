// A server that sends scripted responses, for tests of the client's error handling.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { TestContext } from 'node:test';

import { listen } from '../world/server-in-process.ts';

export type Step = (response: ServerResponse, request: IncomingMessage) => void;

export interface Scripted {
  readonly url: string;
  /** The received requests, in order. */
  readonly seen: IncomingMessage[];
}

/** Serves one step per request, then repeats the last step, until the test ends. */
export async function createScripted(t: TestContext, ...steps: Step[]): Promise<Scripted> {
  const seen: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    seen.push(request);
    const step = steps[seen.length - 1] ?? steps.at(-1);
    step?.(response, request);
  });
  return { url: `http://127.0.0.1:${await listen(t, server)}`, seen };
}

/** Sends a body, as JSON if it is not a string. */
export function say(status: number, body: unknown, headers: Record<string, string> = {}): Step {
  return (response) =>
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(typeof body === 'string' ? body : JSON.stringify(body));
}

/** Closes the connection before a response. */
export const hangUp: Step = (response) => response.destroy();

/** Never responds. */
export const stall: Step = () => {};

/** Sends half a response, then nothing. */
export const stallHalfway: Step = (response) =>
  response.writeHead(200, { 'content-length': '100' }).write('[');

/** Sends half a response, then closes the connection. */
export const breakHalfway: Step = (response) => {
  response.writeHead(200, { 'content-length': '100' }).write('[');
  setImmediate(() => response.destroy());
};
