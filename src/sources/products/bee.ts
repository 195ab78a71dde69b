// The Bee source: conversations, through the local server that Bee's own program starts.

import * as v from 'valibot';

import { bee as format } from '../../formats/products/bee.ts';
import { idIn, Items, ProductCursor, textIn, timeIn } from '../page-fields.ts';
import type { Source } from '../source.ts';

const Conversations = v.object({ conversations: Items, next_cursor: ProductCursor });

/**
 * Bee. Its API has certificates of Bee's own and a credential that only `bee` knows, so requests go to
 * `bee proxy`. It takes port 8787 or the next free one, which is why the address is always given.
 */
export const bee: Source = {
  name: 'bee',
  product: 'Bee conversations, from its proxy',
  documents: [
    'https://docs.bee.computer/docs/proxy',
    'https://github.com/bee-computer/bee-cli/blob/main/sources/resources/conversations/index.ts',
  ],
  url: undefined,
  credential: undefined,
  format,
  order: 'newest first',
  list: ({ cursor }) => ({ path: '/v1/conversations', query: { limit: 20, cursor } }),
  readPage: ({ body }) => {
    const { conversations, next_cursor } = v.parse(Conversations, body);
    return { items: conversations, next: next_cursor };
  },
  timeOf: (item) => timeIn(item, 'start_time'),
  // The list does not say when a conversation has changed. Its summary is written last.
  versionOf: (item) =>
    [item['state'], item['end_time'], textIn(item, 'summary')?.length].map(String).join(' '),
  details: (item) => [{ path: `/v1/conversations/${encodeURIComponent(idIn(item))}` }],
  one: (id) => ({ path: `/v1/conversations/${encodeURIComponent(id)}` }),
};
