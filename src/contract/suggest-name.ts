// Suggests the parameter or field that an unknown name probably meant: by a table of common guesses, then by spelling.

import { editDistance } from '../text/edit-distance.ts';

/** Names, and what people write instead. No endpoint has two names with the same guess. */
const COMMON_GUESSES: Readonly<Record<string, readonly string[]>> = {
  q: ['search', 'query', 'text', 'term', 'keyword'],
  query: ['q', 'search', 'text', 'term', 'keyword', 'keywords', 'question', 'topic'],
  cursor: ['page', 'offset', 'after', 'next'],
  since: ['page', 'offset', 'after', 'next', 'from', 'start'],
  order: ['sort', 'sort_by', 'order_by', 'direction'],
  started_after: ['from', 'since', 'start', 'date'],
  started_before: ['to', 'until', 'end', 'before'],
  timezone: ['tz', 'zone'],
  limit: ['per_page', 'page_size', 'count', 'size', 'max_limit'],
  is_processing: ['processing'],
  first: ['from', 'start', 'from_line', 'start_line', 'first_line', 'line', 'lines', 'offset'],
  last: ['to', 'end', 'to_line', 'end_line', 'last_line', 'until'],
  max_tokens: ['tokens', 'budget', 'token_budget'],
  quote: ['text', 'words'],
  id: ['memory_id', 'memory', 'uri', 'url'],
  // Fields of a memory.
  name: ['title'],
  started_at: ['started', 'start', 'date'],
  ended_at: ['ended', 'end'],
  user_id: ['user', 'account_id'],
  duration_seconds: ['duration', 'seconds'],
  transcript: ['text'],
};

const MAX_TYPOS = 2;

/** Returns the name that an unknown one probably meant, or undefined if none is near. */
export function suggestName(unknown: string, names: readonly string[]): string | undefined {
  const written = unknown.toLowerCase(); // all known names are lower case
  const guess = names.find((name) => COMMON_GUESSES[name]?.includes(written));
  if (guess !== undefined) return guess;
  const [nearest] = names
    .map((name) => ({ name, typos: editDistance(name, written, MAX_TYPOS) }))
    // Two typos make any two letters of any two others.
    .filter(({ name, typos }) => typos <= MAX_TYPOS && typos < name.length)
    .toSorted((a, b) => a.typos - b.typos);
  return nearest?.name;
}
