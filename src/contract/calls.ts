// Calls: the Api of a program, made from the one function with which its door calls an endpoint.

import type { Answering } from './answers.ts';
import type { Api, CallOptions, FollowOptions } from './api.ts';
import type { Endpoint } from './endpoints.ts';
import { aborted, Failure, foreign } from './failure.ts';
import { pause } from './pause.ts';

/** How many items a page has where a walk through all of them does not say. */
const PAGE = 100;

/** How long to wait for changes before asking again. */
const EVERY_MS = 10_000;

type Values = Readonly<Record<string, unknown>>;

/** What a door brings back: what the endpoint answered, and the cursor of the next page, if any. */
export interface Reached {
  readonly output: unknown;
  readonly next: string | undefined;
}

/** A call on its way to a door. */
export interface Wanted<R extends Answering> {
  readonly endpoint: Endpoint<R>;
  readonly input: Values;
  /** The input of the call that began this walk: it says what the output is cut to, which a cursor does not. */
  readonly asked: Values;
  readonly signal: AbortSignal | undefined;
}

/** Calls an endpoint through a door. Rejects with `Failure` only. */
export type CallEndpoint<R extends Answering> = (wanted: Wanted<R>) => Promise<Reached>;

/** Makes the Api of a door: every endpoint of a contract, and the walks through its lists. */
export function createApi<R extends Answering>(
  groups: Readonly<Record<string, Readonly<Record<string, R>>>>,
  call: CallEndpoint<R>,
): Api {
  const api: Record<string, Record<string, unknown>> = {};
  for (const [group, routes] of Object.entries(groups)) {
    const calls = (api[group] = {} as Record<string, unknown>);
    for (const [name, route] of Object.entries(routes)) {
      const endpoint = { name: `${group}.${name}`, route };
      const reach: Reach = async (input, options, asked = input) =>
        call({ endpoint, input, asked, signal: signalOf(options) });
      calls[name] = async (input?: Values, options?: CallOptions) =>
        (await reach(readValues(input), options)).output;
      if (name === 'list' && route.next !== undefined)
        Object.assign(calls, walks(reach, route.next));
    }
  }
  return api as unknown as Api;
}

type Reach = (input: Values, options?: CallOptions, asked?: Values) => Promise<Reached>;

function walks(reach: Reach, kind: 'cursor' | 'since') {
  const page = async (input?: Values, options?: CallOptions) => take(readValues(input), options);
  return kind === 'cursor' ? { page, each } : { page, follow };

  async function take(input: Values, options?: CallOptions, asked?: Values) {
    const { output: items, next } = await reach(input, options, asked);
    if (!Array.isArray(items)) throw foreign(200);
    // What leads back to itself would be walked for ever; but a feed has no last page, and may stand still.
    const isStill = kind === 'since' && items.length === 0;
    const isLost = next === undefined ? kind === 'since' : next === input[kind] && !isStill;
    if (isLost) throw foreign(200);
    return { items, next };
  }

  async function* each(input?: Values, options?: CallOptions): AsyncGenerator {
    const asked = readValues(input);
    // A cursor brings the size of its pages with it.
    let values: Values = 'cursor' in asked ? asked : { limit: PAGE, ...asked };
    for (;;) {
      const { items, next } = await take(values, options, asked);
      for (const item of items) {
        signalOf(options);
        yield item;
      }
      if (next === undefined) return;
      values = { cursor: next };
    }
  }

  async function* follow(input?: Values, options?: FollowOptions): AsyncGenerator {
    const ms = options?.everyMs ?? EVERY_MS;
    if (typeof ms !== 'number' || !(ms > 0))
      throw new Failure(422, 'Give everyMs a number above 0.');
    const asked = readValues(input);
    for (let values = asked; ;) {
      const changed = await take(values, options);
      values = { ...asked, since: changed.next };
      if (changed.items.length > 0) yield changed;
      else await pause(ms, signalOf(options));
    }
  }
}

/** A program's input without what is undefined, which is as good as not given. */
function readValues(input: unknown): Values {
  const values = input ?? {};
  if (typeof values !== 'object' || Symbol.iterator in values)
    throw new Failure(422, 'Give an object of parameters.');
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** The signal of a call, for as long as it has not ended it. Fails when it has. */
function signalOf(options: CallOptions | undefined): AbortSignal | undefined {
  const signal = options?.signal ?? undefined;
  if (signal?.aborted) throw aborted(signal);
  return signal;
}
