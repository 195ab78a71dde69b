// The Fathom source: meetings with transcript, summary and action items.

import * as v from 'valibot';

import { fathom as format } from '../../formats/products/fathom.ts';
import { idIn, isoTime, Items, ProductCursor, timeIn } from '../page-fields.ts';
import type { Source } from '../source.ts';

const Meetings = v.object({ items: Items, next_cursor: ProductCursor });

/** Fathom. It has no request for one meeting, so a deletion must be missing from two lists. */
export const fathom: Source = {
  name: 'fathom',
  product: 'Fathom meetings',
  documents: [
    'https://developers.fathom.ai/quickstart',
    'https://developers.fathom.ai/api-overview',
    'https://developers.fathom.ai/api-reference/meetings/list-meetings',
  ],
  url: 'https://api.fathom.ai/external/v1',
  credential: {
    variable: 'FATHOM_API_KEY',
    place: 'the section API Access of your user settings',
    header: (secret) => ['x-api-key', secret],
  },
  format,
  order: 'newest first',
  takesUntil: true,
  list: ({ cursor, since, until }) => ({
    path: '/meetings',
    query: {
      include_transcript: true,
      include_summary: true,
      include_action_items: true,
      created_after: isoTime(since),
      created_before: isoTime(until),
      cursor,
    },
  }),
  readPage: ({ body }) => {
    const { items, next_cursor } = v.parse(Meetings, body);
    return { items, next: next_cursor };
  },
  idOf: (item) => idIn(item, 'recording_id') || idIn(item, 'url'),
  timeOf: (item) => timeIn(item, 'created_at'),
};
