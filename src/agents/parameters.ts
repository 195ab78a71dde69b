// The parameters of the tools: the contract's schemas, with descriptions for models.

import * as v from 'valibot';

import { Cursor, Flag, MAX_QUERY, Order, QueryText } from '../contract/schemas/parameters.ts';

/** The least and the most tokens of a response, and the usual numbers. */
const MIN_TOKENS = 500;
const MAX_TOKENS = 20_000;

const text = v.pipe(v.string(), v.maxLength(200));

/** The words or the question to look for. */
export const SearchQuery = v.pipe(
  QueryText,
  v.description(`a question or words, tag:X, source:X, up to ${MAX_QUERY} characters`),
);

/** The name of a speaker. */
export const Speaker = v.optional(
  v.pipe(
    text,
    v.description('only passages with a line of this speaker, as transcripts write the name'),
  ),
);

/** The whole name of a person, a tag or a source. The API checks it, and the parameter says enough. */
export const WholeName = v.optional(v.string());

/** How many results of a search precede those that are wanted. */
export const ResultCursor = v.optional(
  v.pipe(
    v.number(),
    v.integer(),
    v.minValue(1),
    v.maxValue(100_000),
    v.description('"cursor" of the last response; repeat the other parameters'),
  ),
);

/** The exact filter. */
export const ExactQuery = v.optional(
  v.pipe(QueryText, v.description('words that must all occur, a "phrase" or a prefix*')),
);

/** A window of time, and the zone of its dates. */
export const windowParameters = {
  started_after: v.optional(
    v.pipe(text, v.description('an instant, a date, today, yesterday, or 7d')),
  ),
  started_before: v.optional(v.pipe(text, v.description('written likewise, exclusive'))),
  timezone: v.optional(v.pipe(text, v.description('of dates, such as Europe/Berlin'))),
};

/** A filter by state. */
export const IsProcessing = v.optional(v.pipe(Flag, v.description('true: without a summary yet')));

/** The order of a list. */
export const ListOrder = v.optional(v.pipe(Order, v.description('"desc" (newest first) or "asc"')));

/** A cursor of an earlier response. */
export const CursorParameter = v.optional(
  v.pipe(
    v.string(),
    v.check((cursor) => v.is(Cursor, cursor.split('~', 1)[0])),
    v.description('"cursor" of the last response, alone'),
  ),
);

/** The budget of a response, whose default is `usual`. */
export function maxTokens(usual: number) {
  return v.optional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(MIN_TOKENS),
      v.maxValue(MAX_TOKENS),
      v.description(`${MIN_TOKENS}-${MAX_TOKENS}, for the whole response`),
    ),
    usual,
  );
}

/** The most items of a response, whose default is `usual`. */
export function limit(usual: number, most: number) {
  return v.optional(
    v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(most), v.description(`1-${most}`)),
    usual,
  );
}

/** A place in a memory. */
export const PlaceId = v.pipe(
  v.string(),
  v.maxLength(200),
  v.description('an id from another tool: "ID", "ID#L120" or "ID#L120-L160"'),
);
