// The Granola source: notes that have changed, each with its transcript from a request of its own.

import * as v from 'valibot';

import type { JsonObject } from '../../formats/format.ts';
import { granola as format } from '../../formats/products/granola.ts';
import { idIn, isoTime, Items, ProductCursor, textIn, timeIn } from '../page-fields.ts';
import type { Source, SourceRequest } from '../source.ts';

const Notes = v.object({ notes: Items, hasMore: v.boolean(), cursor: ProductCursor });

const Spoken = v.object({
  transcript: v.nullish(v.array(v.unknown()), []),
  hasMore: v.boolean(),
  cursor: ProductCursor,
});

const Note = v.record(v.string(), v.unknown());

/** The transcript is too long for the response with the note. */
const TOO_LARGE = 413;

/** Granola. `updated_after` finds changes, too. A note without a summary is not listed. */
export const granola: Source = {
  name: 'granola',
  product: 'Granola notes',
  documents: [
    'https://docs.granola.ai/introduction',
    'https://docs.granola.ai/api-reference/list-notes',
    'https://readme.hex.pm/granola/1.0.0',
  ],
  url: 'https://public-api.granola.ai',
  credential: {
    variable: 'GRANOLA_API_KEY',
    place: 'Settings → Connectors → API keys in its desktop app',
  },
  format,
  order: 'newest first',
  list: ({ cursor, since }) => ({
    path: '/v1/notes',
    query: { page_size: 30, updated_after: isoTime(since), cursor },
  }),
  readPage: ({ body }) => {
    const { notes, hasMore, cursor } = v.parse(Notes, body);
    return { items: notes, next: hasMore ? cursor : undefined };
  },
  timeOf: (item) => timeIn(item, 'updated_at'),
  versionOf: (item) => textIn(item, 'updated_at'),
  details: (item) => [
    { path: pathOf(item), query: { include: 'transcript' }, missing: [TOO_LARGE] },
  ],
  more,
  join: (_, [note, alone, ...pages]) => {
    if (note !== undefined) return hasTranscript(note) ? note : undefined;
    if (alone === undefined) return undefined;
    const transcript = pages.flatMap((page) => v.parse(Spoken, page).transcript);
    return { ...v.parse(Note, alone), transcript };
  },
  one: (id) => ({ path: `/v1/notes/${encodeURIComponent(id)}` }),
};

/** Granola lists a note as soon as it has a summary. Its transcript may come later, or never. */
function hasTranscript(note: unknown): boolean {
  return Array.isArray(v.parse(Note, note)['transcript']);
}

/** After a note that did not come with its transcript: the note alone, then the transcript page by page. */
function more(item: JsonObject, replies: readonly unknown[]): SourceRequest | undefined {
  const [note, alone] = replies;
  if (note !== undefined) return undefined;
  if (replies.length === 1) return { path: pathOf(item) };
  if (alone === undefined) return undefined;
  const path = `${pathOf(item)}/transcript`;
  if (replies.length === 2) return { path, query: { page_size: 100 } };
  const { hasMore, cursor } = v.parse(Spoken, replies.at(-1));
  return hasMore && cursor !== undefined ? { path, query: { page_size: 100, cursor } } : undefined;
}

function pathOf(item: JsonObject): string {
  return `/v1/notes/${encodeURIComponent(idIn(item))}`;
}
