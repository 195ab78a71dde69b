// A server that answers as a script says: what stands between a client and its gateway on a bad day.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { TestContext } from 'node:test';

import { listen } from './serving.ts';

export type Step = (response: ServerResponse, request: IncomingMessage) => void;

export interface Scripted {
  readonly url: string;
  /** The requests that came, in order. */
  readonly seen: IncomingMessage[];
}

/** Serves the steps one a request, the last one from then on, until the test ends. */
export async function createScripted(t: TestContext, ...steps: Step[]): Promise<Scripted> {
  const seen: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    seen.push(request);
    const step = steps[seen.length - 1] ?? steps.at(-1);
    step?.(response, request);
  });
  return { url: `http://127.0.0.1:${await listen(t, server)}`, seen };
}

/** Answers with a body, as JSON where it is no text. */
export function say(status: number, body: unknown, headers: Record<string, string> = {}): Step {
  return (response) =>
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(typeof body === 'string' ? body : JSON.stringify(body));
}

/** Breaks the connection before an answer. */
export const hangUp: Step = (response) => response.destroy();

/** Never answers. */
export const stall: Step = () => {};

/** Sends half an answer, then nothing. */
export const stallHalfway: Step = (response) =>
  response.writeHead(200, { 'content-length': '100' }).write('[');

/** Sends half an answer, then breaks. */
export const breakHalfway: Step = (response) => {
  response.writeHead(200, { 'content-length': '100' }).write('[');
  setImmediate(() => response.destroy());
};
