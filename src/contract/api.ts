// The type of the API for programs: one method per endpoint, inferred from the routes.

import type { Contract, Input, Output, Route } from './route.ts';
import type { routes } from './routes.ts';
import type {
  DetailsParameters,
  FirstPageParameters,
  FollowParameters,
  GetParameters,
  NextPageParameters,
} from './schemas/inputs.ts';
import type { MemoryField } from './schemas/memory.ts';

/** Options of a call, beside its input. */
export interface CallOptions {
  /** Aborts the call, which then rejects with a `Failure` whose `reason` is `abort`. Default: none. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of `follow`, beside its input. */
export interface FollowOptions extends CallOptions {
  /** Milliseconds to wait before the next request when nothing has changed. Default: 10,000. */
  readonly everyMs?: number | undefined;
}

/** One page of a list. */
export interface Page<T, Next = string | undefined> {
  /** The memories, changes or search result of this page. */
  readonly items: T;
  /** The cursor of the next page. It is `undefined` on the last page of a list; a feed always has one. */
  readonly next: Next;
}

/** A page of `follow`. */
export interface FollowedPage<T> extends Page<T, string> {
  /**
   * True if a restore has undone changes that you have seen. The feed starts again with this page: empty
   * your copy before you apply it. Default: absent.
   */
  readonly reset?: true;
}

/** The return types of a method: the whole output, a page of it, or its items one by one. */
interface Results<T, Next = string | undefined> {
  readonly whole: Promise<T>;
  readonly page: Promise<Page<T, Next>>;
  readonly each: AsyncGenerator<Element<T>, void, undefined>;
}

type Element<T> = T extends readonly (infer I)[] ? I : never;

/** A method that calls an endpoint. Rejects with `Failure` only. */
export type EndpointMethod<
  R extends Route,
  As extends keyof Results<unknown> = 'whole',
> = 'withFields' extends keyof R
  ? <const F extends MemoryField, const A extends readonly F[] | undefined = undefined>(
      ...args: Arguments<Selecting<Input<R>, F, A>>
    ) => Results<Selected<Output<R>, NoInfer<F>, NoInfer<A>>>[As]
  : (...args: Arguments<Input<R>>) => Results<Output<R>, CursorOf<R>>[As];

/** The input can be omitted if all of it is optional. */
type Arguments<I> =
  Partial<I> extends I ? [input?: I, options?: CallOptions] : [input: I, options?: CallOptions];

/** The input of an endpoint with `fields`: of one memory, or of a list. */
type Selecting<I, F, A> = I extends GetParameters
  ? GetParameters<F, A>
  : FirstPageParameters<F, A> | NextPageParameters;

/** The output with `fields` applied to a memory, or to each memory of a list. */
type Selected<T, F, A> = T extends readonly (infer I)[]
  ? SelectedFields<I, F, A>[]
  : SelectedFields<T, F, A>;

/** `T` with the fields in `A`, or those named by `F` if there is no `A`. Names known only at run time are optional. */
type SelectedFields<T, F, A> = A extends readonly unknown[]
  ? number extends A['length']
    ? Partial<Pick<T, F & keyof T>> & Pick<T, 'id' & keyof T>
    : Pick<T, (F | 'id') & keyof T>
  : keyof T extends F
    ? T
    : Pick<T, (F | 'id') & keyof T>;

type CursorOf<R extends Route> = R['cursorParameter'] extends 'since' ? string : string | undefined;

/** The methods that a `list` with pages adds to its group. */
type Paging<G> = G extends { readonly list: infer R extends Route }
  ? R['cursorParameter'] extends 'cursor'
    ? { readonly page: EndpointMethod<R, 'page'>; readonly each: EndpointMethod<R, 'each'> }
    : R['cursorParameter'] extends 'since'
      ? { readonly page: FeedPageMethod<R>; readonly follow: FollowMethod<R> }
      : unknown
  : unknown;

/** A page of a feed always has a cursor. A page of the latest changes has none if it is the last. */
type FeedPageMethod<R extends Route> = <const I extends Input<R> = object>(
  input?: I,
  options?: CallOptions,
) => Promise<
  Page<
    Output<R>,
    I extends { readonly order: 'desc' } | { readonly cursor: string } ? string | undefined : string
  >
>;

type FollowMethod<R extends Route> = (
  input?: FollowParameters,
  options?: FollowOptions,
) => AsyncGenerator<FollowedPage<Output<R>>, never, undefined>;

/** The endpoint of a group that is called itself. */
type GroupCall<G extends Contract[string]> = {
  [N in keyof G]: G[N] extends { readonly isGroupCall: true } ? G[N] : never;
}[keyof G];

/** The methods of a group of endpoints, for any contract. */
export type GroupApi<G extends Contract[string]> = [GroupCall<G>] extends [never]
  ? { readonly [N in keyof G]: EndpointMethod<G[N]> } & Paging<G>
  : EndpointMethod<GroupCall<G>> & { readonly page: EndpointMethod<GroupCall<G>, 'page'> };

/** The API of any contract. Editors show no documentation for its methods; see `Api`. */
export type ApiOf<C extends Contract> = { readonly [G in keyof C]: GroupApi<C[G]> };

// TypeScript 7 shows no comments of mapped types, so these interfaces name each method. A type test
// compares them with `ApiOf<typeof routes>`.

type Memories = GroupApi<(typeof routes)['memories']>;
type Search = GroupApi<(typeof routes)['search']>;
type Days = GroupApi<(typeof routes)['days']>;
type People = GroupApi<(typeof routes)['people']>;
type Tags = GroupApi<(typeof routes)['tags']>;
type ActionItems = GroupApi<(typeof routes)['actionItems']>;
type Changes = GroupApi<(typeof routes)['changes']>;

/** Methods that read memories. */
export interface MemoriesApi {
  /** List the memories of the key owner, newest first. Without parameters, returns all of them. */
  readonly list: Memories['list'];
  /** Get one memory. */
  readonly get: Memories['get'];
  /** Get the bytes that the memory was made from. `original` in its details has their media type. Rejects with 404 if none were kept. */
  readonly original: (input: DetailsParameters, options?: CallOptions) => Promise<Uint8Array>;
  /** Get a part of a transcript by its lines, which are counted from 1. */
  readonly lines: Memories['lines'];
  /** Get what the source knew of a memory besides its fields: people, tags, times of lines, action items. */
  readonly details: Memories['details'];
  /** Like `list`, but returns one page and the cursor of the next page. */
  readonly page: Memories['page'];
  /** Iterate over the memories of all pages. Fetches each page when you need it. Default `limit`: 100. */
  readonly each: Memories['each'];
}

/** Search for passages, best first. Call it as `api.search({ q })`. */
export interface SearchApi {
  /** Search for passages, best first. */
  (...args: Parameters<Search>): ReturnType<Search>;
  /** Does the same, and returns the result as `items` with the cursor of the next passages. */
  readonly page: Search['page'];
}

/** Methods that count memories. */
export interface DaysApi {
  /** Count memories per day, oldest first, and how long they are together. Days without memories are left out. */
  readonly list: Days['list'];
}

/** Methods that list people. */
export interface PeopleApi {
  /** List people, those with the most memories first, with their totals. Without parameters, returns all of them. */
  readonly list: People['list'];
  /** Like `list`, but returns one page and the cursor of the next page. */
  readonly page: People['page'];
  /** Iterate over the people of all pages. Fetches each page when you need it. Default `limit`: 100. */
  readonly each: People['each'];
}

/** Methods that list tags. */
export interface TagsApi {
  /** List folders, tags, stars and sources, with the number of their memories. */
  readonly list: Tags['list'];
}

/** Methods that list action items. */
export interface ActionItemsApi {
  /** List action items, newest first: what the sources found to do. Without parameters, returns all of them. */
  readonly list: ActionItems['list'];
  /** Like `list`, but returns one page and the cursor of the next page. */
  readonly page: ActionItems['page'];
  /** Iterate over the items of all pages. Fetches each page when you need it. Default `limit`: 100. */
  readonly each: ActionItems['each'];
}

/** Methods that read the change feed. */
export interface ChangesApi {
  /** List what has changed, oldest first, or latest first with `order: 'desc'`. */
  readonly list: Changes['list'];
  /** Like `list`, but also returns the cursor for the next call: `since`, or `cursor` with `order: 'desc'`. */
  readonly page: Changes['page'];
  /**
   * Yield pages of changes, and keep polling for new ones. After a restore of the database it starts again,
   * with a page that has `reset: true`. It ends when you leave the loop, when its
   * signal aborts, or when a request fails. To resume later, pass the last page's `next` as `since`.
   */
  readonly follow: Changes['follow'];
}

/** The API for programs, as the client and the gateway implement it. Methods reject with `Failure` only. */
export interface Api {
  /** Recorded sessions: names, times, summaries and transcripts. */
  readonly memories: MemoriesApi;
  /** Search by relevance, for questions as people ask them. */
  readonly search: SearchApi;
  /** Totals per day, for calendars. */
  readonly days: DaysApi;
  /** People who take part, with their totals. */
  readonly people: PeopleApi;
  /** Folders, tags and stars of the sources, and the sources. */
  readonly tags: TagsApi;
  /** What the sources found to do. */
  readonly actionItems: ActionItemsApi;
  /** The change feed: added, changed and deleted memories, for programs that keep a copy. */
  readonly changes: ChangesApi;
}
