// The parameters of the tools: the contract's schemas, with descriptions for models.

import * as v from 'valibot';

import { Cursor, Flag, MAX_QUERY, Order, QueryText } from '../contract/schemas/parameters.ts';

/** The least and the most tokens of a response, and the usual numbers. */
const MIN_TOKENS = 500;
const MAX_TOKENS = 20_000;

const text = v.pipe(v.string(), v.maxLength(200));

/** The words or the question to look for. */
export const SearchQuery = v.optional(
  v.pipe(QueryText, v.description(`a question or words, up to ${MAX_QUERY} characters`)),
);

/** The exact filter. */
export const ExactQuery = v.optional(
  v.pipe(QueryText, v.description('words that must all occur, a "phrase" or a prefix*')),
);

/** The first time of a window. */
export const StartedAfter = v.optional(
  v.pipe(text, v.description('the first time: an instant, a date, today, yesterday, or 7d')),
);

/** The time at which a window ends. */
export const StartedBefore = v.optional(
  v.pipe(text, v.description('the time to end before, written likewise')),
);

/** The zone of dates. */
export const Timezone = v.optional(
  v.pipe(text, v.description('IANA zone of dates, such as Europe/Berlin')),
);

/** A filter by state. */
export const IsProcessing = v.optional(
  v.pipe(Flag, v.description('true for memories without a summary yet, false for the others')),
);

/** The order of a list. */
export const ListOrder = v.optional(v.pipe(Order, v.description('"desc" (newest first) or "asc"')));

/** A cursor of an earlier response. */
export const CursorParameter = v.optional(
  v.pipe(
    v.string(),
    v.check((cursor) => v.is(Cursor, cursor.split('~', 1)[0])),
    v.description('the "cursor" of an earlier response, for the results after it'),
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
      v.description(`${MIN_TOKENS}-${MAX_TOKENS} tokens for the response (default ${usual})`),
    ),
    usual,
  );
}

/** The most items of a response, whose default is `usual`. */
export function limit(usual: number, most: number) {
  return v.optional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(1),
      v.maxValue(most),
      v.description(`1-${most} (default ${usual})`),
    ),
    usual,
  );
}

/** A place in a memory. */
export const PlaceId = v.pipe(
  v.string(),
  v.maxLength(200),
  v.description('an id from another tool: "ID", "ID#L120" or "ID#L120-L160"'),
);
