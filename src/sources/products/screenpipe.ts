// The screenpipe source: audio of the local search API, read in windows that end at a silence.

import * as v from 'valibot';

import type { JsonObject } from '../../formats/format.ts';
import { screenpipe as format, GAP_MS } from '../../formats/products/screenpipe.ts';
import { idIn, isoTime, Items, timeIn } from '../page-fields.ts';
import type { ProductPage, SourcePosition, Source } from '../source.ts';

/** The most that the API returns. */
const LIMIT = 1000;

const Found = v.object({ data: Items });

const Content = v.looseObject({});

/** The field that says when the conversation of a piece began. The importer ignores it. */
const BEGAN = 'conversation_began';

/**
 * screenpipe. Pieces come newest first, and the importer joins them into conversations, whose ids come
 * from their first pieces. So a page never ends within a conversation, and a conversation counts by
 * its beginning.
 */
export const screenpipe: Source = {
  name: 'screenpipe',
  product: 'screenpipe audio, from your computer',
  documents: [
    'https://docs.screenpi.pe/api-recipes',
    'https://docs.screenpi.pe/api-reference/search/search-screen-and-audio-content',
  ],
  url: 'http://localhost:3030',
  credential: {
    variable: 'SCREENPIPE_API_KEY',
    isOptional: true,
  },
  format,
  order: 'newest first',
  lookBackDays: 2,
  isGrouped: true,
  list: ({ cursor, since }) => ({
    path: '/search',
    query: {
      content_type: 'audio',
      limit: LIMIT,
      offset: 0,
      // Pieces shortly before tell whether a conversation began earlier.
      start_time: since === undefined ? undefined : isoTime(since - GAP_MS),
      end_time: isoTime(readCursor(cursor)?.end),
    },
  }),
  readPage: ({ body }, at) => toPage(v.parse(Found, body).data, at),
  idOf: (item) => `screenpipe-${idIn(contentOf(item), 'chunk_id')}`,
  timeOf: (item) => timeIn(item, BEGAN),
};

/**
 * Keeps the conversations of a page that are whole. The earliest one can go on in the next page, which
 * therefore begins with it again, until nothing earlier is found.
 */
function toPage(found: readonly JsonObject[], { cursor }: SourcePosition): ProductPage {
  const pieces = found
    .filter((item) => format.exclude?.(item) === undefined)
    .toSorted((a, b) => timeOfPiece(a) - timeOfPiece(b));
  // The importer says what is wrong with the others.
  const others = found.filter((item) => format.exclude?.(item) !== undefined);
  const conversations = split(pieces);
  const [first = [], ...later] = conversations;
  const [piece] = first;
  if (piece === undefined) return { items: others, next: undefined };
  const oldest = timeOfPiece(piece);
  if (readCursor(cursor)?.oldest === oldest)
    return { items: [...others, ...conversations.flatMap(marked)], next: undefined };
  if (later.length === 0 && found.length >= LIMIT) {
    // Hours without a silence: they become several memories.
    const items = marked(first.filter((each) => timeOfPiece(each) > oldest));
    return { items: [...others, ...items], next: `${oldest + 1} ` };
  }
  const end = timeOfPiece(first.at(-1) ?? piece) + 1000; // the next page has all of its fractions of a second
  return { items: [...others, ...later.flatMap(marked)], next: `${end} ${oldest}` };
}

function split(pieces: readonly JsonObject[]): JsonObject[][] {
  const conversations: JsonObject[][] = [];
  for (const piece of pieces) {
    const last = conversations.at(-1);
    const before = last?.at(-1);
    if (before !== undefined && format.continues?.(before, piece) === true) last?.push(piece);
    else conversations.push([piece]);
  }
  return conversations;
}

function marked(conversation: readonly JsonObject[]): JsonObject[] {
  const [first] = conversation;
  return conversation.map((piece) => ({
    ...piece,
    [BEGAN]: first === undefined ? undefined : timeOfPiece(first),
  }));
}

function timeOfPiece(item: JsonObject): number {
  return timeIn(contentOf(item), 'timestamp') ?? 0;
}

function contentOf(item: JsonObject): JsonObject {
  return v.is(Content, item['content']) ? item['content'] : {};
}

/** A cursor has the end of the window, and the time of the oldest piece so far. Both are milliseconds since 1970. */
function readCursor(cursor: string | undefined) {
  if (cursor === undefined) return undefined;
  const [end, oldest] = cursor.split(' ');
  return { end: Number(end), oldest: oldest ? Number(oldest) : undefined };
}
