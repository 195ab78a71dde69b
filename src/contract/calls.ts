// Calls: the Api of a program, made from the one function with which its door calls an endpoint.

import type { Api, CallOptions } from './api.ts';
import { endpointsOf, type Endpoint } from './endpoints.ts';
import { aborted, Failure } from './failure.ts';
import { routes } from './routes.ts';

/** How many items a page has where a walk through all of them does not say. */
const PAGE = 100;

type Values = Readonly<Record<string, unknown>>;

/** What a door brings back: what the endpoint answered, and the cursor of the next page, if any. */
export interface Reached {
  readonly output: unknown;
  readonly next: string | undefined;
}

/** Calls an endpoint through a door. Rejects with `Failure` only. */
export type CallEndpoint = (
  endpoint: Endpoint,
  input: Values,
  options: CallOptions,
) => Promise<Reached>;

/** Makes the Api of a door: every endpoint of the contract, and the walks through its lists. */
export function createApi(call: CallEndpoint): Api {
  const api: Record<string, Record<string, unknown>> = {};
  for (const endpoint of endpointsOf(routes)) {
    const [group, name] = endpoint.name.split('.') as [string, string];
    const reach = async (input?: Values, options?: CallOptions) =>
      call(endpoint, readValues(input), { signal: options?.signal ?? undefined });
    const calls = (api[group] ??= {});
    calls[name] = async (input?: Values, options?: CallOptions) =>
      (await reach(input, options)).output;
    if (name === 'list' && 'cursor' in endpoint.route.input.entries)
      Object.assign(calls, walks(reach));
  }
  return api as Api;
}

function walks(reach: (input?: Values, options?: CallOptions) => Promise<Reached>) {
  return {
    async page(input?: Values, options?: CallOptions) {
      const { output: items, next } = await reach(input, options);
      return { items, next };
    },
    async *each(input?: Values, options?: CallOptions): AsyncGenerator {
      const values = readValues(input);
      // A cursor brings the size of its pages with it.
      let page: Values = 'cursor' in values ? values : { limit: PAGE, ...values };
      for (;;) {
        const { output, next } = await reach(page, options);
        if (!Array.isArray(output) || next === (page['cursor'] ?? null)) throw endless();
        for (const item of output) {
          if (options?.signal?.aborted) throw aborted(options.signal);
          yield item;
        }
        if (next === undefined) return;
        page = { cursor: next };
      }
    },
  };
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
