// The Speakr source: recordings of a server of one's own, with their transcription from requests of their own.

import * as v from 'valibot';

import type { JsonObject } from '../../formats/format.ts';
import { speakr as format } from '../../formats/products/speakr.ts';
import { idIn, isoTime, Items, textIn, timeIn } from '../page-fields.ts';
import type { Source } from '../source.ts';

const PATH = '/api/v1/recordings';

const Recordings = v.object({
  recordings: Items,
  pagination: v.object({ page: v.number(), has_next: v.boolean() }),
});

/** The statuses of recordings whose transcription will not change by itself. */
const DONE = new Set(['COMPLETED', 'FAILED']);

/**
 * Speakr. Versions before `updated_since` and `updated_at` ignore the parameters, and list all
 * recordings by `created_at`. Then a recording counts as changed when its status or a time does.
 */
export const speakr: Source = {
  name: 'speakr',
  product: 'Speakr recordings, from your server',
  documents: [
    'https://github.com/murtaza-nasir/speakr/blob/main/docs/user-guide/api-tokens.md',
    'https://github.com/murtaza-nasir/speakr/blob/main/docs/user-guide/api-reference.md',
  ],
  url: undefined,
  credential: { variable: 'SPEAKR_API_TOKEN', place: 'Account Settings → API Tokens in Speakr' },
  format,
  order: 'newest first',
  isByPosition: true,
  list: ({ cursor, since }) => ({
    path: PATH,
    query: {
      page: cursor ?? 1,
      per_page: 100,
      sort_by: 'updated_at',
      sort_order: 'desc',
      updated_since: isoTime(since),
    },
  }),
  readPage: ({ body }) => {
    const { recordings, pagination } = v.parse(Recordings, body);
    const next = pagination.has_next ? String(pagination.page + 1) : undefined;
    return { items: recordings, next };
  },
  timeOf: (item) => timeIn(item, 'updated_at') ?? timeIn(item, 'created_at'),
  versionOf: (item) =>
    textIn(item, 'updated_at') ??
    ['status', 'completed_at', 'meeting_date', 'title'].map((name) => textIn(item, name)).join(' '),
  // Without a request there is no response, and the recording is left out until it is done.
  details: (item) => (DONE.has(textIn(item, 'status') ?? '') ? [{ path: pathOf(item) }] : []),
  one: (id) => ({ path: pathOf({ id }) }),
};

function pathOf(item: JsonObject): string {
  return `${PATH}/${encodeURIComponent(idIn(item))}`;
}
