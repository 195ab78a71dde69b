// The Omi source: completed conversations with their transcripts, newest first.

import * as v from 'valibot';

import { omi as format } from '../../formats/products/omi.ts';
import { isoTime, Items, nextOffset, timeIn } from '../page-fields.ts';
import type { Source } from '../source.ts';

const PATH = '/v1/dev/user/conversations';

const HOUR_MS = 3_600_000;

/** Omi. `start_date` and `end_date` filter by `created_at`, which is the order of the list, too. A key has 25 reads of transcripts an hour. */
export const omi: Source = {
  name: 'omi',
  product: 'Omi conversations',
  documents: [
    'https://docs.omi.me/doc/developer/api/conversations',
    'https://docs.omi.me/api-reference/conversations/get-conversations',
    'https://github.com/BasedHardware/omi/blob/main/backend/routers/developer.py',
    'https://github.com/BasedHardware/omi/blob/main/backend/utils/rate_limit_config.py',
  ],
  url: 'https://api.omi.me',
  credential: { variable: 'OMI_API_KEY', place: 'Settings → Developer in the Omi app' },
  format,
  order: 'newest first',
  isByPosition: true,
  takesUntil: true,
  list: ({ cursor, since, until }) => ({
    path: PATH,
    query: {
      include_transcript: true,
      limit: 25,
      offset: cursor ?? 0,
      start_date: isoTime(since),
      end_date: isoTime(until),
    },
  }),
  readPage: ({ body }, at) => {
    const items = v.parse(Items, body);
    return { items, next: nextOffset(at, { count: items.length }) };
  },
  waitMs: HOUR_MS,
  timeOf: (item) => timeIn(item, 'created_at'),
  one: (id) => ({ path: `${PATH}/${encodeURIComponent(id)}` }),
};
