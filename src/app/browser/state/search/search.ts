// The search: sends what the reader types, cancels what is outdated, and holds what was found last, so that Back is exact.

import { signal } from '@preact/signals';

import type { Failure } from '../../../../contract/failure.ts';
import type { Change } from '../../../../contract/schemas/memory.ts';
import type { SearchResult } from '../../../../contract/schemas/passages.ts';
import { openEnd } from '../../../../text/query-pieces.ts';
import { saidFirst } from '../../screens/search/passages.ts';
import { news } from '../changes/change-list.ts';
import { zone } from '../reading.ts';
import { place } from '../router.ts';
import { api, app, toFailure } from '../session.ts';
import { inputOf, type SearchInput } from './search-input.ts';

/** The result of a search, with the passages of all pages that were read. */
export interface FoundPassages extends SearchResult {
  readonly input: SearchInput;
  /** Whether they are of the newest memories with all words. */
  readonly isNewest: boolean;
  /** How many memories have any of the words, if these are the newest with all. */
  readonly with_any_word?: number;
  /** The query that found them: what was typed, or that with an open end. */
  readonly q: string;
  /** The cursor of the next passages, if there is one. */
  readonly next: string | undefined;
  /** The changes that had been noticed before. */
  readonly news: readonly Change[];
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

/** Returns the request of the address. Undefined: there is nothing to look for. */
export function currentInput(): SearchInput | undefined {
  return inputOf(place.value.query, zone.value);
}

/** Whether the address asks for the newest memories with all words, instead of the best passages. */
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

const PAUSE_MS = 100;

let askedAt = -PAUSE_MS;
let current = new AbortController();

/**
 * Searches, unless this was found last. A letter after a pause is sent at once. Letters in quick succession
 * are sent together, when the reader pauses. Returns a function that cancels everything.
 */
export function startSearch(input: SearchInput | undefined): () => void {
  const control = new AbortController();
  current = control;
  const isAsked = input !== undefined && !isFound(input);
  change({ failure: undefined, isLoading: isAsked });
  if (input === undefined) forgetFound();
  let timer: number | undefined;
  if (isAsked) {
    const now = performance.now();
    timer = setTimeout(
      () => load((cancelled) => find(input, cancelled)),
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
    const { next: cursor, q } = found;
    const { passages, next } = await (found.isNewest
      ? readNewest({ q, cursor }, cancelled)
      : read({ cursor }, cancelled));
    return { ...found, passages: [...found.passages, ...passages], next };
  });
}

/** Forgets what was found, so that it is searched again. */
export function forgetFound(): void {
  change({ found: undefined });
}

/** Searches. If the last word occurs nowhere, words that begin with it are found, if there are any. */
async function find(input: SearchInput, cancelled: AbortSignal): Promise<FoundPassages> {
  const seen = news.peek();
  const byTime = isNewest();
  const { limit, ...limits } = input;
  const ask = async (q: string) => ({
    ...(await (byTime
      ? readNewest({ ...limits, q }, cancelled)
      : read({ ...limits, q, limit }, cancelled))),
    input,
    isNewest: byTime,
    q,
    news: seen,
    opened: new Set<string>(),
  });
  const found = await ask(input.q);
  const open = cancelled.aborted ? undefined : openEnd(found.q, found.absent_words);
  const begun = open === undefined ? found : await ask(open);
  return begun.passages.length > 0 ? begun : found;
}

type Read = SearchResult & Pick<FoundPassages, 'next'>;

async function read(
  input: Parameters<typeof api.search.page>[0],
  cancelled: AbortSignal,
): Promise<Read> {
  const { items, next } = await api.search.page(input, { signal: cancelled });
  return { ...items, passages: saidFirst(items.passages), next };
}

/** Finds the newest memories with all words, each with the passages that say them first. */
async function readNewest(
  input: Parameters<typeof app.searches.newest>[0],
  cancelled: AbortSignal,
): Promise<Read> {
  const { passages, next, ...result } = await app.searches.newest(input, { signal: cancelled });
  const groups = Map.groupBy(passages, ({ memory_id }) => memory_id);
  return { ...result, passages: [...groups.values()].flatMap(saidFirst), next };
}

async function load(run: (cancelled: AbortSignal) => Promise<FoundPassages>): Promise<void> {
  const { signal: cancelled } = current;
  let result: Partial<Search>;
  try {
    result = { found: await run(cancelled) };
  } catch (error) {
    result = { failure: toFailure(error) };
  }
  if (!cancelled.aborted) change({ ...result, isLoading: false });
}

function change(changes: Partial<Search>): void {
  search.value = { ...search.peek(), ...changes };
}
