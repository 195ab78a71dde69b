// Types of those who ask: the Api, drawn from the routes.

import type * as v from 'valibot';

import type { Answering } from './answers.ts';
import type { routes } from './routes.ts';

/** One endpoint as data: where it is, what it takes and answers, and how it may fail. */
export interface Route extends Answering {
  readonly method: 'GET';
  readonly summary: string;
  readonly input: v.GenericSchema & { readonly entries: v.ObjectEntries };
  /** The statuses, beside those of HTTP itself, that the endpoint may fail with. */
  readonly failures: readonly number[];
}

/** A whole API: groups of endpoints, by name. */
export type Contract = Readonly<Record<string, Readonly<Record<string, Route>>>>;
/** What a caller gives an endpoint: its path and query parameters in one object. */
export type Input<R extends Route> = v.InferInput<R['input']>;
/** What an endpoint answers, whole. */
export type Output<R extends Route> = v.InferOutput<R['output']>;

/** What a call may be told beside its input. */
export interface CallOptions {
  /** Ends the call, which then fails with the reason `abort`. */
  readonly signal?: AbortSignal | undefined;
}

/** What a feed may be told beside its input. */
export interface FollowOptions extends CallOptions {
  /** How many milliseconds to wait before asking again when nothing has changed: 10,000 when left out. */
  readonly everyMs?: number | undefined;
}

/** One page of a list, and the cursor of the one after it, when there is one; a feed always has one. */
export interface Page<T, Next = string | undefined> {
  readonly items: T;
  readonly next: Next;
}

/** What comes back of an output: itself, as a page, or its items one by one. */
interface Results<T, Next = string | undefined> {
  readonly whole: Promise<T>;
  readonly page: Promise<Page<T, Next>>;
  readonly each: AsyncGenerator<Item<T>, void, undefined>;
}

type Item<T> = T extends readonly (infer I)[] ? I : never;

/** Calls an endpoint; the input may be left out where all of it is optional. Rejects with `Failure` only. */
export type Call<
  R extends Route,
  As extends keyof Results<unknown> = 'whole',
> = 'cut' extends keyof R
  ? <const F extends NamesIn<Input<R>> = never, const A extends readonly F[] = readonly []>(
      ...args: Arguments<Omit<Input<R>, 'fields'> & Fields<F, A>>
    ) => Results<Cut<Output<R>, NoInfer<F>, NoInfer<A>>>[As]
  : (...args: Arguments<Input<R>>) => Results<Output<R>, NextOf<R>>[As];

type NamesIn<I> = I extends { readonly fields?: readonly (infer F)[] | undefined } ? F : never;

type Arguments<I> =
  Partial<I> extends I ? [input?: I, options?: CallOptions] : [input: I, options?: CallOptions];

/** The fields wanted: `A` as they are given, `F` by name. A cursor brings its own, so there a type argument names them. */
interface Fields<F, A> {
  readonly fields?: (A & readonly F[]) | readonly F[] | undefined;
}

/** What fields leave of a memory, or of each of several; any but the id may be missing where they are not known. */
type Cut<T, F, A extends readonly unknown[]> = [F] extends [never]
  ? T
  : T extends readonly (infer I)[]
    ? Cut<I, F, A>[]
    : number extends A['length']
      ? Partial<Pick<T, F & keyof T>> & Pick<T, 'id' & keyof T>
      : Pick<T, (F | 'id') & keyof T>;

type NextOf<R extends Route> = R['next'] extends 'since' ? string : string | undefined;

/** What comes with a `list` of pages: those that end can be walked, those that do not can be followed. */
type Walks<G> = G extends { readonly list: infer R extends Route }
  ? R['next'] extends 'cursor'
    ? {
        /** Like `list`, together with the cursor of the next page. */
        readonly page: Call<R, 'page'>;
        /** Walks all pages, of 100 where no `limit` is given; each is asked for when it is needed. */
        readonly each: Call<R, 'each'>;
      }
    : R['next'] extends 'since'
      ? {
          /** Like `list`, together with the cursor to come back with. */
          readonly page: Call<R, 'page'>;
          /**
           * Gives every page that has something, those to come included, until its signal, its reader
           * or a failure ends it; go on with `since: next` of the last page.
           */
          readonly follow: (
            input?: Input<R>,
            options?: FollowOptions,
          ) => AsyncGenerator<Page<Output<R>, string>, never, undefined>;
        }
      : unknown
  : unknown;

/** The API as a program sees it, whichever door it goes through. Rejects with `Failure` only. */
export type Api<C extends Contract = typeof routes> = {
  readonly [G in keyof C]: { readonly [N in keyof C[G]]: Call<C[G][N]> } & Walks<C[G]>;
};
