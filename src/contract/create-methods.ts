// Creates the methods of an API from one function that calls an endpoint: one for each endpoint, and `page` for those with pages.

import type { CallOptions } from './api.ts';
import type { Endpoint } from './endpoints.ts';
import type { ByEndpoint, Target } from './targets.ts';

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

/** What programs get in addition to the app's own pages. */
export interface MethodOptions {
  /** Reads an input that may be of any type. May throw a `Failure`. */
  readonly readInput: (input: unknown) => CallInput;
  /** Creates further methods of a list with pages. */
  readonly listMethods: (read: ReadPage, parameter: 'cursor' | 'since') => object;
}

/** Creates the methods by group and name. Each calls `call`. */
export function createMethods<R extends Target>(
  groups: ByEndpoint<R>,
  call: CallEndpoint<R>,
  options?: MethodOptions,
): object {
  const api: Record<string, object> = {};
  for (const [group, routes] of Object.entries(groups)) {
    const methods: Record<string, unknown> = {};
    api[group] = methods;
    for (const [name, route] of Object.entries(routes)) {
      const { cursorParameter, isGroupCall } = route;
      const endpoint = { name: `${group}.${name}`, route };
      const read: ReadPage = async (given = {}, callOptions, first) => {
        const input = options ? options.readInput(given) : given;
        const signal = callOptions?.signal ?? undefined;
        const { output, next } = await call({ endpoint, input, first: first ?? input, signal });
        return { items: output, next };
      };
      const method = async (input?: CallInput, callOptions?: CallOptions) =>
        (await read(input, callOptions)).items;
      methods[name] = method;
      if (isGroupCall) api[group] = Object.assign(method, { page: read });
      else if (cursorParameter !== undefined)
        Object.assign(methods, { page: read }, options?.listMethods(read, cursorParameter));
    }
  }
  return api;
}
