// Types of the entry points: each is an Api, so a program can replace one by another without a change.

import { createServer } from 'node:http';

import { createClient } from '../../src/client/index.ts';
import type { Api } from '../../src/contract/api.ts';
import {
  openGateway,
  type Change,
  type FollowOptions,
  type MemoryField,
  type Store,
} from '../../src/index.ts';
import type {
  FeedPage,
  FeedRange,
  MemoryQuery,
  Projection,
  StoredChange,
  StoredMemory,
} from '../../src/store/index.ts';

const gateway = openGateway({ database: 'file' });
createServer(gateway.listener);
export const response: Promise<Response> = gateway.fetch(new Request('http://host'));
export const entryPoints: Api[] = [
  gateway.as('ana'),
  createClient({ baseUrl: 'http://host', apiKey: 'key', fetch: gateway.fetch }),
];
// @ts-expect-error: a gateway needs a file
openGateway({ baseUrl: '/a' });
// @ts-expect-error: no such option
openGateway({ database: 'file', prefix: '/a' });
// @ts-expect-error: the account is named by its id
gateway.as({ id: 'ana' });

// A program can name the types of all results, and of all arguments of a gateway.
export const title: MemoryField = 'name';
export const slowly: FollowOptions = { everyMs: 60_000 };
export async function firstChange(since: string): Promise<Change | undefined> {
  const { value } = await gateway.as('ana').changes.follow({ since }, slowly).next();
  return value.items[0];
}
declare const bytesOf: (bytes: Projection) => StoredMemory['bytes'];
const gone: StoredChange = { memory_id: 'a', change: 'delete', changed_at: 0 };
export const engine = {
  memory: ({ projection }: MemoryQuery) => ({ body_sha256: '', bytes: bytesOf(projection) }),
  changes: async ({ position, revision }: FeedRange): Promise<FeedPage> => ({
    changes: [gone],
    hasMore: false,
    position,
    revision,
  }),
} satisfies Partial<Store>;
