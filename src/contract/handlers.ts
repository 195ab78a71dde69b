// Types of those who answer: what a handler is given, and what it gives back.

import type * as v from 'valibot';

import type { Contract, Output, Route } from './api.ts';
import type { Awaitable } from './awaitable.ts';
import type { Json, JsonStream } from './json.ts';
import type { routes } from './routes.ts';

/** What a handler gives back: bytes known to be the JSON of a `T`, and what HTTP says about them. */
export interface Answer<T> {
  /** Tells these bytes from all others of the same request, before any content coding. */
  readonly etag?: string;
  /** The whole body, or its parts in order; `null` when the caller's copy is still right. */
  readonly body: Json<T> | JsonStream<T> | null;
  /** The cursor of the next page, when there is one. */
  readonly next?: string | undefined;
  /** The cursor of the first page, for those who came by another. */
  readonly first?: string | undefined;
  /** The state of the account that all of this is of, where the store tells. */
  readonly revision?: string | undefined;
}

/** The input of an endpoint when it has been checked, with its defaults filled in. */
export type Checked<R extends Route> = v.InferOutput<R['input']>;

/** What may be answered: an output, or what fields leave of it. */
type Served<R extends Route> = Output<R> | ('cut' extends keyof R ? Cut<Output<R>> : never);

type Cut<T> = T extends readonly (infer I)[] ? Partial<I>[] : Partial<T>;

/** One handler a route; `Context` is what the gateway knows of the caller. */
export type Handlers<Context, C extends Contract = typeof routes> = {
  readonly [G in keyof C]: {
    readonly [N in keyof C[G]]: (
      context: Context,
      input: Checked<C[G][N]>,
    ) => Awaitable<Answer<Served<C[G][N]>>>;
  };
};
