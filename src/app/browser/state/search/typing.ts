// What the search box needs of the search: where results are, and the way to them. The search itself is loaded with its screen.

import { signal } from '@preact/signals';

import { go, place } from '../router.ts';
import { searchPath } from './search-path.ts';

/** The selector of the links to the results on the screen. */
export const RESULTS = '.found';

/** Whether the limits of the query are taken, and the focus goes to the first result, as soon as they are found. */
export const settles = signal(false);

/** Whether the search on the screen is one of those that are saved. */
export const isSaved = signal(false);

/** Ends what is typed: the last word is whole, as if a space followed it. What is found is shown by its first result. */
export function endQuery(): void {
  const { path, query } = place.value;
  if (path !== 'search') return;
  const q = new URLSearchParams(query).get('q') ?? '';
  if (/[^\s"*]$/.test(q)) go(searchPath(query, { q: `${q} ` }), 'replace');
  settles.value = true;
}

/** Goes to the search of a text. The first letter makes an entry in the history, and further ones replace it. */
export function typeQuery(q: string): void {
  const { path, query } = place.value;
  const isHere = path === 'search';
  settles.value = false;
  go(searchPath(isHere ? query : '', { q }), isHere ? 'replace' : 'push');
}
