// The door for the same process: an account in, its Api out. No HTTP, no key.

import type { Api, Route } from '../contract/api.ts';
import type { Awaitable } from '../contract/awaitable.ts';
import { createApi, type Wanted } from '../contract/calls.ts';
import { aborted } from '../contract/failure.ts';
import type { Answer } from '../contract/handlers.ts';
import { fromJson } from '../contract/json.ts';
import { routes } from '../contract/routes.ts';
import { until } from '../contract/until.ts';
import type { Report } from './report.ts';
import { inTurn, type Together } from './together.ts';

/** Calls an endpoint for an account, with values as a program has them. */
export type CallAs = (account_id: string, wanted: Wanted<Route>) => Awaitable<Answer<unknown>>;

/** How a program's calls are made, and what their errors become. */
export interface CallerOptions {
  readonly callAs: CallAs;
  readonly together: Together;
  readonly report: Report;
}

/** Makes the function that gives a program the Api of an account. */
export function createCaller({ callAs, together, report }: CallerOptions) {
  return (account_id: string): Api =>
    createApi<Route>(routes, async (wanted) => {
      const { endpoint, signal } = wanted;
      const call = async () => {
        const { body, next } = await inTurn(together, () => {
          signal?.throwIfAborted();
          return callAs(account_id, wanted);
        });
        return { output: await parse(body, signal), next };
      };
      try {
        return await until(signal, call());
      } catch (error) {
        if (signal?.aborted === true) throw aborted(signal);
        throw report(error, { route: endpoint.name });
      }
    });
}

async function parse(body: Answer<unknown>['body'], signal?: AbortSignal): Promise<unknown> {
  if (body === null) throw new TypeError('an answer without a condition has a body');
  if (body instanceof Uint8Array) return fromJson(body);
  const decoder = new TextDecoder();
  let text = '';
  for await (const part of body) {
    signal?.throwIfAborted();
    text += decoder.decode(part, { stream: true });
  }
  return JSON.parse(text + decoder.decode());
}
