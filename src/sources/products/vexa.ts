// The Vexa source: meetings, each with its transcript from a request of its own.

import * as v from 'valibot';

import { vexa as format } from '../../formats/products/vexa.ts';
import { idIn, Items, nextOffset, textIn, timeIn } from '../page-fields.ts';
import type { Source } from '../source.ts';

const Meetings = v.object({ meetings: Items });

const Transcript = v.looseObject({ segments: v.nullish(v.array(v.unknown()), []) });

/**
 * Vexa. Transcripts are requested by the meeting's id, because meetings of one link share a native id.
 * A meeting without words is left out: no bot was let in, or its transcript was deleted.
 */
export const vexa: Source = {
  name: 'vexa',
  product: 'Vexa transcripts',
  documents: [
    'https://github.com/Vexa-ai/vexa/blob/main/docs/docs/api/meetings.mdx',
    'https://docs.vexa.ai/api/meetings',
    'https://docs.vexa.ai/user_api_guide',
  ],
  url: 'https://api.cloud.vexa.ai',
  credential: {
    variable: 'VEXA_API_KEY',
    place: 'your account page',
    header: (secret) => ['x-api-key', secret],
  },
  format,
  order: 'newest first',
  isByPosition: true,
  list: ({ cursor }) => ({
    path: '/meetings',
    query: { exclude_planned: true, limit: 50, offset: cursor ?? 0 },
  }),
  readPage: ({ body }, at) => {
    const { meetings } = v.parse(Meetings, body);
    return { items: meetings, next: nextOffset(at, { count: meetings.length }) };
  },
  timeOf: (item) => timeIn(item, 'created_at'),
  versionOf: (item) =>
    ['status', 'end_time', 'updated_at'].map((name) => textIn(item, name)).join(' '),
  details: (item) => [{ path: pathOf(idIn(item)) }],
  join: (_, [reply]) =>
    reply === undefined || v.parse(Transcript, reply).segments.length === 0 ? undefined : reply,
  one: (id) => ({ path: pathOf(id) }),
};

function pathOf(id: string): string {
  return `/transcripts/by-id/${encodeURIComponent(id)}`;
}
