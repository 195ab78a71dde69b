// Creates an Api from one function that calls an endpoint, and adds the methods for pages.

import { delay } from './abort.ts';
import type { Api, CallOptions, FollowOptions } from './api.ts';
import type { ClientRoute } from './client-routes.ts';
import type { Endpoint } from './endpoints.ts';
import { abortFailure, Failure, mismatchFailure } from './failure.ts';

/** The page size of `each`, if the input has no `limit`. */
const DEFAULT_PAGE_SIZE = 100;

/** The time that `follow` waits for changes. */
const DEFAULT_POLL_MS = 10_000;

type Values = Readonly<Record<string, unknown>>;

/** The result of a call: the endpoint's output, and the cursor of the next page if there is one. */
export interface CallResult {
  readonly output: unknown;
  readonly next: string | undefined;
}

/** One call of an endpoint. */
export interface EndpointCall<R extends ClientRoute> {
  readonly endpoint: Endpoint<R>;
  readonly input: Values;
  /** The input of the first page. It has the `fields` of every page; a later page's input has only a cursor. */
  readonly first: Values;
  readonly signal: AbortSignal | undefined;
}

/** Calls an endpoint, over HTTP or in the same process. Rejects with `Failure` only. */
export type CallEndpoint<R extends ClientRoute> = (call: EndpointCall<R>) => Promise<CallResult>;

/** Creates the Api of a contract. Each method calls `call`. */
export function createApi<R extends ClientRoute>(
  groups: Readonly<Record<string, Readonly<Record<string, R>>>>,
  call: CallEndpoint<R>,
): Api {
  const api: Record<string, object> = {};
  for (const [group, routes] of Object.entries(groups)) {
    const methods: Record<string, unknown> = {};
    api[group] = methods;
    for (const [name, route] of Object.entries(routes)) {
      const endpoint = { name: `${group}.${name}`, route };
      const send: Send = async (input, options, first = input) =>
        call({ endpoint, input, first, signal: signalOf(options) });
      const method: Method = async (input, options) =>
        (await send(readValues(input), options)).output;
      methods[name] = method;
      if (route.isGroupCall) api[group] = Object.assign(method, { page: groupPage(send) });
      if (name === 'list' && route.cursorParameter !== undefined)
        Object.assign(methods, pageMethods(send, route.cursorParameter));
    }
  }
  return api as unknown as Api;
}

type Method = (input?: Values, options?: CallOptions) => Promise<unknown>;

/** The page of a group that is called itself. Its items are not an array. */
function groupPage(send: Send): Method {
  return async (input, options) => {
    const { output: items, next } = await send(readValues(input), options);
    return { items, next };
  };
}

type Send = (input: Values, options?: CallOptions, firstInput?: Values) => Promise<CallResult>;

function pageMethods(send: Send, parameter: 'cursor' | 'since') {
  const page = async (input?: Values, options?: CallOptions) =>
    fetchPage(readValues(input), options);
  return parameter === 'cursor' ? { page, each } : { page, follow };

  async function fetchPage(input: Values, options?: CallOptions, firstInput?: Values) {
    const { output: items, next } = await send(input, options, firstInput);
    if (!Array.isArray(items)) throw mismatchFailure(200);
    // The latest changes first have pages that end, like a list.
    const isFeed = parameter === 'since' && !isWalk(input);
    const sent = isFeed ? input['since'] : input['cursor'];
    // A cursor that leads to itself would loop forever. Only a feed stands still while nothing changes.
    const isLoop = next === sent && (items.length > 0 || !isFeed);
    if (next === undefined ? isFeed : isLoop) throw mismatchFailure(200);
    return { items, next };
  }

  async function* each(input?: Values, options?: CallOptions): AsyncGenerator {
    const firstInput = readValues(input);
    // A cursor carries the page size of its first request.
    let values: Values =
      'cursor' in firstInput ? firstInput : { limit: DEFAULT_PAGE_SIZE, ...firstInput };
    for (;;) {
      const { items, next } = await fetchPage(values, options, firstInput);
      for (const item of items) {
        signalOf(options);
        yield item;
      }
      if (next === undefined) return;
      values = { cursor: next };
    }
  }

  async function* follow(input?: Values, options?: FollowOptions): AsyncGenerator {
    const ms = options?.everyMs ?? DEFAULT_POLL_MS;
    if (typeof ms !== 'number' || !(ms > 0)) throw new Failure(422, 'Set everyMs above 0.');
    const firstInput = readValues(input);
    if (isWalk(firstInput))
      throw new Failure(422, 'Follow changes without "cursor" and without "order" desc.');
    let isReset = false;
    for (let values = firstInput; ;) {
      let changes;
      try {
        changes = await fetchPage(values, options);
      } catch (error) {
        const isUndone = error instanceof Failure && error.status === 410;
        if (!isUndone || values['since'] === undefined) throw error;
        const { since: _, ...start } = firstInput;
        values = start;
        isReset = true;
        continue;
      }
      values = { ...firstInput, since: changes.next };
      if (isReset) yield { ...changes, reset: true };
      else if (changes.items.length > 0) yield changes;
      else await delay(ms, signalOf(options));
      isReset = false;
    }
  }
}

/** Returns whether an input walks from the latest change to the first. */
function isWalk({ order, cursor }: Values): boolean {
  return order === 'desc' || cursor !== undefined;
}

/** Returns the input without properties that are `undefined`. Throws a `Failure` if it is no object. */
function readValues(input: unknown): Values {
  const values = input ?? {};
  if (typeof values !== 'object' || Symbol.iterator in values)
    throw new Failure(422, 'Pass an object of parameters.');
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** Returns the signal of a call. Throws a `Failure` if it has aborted. */
function signalOf(options: CallOptions | undefined): AbortSignal | undefined {
  const signal = options?.signal ?? undefined;
  if (signal?.aborted) throw abortFailure(signal);
  return signal;
}
