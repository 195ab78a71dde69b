// Types of those who ask: the Api, drawn from the routes.

import type * as v from 'valibot';

import type { routes } from './routes.ts';

/** One endpoint as data; names in braces in `path` are taken from the path, the rest from the query. */
export interface Route {
  readonly method: 'GET';
  readonly path: `/${string}`;
  readonly summary: string;
  readonly input: v.GenericSchema & { readonly entries: v.ObjectEntries };
  readonly output: v.GenericSchema;
  /** The statuses, beside those of HTTP itself, that the endpoint may fail with. */
  readonly failures: readonly number[];
}

/** A whole API: groups of endpoints, by name. */
export type Contract = Readonly<Record<string, Readonly<Record<string, Route>>>>;
/** What a caller gives an endpoint: its path and query parameters in one object. */
export type Input<R extends Route> = v.InferInput<R['input']>;
/** What an endpoint answers. */
export type Output<R extends Route> = v.InferOutput<R['output']>;

/** What a call may be told beside its input. */
export interface CallOptions {
  /** Ends the call, which then fails with the reason `abort`. */
  readonly signal?: AbortSignal | undefined;
}

/** Calls an endpoint; the input may be left out where all of it is optional. Rejects with `Failure` only. */
export type Call<R extends Route, T = Promise<Output<R>>> =
  MayBeEmpty<Input<R>> extends true
    ? (input?: Input<R>, options?: CallOptions) => T
    : (input: Input<R>, options?: CallOptions) => T;

type MayBeEmpty<T> = Partial<T> extends T ? true : false;

/** One page of a list, and the cursor of the one after it, when there is one. */
export interface Page<T> {
  readonly items: T;
  readonly next: string | undefined;
}

/** What comes with a `list` that takes a cursor: its pages one by one, and all its items. */
type Walks<G> = G extends { readonly list: infer R extends Route }
  ? 'cursor' extends keyof Input<R>
    ? {
        /** Like `list`, together with the cursor of the next page. */
        readonly page: Call<R, Promise<Page<Output<R>>>>;
        /** Walks all pages, of 100 where no `limit` is given; each is asked for when it is needed. */
        readonly each: Call<R, AsyncGenerator<Item<Output<R>>, void, undefined>>;
      }
    : unknown
  : unknown;

type Item<T> = T extends readonly (infer I)[] ? I : never;

/** The API as a program sees it, whichever door it goes through. Rejects with `Failure` only. */
export type Api<C extends Contract = typeof routes> = {
  readonly [G in keyof C]: { readonly [N in keyof C[G]]: Call<C[G][N]> } & Walks<C[G]>;
};
