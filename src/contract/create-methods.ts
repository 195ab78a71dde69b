// Creates the methods of an API from one function that calls an endpoint: one for each endpoint, and `page` for those with pages.

import type { CallOptions } from './api.ts';
import type { Endpoint } from './endpoints.ts';
import { Failure } from './failure.ts';
import type { Groups, Target } from './targets.ts';

/** The input of a call by name. */
export type CallInput = Readonly<Record<string, unknown>>;

/** The result of a call: the endpoint's output, and the cursor of the next page if there is one. */
export interface CallResult {
  readonly output: unknown;
  readonly next: string | undefined;
}

/** One call of an endpoint. */
export interface EndpointCall<R extends Target> {
  readonly endpoint: Endpoint<R>;
  readonly input: CallInput;
  /** The input of the first page. It has the `fields` of every page; a later page's input has only a cursor. */
  readonly first: CallInput;
  readonly signal: AbortSignal | undefined;
}

/** Calls an endpoint, over HTTP or in the same process. Rejects with `Failure` only. */
export type CallEndpoint<R extends Target> = (call: EndpointCall<R>) => Promise<CallResult>;

/** Reads a page, or all of an output. `first` is the input of the first page. */
export type ReadPage = (
  input?: CallInput,
  options?: CallOptions,
  first?: CallInput,
) => Promise<{ readonly items: unknown; readonly next: string | undefined }>;

/** Creates further methods of a list with pages. */
export type ListMethods = (read: ReadPage, parameter: 'cursor' | 'since') => object;

/** Creates the methods by group and name. Each calls `call`. */
export function createMethods<R extends Target>(
  groups: Groups<R>,
  call: CallEndpoint<R>,
  listMethods?: ListMethods,
): object {
  const api: Record<string, object> = {};
  for (const [group, routes] of Object.entries(groups)) {
    const methods: Record<string, unknown> = {};
    api[group] = methods;
    for (const [name, route] of Object.entries(routes)) {
      const { cursorParameter, isGroupCall } = route;
      const endpoint = { name: `${group}.${name}`, route };
      const read: ReadPage = async (given, options, first) => {
        const input = readInput(given);
        const signal = options?.signal ?? undefined;
        const { output, next } = await call({ endpoint, input, first: first ?? input, signal });
        return { items: output, next };
      };
      const page: ReadPage = async (input, options) => read(input, options);
      const method = async (input?: CallInput, options?: CallOptions) =>
        (await read(input, options)).items;
      methods[name] = method;
      if (isGroupCall) api[group] = Object.assign(method, { page });
      else if (cursorParameter !== undefined)
        Object.assign(methods, { page }, listMethods?.(read, cursorParameter));
    }
  }
  return api;
}

/** Returns the input without properties that are `undefined`. Throws a `Failure` if it is no object. */
export function readInput(input: unknown): CallInput {
  const values = input ?? {};
  if (typeof values !== 'object' || Symbol.iterator in values)
    throw new Failure(422, 'Pass an object of parameters.');
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
