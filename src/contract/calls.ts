// Calls: the Api of a program, made from the one function with which its door calls an endpoint.

import type { Api, CallOptions } from './api.ts';
import { endpointsOf, type Endpoint } from './endpoints.ts';
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
    const reach = (input: Values = {}, options: CallOptions = {}) =>
      call(endpoint, withoutGaps(input), options);
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
    async *each(input: Values = {}, options?: CallOptions): AsyncGenerator {
      // A cursor brings the size of its pages with it.
      const limit = input['limit'] ?? (input['cursor'] === undefined ? PAGE : undefined);
      let { output, next } = await reach({ ...input, limit }, options);
      for (;;) {
        yield* output as unknown[];
        if (next === undefined) return;
        ({ output, next } = await reach({ cursor: next }, options));
      }
    },
  };
}

/** Leaves out what is undefined, which is as good as not given. */
function withoutGaps(input: Values): Values {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
}
