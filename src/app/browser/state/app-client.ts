// The clients of the pages: the reads of /v1 and the app's own endpoints, by the session. They trust the responses of their own gateway, so they carry no schemas.

import { toRequest } from '../../../client/request.ts';
import { readResponse } from '../../../client/response.ts';
import type { Api, ApiOf } from '../../../contract/api.ts';
import { createMethods, type CallEndpoint } from '../../../contract/create-methods.ts';
import { abortFailure, Failure } from '../../../contract/failure.ts';
import type { Memory } from '../../../contract/memory.ts';
import { targets, type Target } from '../../../contract/targets.ts';
import type { appRoutes } from '../../contract.ts';
import { appTargets } from '../../targets.ts';

/** The app's own endpoints as functions. They reject with `Failure` only. */
export type AppClient = ApiOf<typeof appRoutes>;

/** Receives the text of a response so far. The rest is read when it has resolved. */
export type OnText = (text: string) => Promise<void>;

interface ShortReads {
  readonly memories: Pick<Api['memories'], 'get' | 'page'>;
  readonly search: Pick<Api['search'], 'page'>;
  readonly days: Api['days'];
  readonly changes: Pick<Api['changes'], 'page'>;
}

/** The reads of the API that the pages use. They reject with `Failure` only. */
export interface Reads extends ShortReads {
  /** Reads a memory. `onText` is called once, with the first part of a long response. */
  readonly longMemory: (memory_id: string, onText: OnText) => Promise<Memory>;
}

/** What a client needs. */
export interface AppClientOptions {
  /** The address of the gateway without a slash at its end. */
  readonly gateway: string;
  readonly send: (request: Request) => Promise<Response>;
}

/** Creates the client of the app's own endpoints. */
export function createAppClient({ gateway, send }: AppClientOptions): AppClient {
  return createMethods(appTargets, callerOf(gateway, send)) as AppClient;
}

/** Creates the reads. */
export function createReads({ gateway, send }: AppClientOptions): Reads {
  const create = (readText?: ReadText) =>
    createMethods(targets, callerOf(`${gateway}/app`, send, readText)) as ShortReads;
  return {
    ...create(),
    longMemory: async (memory_id, onText) =>
      create((response) => textOf(response, onText)).memories.get({ memory_id }),
  };
}

type ReadText = (response: Response) => Promise<string>;

const TIMEOUT_MS = 60_000;

/** Creates the function that calls endpoints. The connection retries, and the browser caches. */
function callerOf(
  baseUrl: string,
  send: AppClientOptions['send'],
  readText: ReadText = (response) => response.text(),
): CallEndpoint<Target> {
  return async ({ endpoint: { route }, input, signal: caller }) => {
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    const signal = caller ? AbortSignal.any([caller, timeout]) : timeout;
    const { target, body } = toRequest(route, input);
    // Every request that changes something has a JSON body, which other sites cannot send.
    const json = body && { body, headers: { 'content-type': 'application/json' } };
    try {
      const request = new Request(baseUrl + target, { method: route.method, signal, ...json });
      const response = await send(request);
      return readResponse({ response, text: await readText(response) }, route);
    } catch (cause) {
      if (cause instanceof Failure) throw cause;
      if (signal.aborted) throw abortFailure(signal);
      throw new Failure(0, 'No response.', { reason: 'network', cause });
    }
  };
}

/** How much of a long response is shown first, in UTF-16 code units: several screens, and little to lay out. */
export const FIRST_PART = 16_000;

async function textOf(response: Response, onText: OnText): Promise<string> {
  if (!response.ok || response.body === null) return response.text();
  let text = '';
  let isFirst = true;
  for await (const part of partsOf(response.body.pipeThrough(new TextDecoderStream()))) {
    text += part;
    if (!isFirst || text.length < FIRST_PART) continue;
    isFirst = false;
    await onText(text);
  }
  return text;
}

/** Reads a stream. Safari cannot iterate it. */
async function* partsOf(stream: ReadableStream<string>): AsyncGenerator<string> {
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}
