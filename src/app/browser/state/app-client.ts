// The clients of the pages: the reads of /v1 and the app's own endpoints, by the session. They trust the responses of their own gateway, so they carry no schemas.

import { readResponse } from '../../../client/response.ts';
import { fillPath, requestTarget } from '../../../client/send.ts';
import type { Api, ApiOf } from '../../../contract/api.ts';
import {
  createMethods,
  type CallEndpoint,
  type CallInput,
} from '../../../contract/create-methods.ts';
import { abortFailure, Failure } from '../../../contract/failure.ts';
import type { Memory } from '../../../contract/schemas/memory.ts';
import { targets, type Target } from '../../../contract/targets.ts';
import type { appRoutes } from '../../contract/app-routes.ts';
import { appTargets } from '../../contract/app-targets.ts';

/** The app's own endpoints as functions. They reject with `Failure` only. */
export type AppClient = ApiOf<typeof appRoutes>;

/** Receives the text of a response so far. The rest is read when it has resolved. */
export type OnText = (text: string) => Promise<void>;

interface ShortReads {
  readonly memories: Pick<Api['memories'], 'get' | 'page' | 'lines' | 'details'>;
  readonly search: Pick<Api['search'], 'page'>;
  readonly days: Api['days'];
  readonly people: Pick<Api['people'], 'page'>;
  readonly tags: Api['tags'];
  readonly actionItems: Pick<Api['actionItems'], 'page'>;
  readonly changes: Pick<Api['changes'], 'page'>;
}

/** The reads of the API that the pages use. They reject with `Failure` only. */
export interface AppReads extends ShortReads {
  /** Reads a memory. `onText` is called once, with the first part of a long response. */
  readonly longMemory: (memory_id: string, onText: OnText) => Promise<Memory>;
}

/** Sends a request by the session. */
export type SendRequest = (request: Request) => Promise<Response>;

/** Creates the client of the app's own endpoints. The address of the gateway has no slash at its end. */
export function createAppClient(gateway: string, send: SendRequest): AppClient {
  return createMethods(appTargets, callerOf(gateway, send)) as AppClient;
}

/** Creates the reads. */
export function createReads(gateway: string, send: SendRequest): AppReads {
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
  send: SendRequest,
  readText: ReadText = (response) => response.text(),
): CallEndpoint<Target> {
  return async ({ endpoint: { route }, input, signal: caller }) => {
    const signals = [AbortSignal.timeout(TIMEOUT_MS)].concat(caller ?? []);
    const signal = AbortSignal.any(signals);
    try {
      const response = await send(requestOf(baseUrl, route, { input, signal }));
      if (response.status === 204) return { output: null, next: undefined };
      return readResponse({ response, text: await readText(response) });
    } catch (cause) {
      if (cause instanceof Failure) throw cause;
      if (signal.aborted) throw abortFailure(signal);
      return noResponse(cause);
    }
  };
}

/** Throws the failure of a request that got no response. */
export function noResponse(cause: unknown): never {
  throw new Failure(0, 'No response.', { reason: 'network', cause });
}

interface Sent {
  readonly input: CallInput;
  readonly signal: AbortSignal;
}

function requestOf(baseUrl: string, route: Target, { input, signal }: Sent): Request {
  const { method = 'GET' } = route;
  if (method === 'GET') return new Request(baseUrl + requestTarget(route, input), { signal });
  const { path, rest } = fillPath(route, input);
  // Every request that changes something has a JSON body, which other sites cannot send.
  const headers = { 'content-type': 'application/json' };
  return new Request(baseUrl + path, { method, headers, body: JSON.stringify(rest), signal });
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
