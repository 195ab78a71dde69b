// Handle: what is asked, by the handler of its endpoint.

import type { Awaitable } from '../contract/awaitable.ts';
import type { Answer } from '../contract/handlers.ts';
import type { Store } from '../store/store.ts';
import type { Asked } from './asked.ts';
import type { Pack } from './coding.ts';
import { createHandlers, type Context } from './handlers.ts';

/** An answer, and what the gateway adds to it. */
export interface Handled extends Answer<unknown> {
  /** Gives the body in a content coding, made once for as long as the body is kept. */
  readonly pack?: Pack;
}

/** Answers what is asked. */
export type Handle = (asked: Asked, context: Context) => Awaitable<Handled>;

/** Makes the function that finds the handler of an endpoint and calls it. */
export function createHandle(store: Store): Handle {
  const groups: Record<string, Record<string, unknown>> = createHandlers(store);
  // `Handlers` has proved that each route has the handler of its types; here they are all alike.
  type Handler = (context: Context, input: unknown) => Awaitable<Handled>;
  const handlers = new Map(
    Object.entries(groups).flatMap(([group, ofGroup]) =>
      Object.entries(ofGroup).map(([name, handler]) => [`${group}.${name}`, handler as Handler]),
    ),
  );
  return ({ endpoint, input }, context) => (handlers.get(endpoint.name) as Handler)(context, input);
}
