// The search: sends what the reader types, cancels what is outdated, and holds what was found last, so that Back is exact.

import { signal } from '@preact/signals';

import type { Failure } from '../../../../contract/failure.ts';
import type { Change } from '../../../../contract/schemas/memory.ts';
import type { SearchResult } from '../../../../contract/schemas/passages.ts';
import { isStrict, lastWord, openEnd } from '../../../../text/query-pieces.ts';
import { markedWords, saidFirst } from '../../screens/search/passages.ts';
import { latest, news } from '../changes/change-list.ts';
import { zone } from '../reading.ts';
import { place } from '../router.ts';
import { api, app, toFailure } from '../session.ts';
import { inputOf, type SearchInput } from './search-input.ts';

type NewestInput = Parameters<typeof app.searches.newest>[0];

/** The cursor of the best passages, or the memory that the newest ones come after. Without one, they begin. */
type Next = string | Pick<NewestInput, 'after'>;

/** The result of a search, with the passages of all pages that were read. */
export interface FoundPassages extends SearchResult {
  readonly input: SearchInput;
  /** The query of the address, with the limits that its words name. */
  readonly query: string;
  /** Whether the newest memories come first, instead of the best passages. */
  readonly isNewest: boolean;
  /** The query that found them: what was typed, or that with an open end. */
  readonly q: string;
  /** The half-typed word that others begin with which were found. Empty: none. */
  readonly begun: string;
  /** Where the next passages begin, if there are more. */
  readonly next: Next | undefined;
  /** The changes that had been noticed before. */
  readonly news: readonly Change[];
  /** The words that memories lack, by their ids. */
  readonly lacked: Readonly<Record<string, readonly string[]>>;
  /** The memories of which all passages are shown. */
  readonly opened: Set<string>;
}

/** The results that are shown. */
export interface Search {
  /** What was found last. It stays while the reader types, and when a request fails. */
  readonly found?: FoundPassages | undefined;
  readonly failure?: Failure | undefined;
  readonly isLoading: boolean;
}

/** The results that are shown. */
export const search = signal<Search>({ isLoading: false });

/** Whether the address asks for the newest memories first, instead of the best passages. */
export function isNewest(): boolean {
  return new URLSearchParams(place.value.query).get('sort') === 'newest';
}

/** Whether what was found last is what a request asks for. */
export function isFound(input: SearchInput | undefined): boolean {
  const { found } = search.value;
  return (
    JSON.stringify(found?.input) === JSON.stringify(input) &&
    (found === undefined || found.isNewest === isNewest())
  );
}

/** Whether a memory that was found has been deleted since. */
export function hasDeleted(): boolean | undefined {
  const { found } = search.value;
  const ids = new Set(found?.passages.map(({ memory_id }) => memory_id));
  return (
    found?.news !== news.value &&
    latest.value?.some((each) => each.change === 'delete' && ids.has(each.memory_id))
  );
}

const PAUSE_MS = 100;

/** How many passages a request gets. */
const LIMIT = 20;

/** The most memories of a request. */
const MOST = 100;

let askedAt = -PAUSE_MS;
let current = new AbortController();

/**
 * Searches for what a query asks, unless this was found last. A letter after a pause is sent at once. Letters in quick
 * succession are sent together, when the reader pauses. Returns a function that cancels everything.
 */
export function startSearch(query: string): () => void {
  const control = new AbortController();
  current = control;
  const input = inputOf(query, zone.value);
  if (input === undefined || hasDeleted()) forgetFound();
  const isAsked = input !== undefined && !isFound(input);
  change({ failure: undefined, isLoading: isAsked });
  let timer: number | undefined;
  if (isAsked) {
    const now = performance.now();
    timer = setTimeout(
      () => load((cancelled) => find({ input, query }, cancelled)),
      now - askedAt < PAUSE_MS ? PAUSE_MS : 0,
    );
    askedAt = now;
  }
  return () => {
    clearTimeout(timer);
    control.abort();
  };
}

/** Reads the next passages. */
export async function moreFound(): Promise<void> {
  const { found, isLoading } = search.value;
  if (found?.next === undefined || isLoading) return;
  change({ isLoading: true, failure: undefined });
  await load(async (cancelled) => {
    const known = new Set(found.passages.map(({ memory_id }) => memory_id));
    for (let { next } = found; ;) {
      const page =
        typeof next === 'string'
          ? await read({ cursor: next }, cancelled)
          : await readNewest({ ...found.input, q: found.q, ...next }, cancelled);
      // The best ones have shown some of the newest.
      const passages =
        typeof next === 'string'
          ? page.passages
          : page.passages.filter(({ memory_id }) => !known.has(memory_id));
      const more = { ...found, passages: [...found.passages, ...passages], next: page.next };
      if (passages.length > 0 || page.next === undefined)
        return typeof next === 'string' ? withRest(more) : more;
      ({ next } = page);
    }
  });
}

/** Forgets what was found, so that it is searched again. */
export function forgetFound(): void {
  change({ found: undefined });
}

/**
 * Searches. Until a space follows the last word, words that begin with it are found as well, and later if it occurs
 * nowhere.
 */
async function find(
  asked: Pick<FoundPassages, 'input' | 'query'>,
  cancelled: AbortSignal,
): Promise<FoundPassages> {
  const { input } = asked;
  const seen = news.peek();
  const byTime = isNewest();
  const last = lastWord(input.q);
  const isBegun = (word: string) => word !== last && word.startsWith(last);
  const ask = async (q: string) => {
    const page = byTime
      ? await readNewest({ ...input, q }, cancelled)
      : await read({ ...input, q, limit: LIMIT }, cancelled);
    const hasBegun = page.passages.flatMap(markedWords).some(isBegun);
    return withRest({
      ...page,
      ...asked,
      isNewest: byTime,
      q,
      begun: q !== input.q && hasBegun ? last : '',
      news: seen,
      lacked: {},
      opened: new Set<string>(),
    });
  };
  const open = openEnd(input.q);
  const found = await ask(/\s$/.test(input.q) ? input.q : open);
  const isAgain = found.q !== open && found.absent_words.includes(last) && !cancelled.aborted;
  return isAgain ? ask(open) : found;
}

/**
 * Adds to the best passages the way to the other memories with the words, the newest first. They have no passage near a
 * person of the search, or are very long. What leaves passages out leaves their memories out, too.
 */
function withRest(found: FoundPassages): FoundPassages {
  const { isNewest: byTime, next, passages, memories_found, q } = found;
  const shown = new Set(passages.map(({ memory_id }) => memory_id)).size;
  return byTime || next !== undefined || shown >= memories_found || isStrict(q)
    ? found
    : { ...found, next: {} };
}

/** Adds which words the memories lack. Without a connection, nothing is said of it. */
async function withLacked(found: FoundPassages): Promise<FoundPassages> {
  const { input, q, passages } = found;
  const ids = [...new Set(passages.map(({ memory_id }) => memory_id))].slice(-MOST);
  const lacked =
    ids[0] && /\S\s\S/.test(q)
      ? await app.searches.lacked({ ...input, q, ids }).catch(() => undefined)
      : undefined;
  return { ...found, lacked: { ...found.lacked, ...lacked } };
}

type Read = SearchResult & Pick<FoundPassages, 'next'>;

async function read(
  input: Parameters<typeof api.search.page>[0],
  cancelled: AbortSignal,
): Promise<Read> {
  const { items, next } = await api.search.page(input, { signal: cancelled });
  return { ...items, passages: saidFirst(items.passages), next };
}

/** Finds the newest memories, each with the passages that say the words first. */
async function readNewest(input: NewestInput, cancelled: AbortSignal): Promise<Read> {
  const { passages, next, ...result } = await app.searches.newest(input, { signal: cancelled });
  const groups = Map.groupBy(passages, ({ memory_id }) => memory_id);
  return {
    ...result,
    passages: [...groups.values()].flatMap(saidFirst),
    next: next && { after: next },
  };
}

async function load(run: (cancelled: AbortSignal) => Promise<FoundPassages>): Promise<void> {
  const { signal: cancelled } = current;
  let result: Partial<Search>;
  try {
    result = { found: await withLacked(await run(cancelled)) };
  } catch (error) {
    result = { failure: toFailure(error) };
  }
  if (!cancelled.aborted) change({ ...result, isLoading: false });
}

function change(changes: Partial<Search>): void {
  search.value = { ...search.peek(), ...changes };
}
