// Calls: the Api of a program, made from the one function with which its door calls an endpoint.

import type { Answering } from './answers.ts';
import type { Api, CallOptions, FollowOptions } from './api.ts';
import { endpointsOf, type Endpoint } from './endpoints.ts';
import { aborted, Failure } from './failure.ts';
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
  for (const endpoint of endpointsOf(groups)) {
    const [group, name] = endpoint.name.split('.') as [string, string];
    const reach: Reach = async (input, options, asked = input) =>
      call({ endpoint, input, asked, signal: options?.signal ?? undefined });
    const calls = (api[group] ??= {});
    calls[name] = async (input?: Values, options?: CallOptions) =>
      (await reach(readValues(input), options)).output;
    const { next: kind } = endpoint.route;
    if (name === 'list' && kind !== undefined) Object.assign(calls, walks(reach, kind));
  }
  return api as unknown as Api;
}

type Reach = (input: Values, options?: CallOptions, asked?: Values) => Promise<Reached>;

function walks(reach: Reach, kind: 'cursor' | 'since') {
  async function page(input?: Values, options?: CallOptions) {
    const { output: items, next } = await reach(readValues(input), options);
    return { items, next };
  }
  return kind === 'cursor' ? { page, each } : { page, follow };

  async function* each(input?: Values, options?: CallOptions): AsyncGenerator {
    const asked = readValues(input);
    // A cursor brings the size of its pages with it.
    let values: Values = 'cursor' in asked ? asked : { limit: PAGE, ...asked };
    for (;;) {
      const { output, next } = await reach(values, options, asked);
      if (!Array.isArray(output) || next === (values['cursor'] ?? null)) throw endless();
      for (const item of output) {
        if (options?.signal?.aborted) throw aborted(options.signal);
        yield item;
      }
      if (next === undefined) return;
      values = { cursor: next };
    }
  }

  async function* follow(input?: Values, options?: FollowOptions): AsyncGenerator {
    const asked = readValues(input);
    for (let { since } = asked; ;) {
      const { items, next } = await page({ ...asked, since }, options);
      if (!Array.isArray(items) || next === undefined) throw endless();
      since = next;
      if (items.length > 0) yield { items, next };
      else await pause(options?.everyMs ?? EVERY_MS, options?.signal);
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

function endless(): Failure {
  return new Failure(200, 'The list has no end; check baseUrl.', { reason: 'mismatch' });
}
