// The Read AI source: ended meetings with their reports, newest first.

import * as v from 'valibot';

import { readai as format } from '../../formats/products/readai.ts';
import { idIn, Items, timeIn } from '../page-fields.ts';
import type { Source } from '../source.ts';

const Meetings = v.object({ data: Items, has_more: v.boolean() });

const EXPANDED = ['transcript', 'summary', 'action_items'];

/** Read AI. The cursor is the id of the last meeting. A meeting that goes on has no report yet. */
export const readai: Source = {
  name: 'readai',
  product: 'Read AI meeting reports',
  documents: [
    'https://support.read.ai/hc/en-us/articles/49381161088659-API-Reference',
    'https://support.read.ai/hc/en-us/articles/49380809380371-API-Keys-Authentication',
  ],
  url: 'https://api.read.ai',
  credential: {
    variable: 'READAI_ACCESS_TOKEN',
    isShortLived: true,
    renewal:
      'an access token is valid for ten minutes, so make a new one before each run, as docs/howto/import/readai.md shows',
  },
  format,
  order: 'newest first',
  takesUntil: true,
  list: ({ cursor, since, until }) => ({
    path: '/v1/meetings',
    query: {
      limit: 10,
      'start_time_ms.gte': since,
      'start_time_ms.lt': until,
      cursor,
      'expand[]': EXPANDED,
    },
  }),
  readPage: ({ body }) => {
    const { data, has_more } = v.parse(Meetings, body);
    const last = data.at(-1);
    return {
      items: data.filter((item) => typeof item['end_time_ms'] === 'number'),
      next: has_more && last !== undefined ? idIn(last) || undefined : undefined,
    };
  },
  timeOf: (item) => timeIn(item, 'start_time_ms'),
  one: (id) => ({ path: `/v1/meetings/${encodeURIComponent(id)}` }),
};
