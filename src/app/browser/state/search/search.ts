// The search: sends what the reader types, cancels what is outdated, and holds what was found last, so that Back is exact.

import { signal } from '@preact/signals';

import type { Failure } from '../../../../contract/failure.ts';
import type { Change, Memory } from '../../../../contract/schemas/memory.ts';
import type { Passage, SearchResult } from '../../../../contract/schemas/passages.ts';
import { titleOf } from '../../parts/title.ts';
import { news } from '../changes/change-list.ts';
import { zone } from '../reading.ts';
import { place } from '../router.ts';
import { api, app, toFailure } from '../session.ts';
import { allWords, openEnd } from './query-pieces.ts';
import { inputOf, type SearchInput } from './search-input.ts';

/** The result of a search, with the passages of all pages that were read. */
export interface FoundPassages extends SearchResult {
  readonly input: SearchInput;
  /** Whether they are of the newest memories with all words. */
  readonly isNewest: boolean;
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
    const { passages, next } = found.isNewest
      ? await withPassages(
          await api.memories.page({ cursor, limit: TEN }, { signal: cancelled }),
          q,
          cancelled,
        )
      : await read({ cursor }, cancelled);
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
  const ask = async (q: string) => ({
    ...(await (byTime ? findNewest : read)({ ...input, q }, cancelled)),
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
  return { ...items, next };
}

/** Finds the newest memories with all words, and what a search says about these words. */
async function findNewest(input: SearchInput, cancelled: AbortSignal): Promise<Read> {
  const { q } = input;
  const [newest, result, memories_found] = await Promise.all([
    api.memories
      .page({ ...input, fields: OF_PASSAGE, limit: TEN }, { signal: cancelled })
      .then((page) => withPassages(page, q, cancelled)),
    read({ ...input, limit: 1 }, cancelled),
    countNewest(input, cancelled),
  ]);
  return { ...result, ...newest, memories_found, searched_instead: {} };
}

/** Counts the memories with all words. */
export async function countNewest(input: SearchInput, cancelled?: AbortSignal): Promise<number> {
  const counted = { ...input, q: allWords(input.q), limit: undefined };
  const months = await app.searches.months(counted, { signal: cancelled });
  return Object.values(months).reduce((sum, found) => sum + found, 0);
}

/** How many memories a page of the newest has, and how many passages each. */
const TEN = 10;

const OF_PASSAGE = ['name', 'started_at', 'is_processing'] as const;

/** A page of memories. */
interface MemoryPage {
  readonly items: readonly Pick<Memory, 'id' | (typeof OF_PASSAGE)[number]>[];
  readonly next: string | undefined;
}

/** Reads the passages of a page of memories. Without any, the name stands for a memory. */
async function withPassages({ items, next }: MemoryPage, q: string, cancelled: AbortSignal) {
  const passages = await Promise.all(
    items.map(async ({ id: memory_id, name, started_at, is_processing }) => {
      const found = await read({ q, memory_id, limit: TEN }, cancelled);
      const some = found.passages.filter(({ marks }) => marks.length > 0);
      const of: Passage = {
        memory_id,
        name,
        started_at,
        is_processing,
        source: 'name',
        lines: [],
        text: titleOf(name),
        marks: [],
      };
      return some.length > 0 ? some : [of];
    }),
  );
  return { passages: passages.flat(), next };
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
