// The tool search: passages of memories, best first, within a budget.

import { Failure } from '../../contract/failure.ts';
import { BYTES_PER_TOKEN } from '../../contract/schemas/parameters.ts';
import type { Passage, SearchResult } from '../../contract/schemas/passages.ts';
import { beginning, countFitting, cutText, sentBytes } from '../budget.ts';
import {
  maxTokens,
  CursorParameter,
  SearchQuery,
  StartedAfter,
  StartedBefore,
  Timezone,
} from '../parameters.ts';
import { urlOfPlace, writePlace } from '../place.ts';
import { labelLines, numberLines, showText, showTitle } from '../show.ts';
import { createLocalTime, readWindow, type UnderstoodWindow } from '../time-window.ts';
import { createTool, type CallContext } from '../tool.ts';
import { readCursor, requireAlone, writeCursor } from './window-cursor.ts';

/** The part of a budget that the API gets: a result is sent twice, with ids and line numbers of ours. */
const SHARE = 0.45;

/** The least budget that the API accepts. */
const MIN_API_TOKENS = 100;

/** Searches by relevance. */
export const searchTool = createTool({
  name: 'search',
  title: 'Search memories',
  description:
    'Find what was said in recorded conversations: passages, best first. Ask with a question or words; exact or rare words work best. Then read around a result with fetch.',
  parameters: {
    query: SearchQuery,
    started_after: StartedAfter,
    started_before: StartedBefore,
    timezone: Timezone,
    max_tokens: maxTokens(2000),
    cursor: CursorParameter,
  },
  run: async (context, args) => {
    const { api, signal } = context;
    const { query, max_tokens } = args;
    const budget = max_tokens * BYTES_PER_TOKEN;
    const given = args.cursor === undefined ? undefined : readCursor(args.cursor);
    if (given !== undefined) requireAlone(args, ['max_tokens']);
    else if (query === undefined)
      throw new Failure(422, 'Send the parameter "query": the question or the words to look for.');
    const window = given?.window ?? (await readWindow(args, context));
    const first =
      given === undefined
        ? {
            q: query,
            started_after: window.started_after ?? undefined,
            started_before: window.started_before ?? undefined,
          }
        : { cursor: given.cursor };
    const tokens = Math.max(MIN_API_TOKENS, Math.floor(max_tokens * SHARE));
    for (let limit: number | undefined; ;) {
      const input = { ...first, limit, max_tokens: tokens };
      const { items, next } = await api.search.page(input, { signal });
      const cursor = next === undefined ? undefined : writeCursor({ cursor: next, window });
      const response = createResponse(context, items, { window, cursor });
      const fits = (count: number) => sentBytes(response(count)) <= budget;
      const { length } = items.passages;
      const count = countFitting(length, fits);
      if (count === length) return response(count);
      // Fewer passages have an earlier cursor, so that none is skipped.
      if (count > 0) limit = count;
      else if (length > 1) limit = 1;
      else return fitOne(response, budget);
    }
  },
});

/** What a response leaves out if its only result does not fit. */
interface Reduced {
  /** The longest text of the result, in characters. */
  readonly length?: number;
  /** The longest title. */
  readonly title?: number;
  readonly withCursor?: boolean;
  readonly withHints?: boolean;
}

/** A cut text that is shorter than this is of no use to anyone. */
const USEFUL_LENGTH = 300;

/** Returns the response with one result: cut, and if that leaves little of it, without other parts. */
function fitOne(response: Response, budget: number) {
  const { text = '' } = response(1).results[0] ?? {};
  const steps: Reduced[] = [
    {},
    { withCursor: false },
    { withCursor: false, withHints: false },
    { withCursor: false, withHints: false, title: 20 },
  ];
  let fitting = response(1, { ...steps.at(-1), length: 0 });
  for (const step of steps) {
    const fits = (cut: string) => sentBytes(response(1, { ...step, length: cut.length })) <= budget;
    const { length } = cutText(text, fits);
    if (length > 0) fitting = response(1, { ...step, length });
    if (length >= Math.min(text.length, USEFUL_LENGTH)) break;
  }
  return fitting;
}

interface Shown {
  readonly window: UnderstoodWindow;
  readonly cursor: string | undefined;
}

/** Creates the response with the first results, the text of the first of them cut to a length. */
function createResponse(context: CallContext, found: SearchResult, { window, cursor }: Shown) {
  const localTime = createLocalTime(window.timezone);
  const results = found.passages.map((passage) => toResult(passage, context, localTime));
  const { memories_found, memories_searched, absent_words, nearest_words } = found;
  return (
    count: number,
    { length = Infinity, title, withCursor = true, withHints = true }: Reduced = {},
  ) => ({
    results: results.slice(0, count).map((result) => ({
      ...result,
      ...(title !== undefined && { title: showTitle(result.title, title) }),
      ...(result.text.length > length && { text: beginning(result.text, length), is_cut: true }),
    })),
    memories_found,
    memories_searched,
    absent_words: withHints ? absent_words.map(showText) : [],
    nearest_words: withHints
      ? Object.fromEntries(
          Object.entries(nearest_words).map(([word, near]) => [showText(word), near.map(showText)]),
        )
      : {},
    more: cursor !== undefined,
    ...(cursor === undefined
      ? {}
      : withCursor
        ? { cursor }
        : { hint: 'Raise max_tokens to get the cursor for more.' }),
    window,
    now: new Date(context.now).toISOString(),
  });
}

type Response = ReturnType<typeof createResponse>;

function toResult(
  { memory_id, name, started_at, is_processing, source, lines, text }: Passage,
  { readerUrl }: CallContext,
  localTime: (instant: string) => string,
) {
  const [first, last] = lines;
  const place = { memory_id, ...(first === undefined ? {} : { first, last: last ?? first }) };
  return {
    id: writePlace(place),
    title: showTitle(name),
    url: urlOfPlace(place, readerUrl),
    memory_id,
    started_at,
    local_time: localTime(started_at),
    ...(source === 'transcript' ? {} : { source }),
    lines: [...lines],
    text: first === undefined ? labelLines(text, source) : numberLines(text, first),
    is_processing,
  };
}
