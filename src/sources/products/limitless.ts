// The Limitless source: lifelogs, oldest first.

import * as v from 'valibot';

import { limitless as format } from '../../formats/products/limitless.ts';
import { Items, ProductCursor, timeIn } from '../page-fields.ts';
import type { Source } from '../source.ts';

const Lifelogs = v.object({
  data: v.object({ lifelogs: Items }),
  meta: v.object({ lifelogs: v.object({ nextCursor: ProductCursor }) }),
});

/** Limitless. `start` is a local time of `timezone`, whatever offset it has. Larger pages than 10 were refused in 2025. */
export const limitless: Source = {
  name: 'limitless',
  product: 'Limitless lifelogs',
  documents: [
    'https://www.limitless.ai/developers',
    'https://github.com/limitless-ai-inc/limitless-api-examples/blob/main/openapi.yml',
  ],
  url: 'https://api.limitless.ai',
  credential: {
    variable: 'LIMITLESS_API_KEY',
    place: 'the developer settings of app.limitless.ai',
    header: (secret) => ['x-api-key', secret],
  },
  format,
  order: 'oldest first',
  list: ({ cursor, since }) => ({
    path: '/v1/lifelogs',
    query: {
      timezone: 'UTC',
      direction: 'asc',
      limit: 10,
      includeMarkdown: true,
      includeHeadings: true,
      includeContents: true,
      start: since === undefined ? undefined : toLocalTime(since),
      cursor,
    },
  }),
  readPage: ({ body }) => {
    const { data, meta } = v.parse(Lifelogs, body);
    return { items: data.lifelogs, next: meta.lifelogs.nextCursor };
  },
  timeOf: (item) => timeIn(item, 'startTime'),
  one: (id) => ({ path: `/v1/lifelogs/${encodeURIComponent(id)}` }),
};

/** Returns a time as the parameter `start` takes it: `2026-11-18 09:00:00`. */
function toLocalTime(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}
