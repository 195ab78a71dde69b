// The tl;dv source: meetings, each with its transcript and its notes from requests of their own.

import * as v from 'valibot';

import type { JsonObject } from '../../formats/format.ts';
import { tldv as format } from '../../formats/products/tldv.ts';
import { idIn, isoTime, Items, timeIn } from '../page-fields.ts';
import type { Source } from '../source.ts';

const Meetings = v.object({ results: Items, page: v.number(), pages: v.number() });

/** tl;dv. A transcript is there when it is complete. Until then the meeting is left out. */
export const tldv: Source = {
  name: 'tldv',
  product: 'tl;dv meetings',
  documents: ['https://doc.tldv.io', 'https://github.com/api-evangelist/tl-dv'],
  url: 'https://pasta.tldv.io',
  credential: {
    variable: 'TLDV_API_KEY',
    place: 'the settings of tl;dv',
    header: (secret) => ['x-api-key', secret],
  },
  format,
  order: 'newest first',
  isByPosition: true,
  takesUntil: true,
  list: ({ cursor, since, until }) => ({
    path: '/v1alpha1/meetings',
    query: { page: cursor ?? 1, limit: 50, from: isoTime(since), to: isoTime(until) },
  }),
  readPage: ({ body }) => {
    const { results, page, pages } = v.parse(Meetings, body);
    return { items: results, next: page < pages ? String(page + 1) : undefined };
  },
  timeOf: (item) => timeIn(item, 'happenedAt'),
  details: (item) => [{ path: `${pathOf(item)}/transcript` }, { path: `${pathOf(item)}/notes` }],
  join: (item, [transcript, notes]) =>
    transcript === undefined ? undefined : { ...item, transcript, notes },
  one: (id) => ({ path: pathOf({ id }) }),
};

function pathOf(item: JsonObject): string {
  return `/v1alpha1/meetings/${encodeURIComponent(idIn(item))}`;
}
