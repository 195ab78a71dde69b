// The client of the pages: the reads of /v1 and the app's own endpoints, by the session. It trusts the responses of its own gateway, so it carries no schemas.

import type * as v from 'valibot';

import { requestTarget } from '../../../client/request.ts';
import { nextCursor } from '../../../client/response.ts';
import type { Api, CallOptions } from '../../../contract/api.ts';
import { abortFailure, Failure, mismatchFailure } from '../../../contract/failure.ts';
import type { Memory } from '../../../contract/memory.ts';
import type { appRoutes } from '../../contract.ts';
import type { AppRoute } from '../../route.ts';

type Routes = typeof appRoutes;

/** A method of the client: the input of an endpoint, which may be absent if it is empty. */
type Call<R extends AppRoute> = (
  ...args: object extends v.InferInput<R['input']>
    ? [input?: v.InferInput<R['input']>]
    : [input: v.InferInput<R['input']>]
) => Promise<v.InferOutput<R['output']>>;

/** The app's own endpoints as functions. They reject with `Failure` only. */
export type AppClient = {
  readonly [G in keyof Routes]: {
    readonly [N in keyof Routes[G]]: Routes[G][N] extends AppRoute ? Call<Routes[G][N]> : never;
  };
};

/** Receives the text of a response so far. The rest is read when it has resolved. */
export type OnText = (text: string) => Promise<void>;

/** The reads of the API that the pages use. They reject with `Failure` only. */
export interface Reads {
  readonly memories: Pick<Api['memories'], 'get' | 'page'> & {
    /** Reads a memory. `onText` is called once, with the first part of a long response. */
    readonly getLong: (input: { memory_id: string }, onText: OnText) => Promise<Memory>;
  };
  readonly search: Pick<Api['search'], 'page'>;
  readonly days: Api['days'];
  readonly changes: Pick<Api['changes'], 'page'>;
}

/** What a client needs. */
export interface AppClientOptions {
  /** The address of the gateway without a slash at its end. */
  readonly gateway: string;
  readonly send: (request: Request) => Promise<Response>;
}

/** The path and the method of each endpoint. The type has them from the contract, so they cannot differ. */
type Targets = {
  readonly [G in keyof Routes]: {
    readonly [N in keyof Routes[G]]: Routes[G][N] extends AppRoute
      ? `${Routes[G][N]['path']} ${Routes[G][N]['method']}`
      : never;
  };
};

const TARGETS: Targets = {
  me: {
    get: '/app/v1/me GET',
  },
  ways: {
    get: '/app/v1/ways GET',
  },
  links: {
    create: '/app/v1/links POST',
    look: '/app/v1/links/look POST',
  },
  sessions: {
    create: '/app/v1/sessions POST',
    list: '/app/v1/sessions GET',
    end: '/app/v1/sessions/{id} DELETE',
    endOthers: '/app/v1/sessions DELETE',
  },
  keys: {
    list: '/app/v1/keys GET',
    create: '/app/v1/keys POST',
    rotate: '/app/v1/keys/{id}/rotate POST',
    revoke: '/app/v1/keys/{id} DELETE',
  },
  grants: {
    list: '/app/v1/grants GET',
    revoke: '/app/v1/grants/{id} DELETE',
  },
  consents: {
    look: '/app/v1/consents/look POST',
    allow: '/app/v1/consents POST',
    deny: '/app/v1/consents/deny POST',
  },
  agents: {
    list: '/app/v1/agents GET',
  },
  notes: {
    get: '/app/v1/memories/{id}/markdown GET',
  },
  challenges: {
    create: '/app/v1/challenges POST',
  },
  passkeys: {
    list: '/app/v1/passkeys GET',
    create: '/app/v1/passkeys POST',
    relabel: '/app/v1/passkeys/{id} POST',
    remove: '/app/v1/passkeys/{id} DELETE',
  },
  password: {
    set: '/app/v1/password POST',
    remove: '/app/v1/password DELETE',
  },
  events: {
    list: '/app/v1/events GET',
  },
};

const TIMEOUT_MS = 60_000;

type Values = Readonly<Record<string, unknown>>;

/** Creates the client of the app's own endpoints. */
export function createAppClient(options: AppClientOptions): AppClient {
  const client: Record<string, Record<string, unknown>> = {};
  for (const [group, targets] of Object.entries<Readonly<Record<string, string>>>(TARGETS)) {
    const methods: Record<string, unknown> = {};
    client[group] = methods;
    for (const [name, target] of Object.entries(targets)) {
      const [path = '', method = ''] = target.split(' ');
      methods[name] = async (input: Values = {}) =>
        (await exchange(options, requestOf(options.gateway, method, path, input))).output;
    }
  }
  return client as unknown as AppClient;
}

function requestOf(gateway: string, method: string, path: string, input: Values): Request {
  const body = { ...input };
  const target = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = encodeURIComponent(String(body[name]));
    delete body[name];
    return value;
  });
  if (method === 'GET') return new Request(gateway + target);
  // Every request that changes something has a JSON body, which other sites cannot send.
  const headers = { 'content-type': 'application/json' };
  return new Request(gateway + target, { method, headers, body: JSON.stringify(body) });
}

/** Creates the reads. */
export function createReads(options: AppClientOptions): Reads {
  const get = (path: `/${string}`, input?: object, call?: CallOptions, onText?: OnText) => {
    const url = options.gateway + requestTarget({ path: `/app${path}` }, input as Values);
    return exchange(options, new Request(url, signals(call)), onText);
  };
  const page = (path: `/${string}`) => async (input?: object, call?: CallOptions) => {
    const { output, next } = await get(path, input, call);
    return { items: output, next };
  };
  const read = (path: `/${string}`) => async (input?: object, call?: CallOptions) =>
    (await get(path, input, call)).output;
  const memory = '/v1/memories/{memory_id}';
  return {
    memories: {
      get: read(memory),
      getLong: async (input: object, onText: OnText) =>
        (await get(memory, input, {}, onText)).output,
      page: page('/v1/memories'),
    },
    search: { page: page('/v1/search') },
    days: { list: read('/v1/days') },
    changes: { page: page('/v1/changes') },
  } as unknown as Reads;
}

function signals({ signal }: CallOptions = {}): RequestInit {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  return { signal: signal ? AbortSignal.any([signal, timeout]) : timeout };
}

async function exchange({ send }: AppClientOptions, request: Request, onText?: OnText) {
  let response;
  let text;
  try {
    response = await send(request);
    text = await textOf(response, onText);
  } catch (cause) {
    if (request.signal.aborted) throw abortFailure(request.signal);
    throw new Failure(0, 'The gateway does not answer.', { reason: 'network', cause });
  }
  const { status, headers } = response;
  const output = status === 204 || text === '' ? null : parse(status, text);
  if (status >= 400) throw failureOf(status, output);
  return { output, next: nextCursor(headers.get('link') ?? '') ?? undefined };
}

/** How much of a long response is shown first, in UTF-16 code units: several screens, and little to lay out. */
export const FIRST_PART = 16_000;

async function textOf(response: Response, onText?: OnText): Promise<string> {
  if (onText === undefined || !response.ok || response.body === null) return response.text();
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

function parse(status: number, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw mismatchFailure(status);
  }
}

function failureOf(status: number, said: unknown): Failure {
  const detail = said !== null && typeof said === 'object' && 'detail' in said ? said.detail : '';
  return typeof detail === 'string' && detail !== ''
    ? new Failure(status, detail)
    : mismatchFailure(status);
}
