// The gateway source: another Memory Gateway, through its feed of changes.

import * as v from 'valibot';

import { Change, Memory } from '../../contract/schemas/memory.ts';
import { memory } from '../../formats/products/memory.ts';
import { idIn } from '../page-fields.ts';
import type { Source, SourceRequest } from '../source.ts';

const Changes = v.array(Change);

const NEXT = /<[^>]*[?&]since=([A-Za-z0-9_-]+)[^>]*>; *rel="next"/;

/** Another gateway. The feed has each memory once, by its latest change, and a 410 starts it again. */
export const gateway: Source = {
  name: 'gateway',
  product: 'Another Memory Gateway',
  documents: ['docs/reference/api.md', 'docs/explanation/feed.md'],
  url: undefined,
  credential: {
    variable: 'MEMORY_GATEWAY_SOURCE_KEY',
    place: 'Settings → API access there, one that reads everything',
    renewal: 'use an active key that reads everything of its account',
  },
  format: memory,
  order: 'feed',
  list: ({ cursor }) => ({ path: '/v1/changes', query: { since: cursor, limit: 50 } }),
  readPage: ({ body, headers }) => {
    const changes = v.parse(Changes, body);
    const next = v.parse(v.string(), NEXT.exec(headers.get('link') ?? '')?.[1]);
    return {
      items: changes.filter(({ change }) => change === 'upsert'),
      deleted: changes.filter(({ change }) => change === 'delete').map((each) => each.memory_id),
      next,
      isEnd: changes.length === 0,
    };
  },
  idOf: (item) => idIn(item, 'memory_id'),
  timeOf: () => undefined,
  details: (item) => [memoryOf(idIn(item, 'memory_id'))],
  one: memoryOf,
};

const FIELDS = Object.keys(Memory.entries).join(',');

/** Names all fields, so that a key that reads no transcripts is refused and does not use up the feed. */
function memoryOf(id: string): SourceRequest {
  return { path: `/v1/memories/${encodeURIComponent(id)}`, query: { fields: FIELDS } };
}
