// The search: sends what the reader types, cancels what is outdated, and holds what was found last, so that Back is exact.

import { signal } from '@preact/signals';

import type { Failure } from '../../../../contract/failure.ts';
import type { Change } from '../../../../contract/schemas/memory.ts';
import type { SearchResult } from '../../../../contract/schemas/passages.ts';
import { news } from '../changes/change-list.ts';
import { zone } from '../reading.ts';
import { place } from '../router.ts';
import { api, toFailure } from '../session.ts';
import { openEnd } from './query-pieces.ts';
import { inputOf, type SearchInput } from './search-input.ts';

/** The result of a search, with the passages of all pages that were read. */
export interface FoundPassages extends SearchResult {
  readonly input: SearchInput;
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

/** Whether what was found last is what a request asks for. */
export function isFound(input: SearchInput | undefined): boolean {
  return JSON.stringify(search.value.found?.input) === JSON.stringify(input);
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
    const { passages, next } = await read({ cursor: found.next }, cancelled);
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
  const ask = async (q = '') => ({
    ...(await read({ ...input, q }, cancelled)),
    input,
    q,
    news: seen,
    opened: new Set<string>(),
  });
  const found = await ask(input.q);
  const open = cancelled.aborted ? undefined : openEnd(found.q, found.absent_words);
  const begun = open === undefined ? found : await ask(open);
  return begun.passages.length > 0 ? begun : found;
}

async function read(
  input: SearchInput,
  cancelled: AbortSignal,
): Promise<SearchResult & Pick<FoundPassages, 'next'>> {
  const { items, next } = await api.search.page(input, { signal: cancelled });
  return { ...items, next };
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
