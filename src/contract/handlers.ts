// Types of the handlers that implement the endpoints, one per route.

import type * as v from 'valibot';

import type { Awaitable } from '../lib/async.ts';
import type { Json, JsonStream } from './json.ts';
import type { Contract, Output, Route } from './route.ts';
import type { routes } from './routes.ts';

/** The result of a handler: the JSON of a `T`, and values for the response headers. */
export interface HandlerResult<T> {
  /** The ETag of these bytes, before compression. */
  readonly etag?: string;
  /** The whole body, or its parts in order. `null` means that the client's cached response is still valid. */
  readonly body: Json<T> | JsonStream<T> | null;
  /** The cursor of the next page, if there is one. */
  readonly next?: string | undefined;
  /** The cursor of the first page, if the request had a cursor. */
  readonly first?: string | undefined;
  /** The account's revision that this was read at, if the store knows it. */
  readonly revision?: string | undefined;
  /** Whether the same input has another result on another day, at the same revision. Then it is not cached. */
  readonly isOfToday?: boolean;
}

/** A file that is read while it is sent, and any part of which can be requested. */
export interface FileParts {
  /** In bytes. */
  readonly size: number;
  /** Reads the bytes from `start` to before `end`, in order. */
  readonly read: (start: number, end: number) => AsyncIterable<Uint8Array<ArrayBuffer>>;
}

/** The result of a handler whose output is a file. */
export interface FileResult extends Pick<HandlerResult<never>, 'etag' | 'revision'> {
  /** The file. `null` means that the client's cached response is still valid. */
  readonly body: Uint8Array<ArrayBuffer> | FileParts | null;
  readonly type?: string;
  /** Additional headers: name, value, name, value, … */
  readonly headers?: readonly string[];
}

/** The input of an endpoint after validation. */
export type ValidInput<R extends Route> = v.InferOutput<R['input']>;

/** The output of an endpoint, or a part of it if it has `fields`. */
type ResponseBody<R extends Route> =
  | Output<R>
  | ('withFields' extends keyof R ? SomeFields<Output<R>> : never);

type SomeFields<T> = T extends readonly (infer I)[] ? Partial<I>[] : Partial<T>;

/** One handler per route. `Context` is what the gateway knows about the caller. */
export type Handlers<Context, C extends Contract = typeof routes> = {
  readonly [G in keyof C]: {
    readonly [N in keyof C[G]]: (
      context: Context,
      input: ValidInput<C[G][N]>,
    ) => Awaitable<
      C[G][N] extends { readonly isFile: true } ? FileResult : HandlerResult<ResponseBody<C[G][N]>>
    >;
  };
};
