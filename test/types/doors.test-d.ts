// Types of the doors: each is an Api, so a program swaps one for another without a change.

import { createServer } from 'node:http';

import { createClient } from '../../src/client/index.ts';
import type { Api } from '../../src/contract/api.ts';
import {
  openGateway,
  type Bytes,
  type Change,
  type Feed,
  type FollowOptions,
  type MemoryField,
  type Store,
  type Since,
  type StoredChange,
  type StoredMemory,
  type Wanted,
} from '../../src/index.ts';

const gateway = openGateway({ database: 'file' });
createServer(gateway.listener);
export const response: Promise<Response> = gateway.fetch(new Request('http://host'));
export const doors: Api[] = [
  gateway.as('ana'),
  createClient({ baseUrl: 'http://host', apiKey: 'key', fetch: gateway.fetch }),
];
// @ts-expect-error: a gateway needs a file
openGateway({ baseUrl: '/a' });
// @ts-expect-error: no such option
openGateway({ database: 'file', prefix: '/a' });
// @ts-expect-error: the account is named by its id
gateway.as({ id: 'ana' });

// A program names the types of all that it is given, and of all that it gives a gateway.
export const title: MemoryField = 'name';
export const slowly: FollowOptions = { everyMs: 60_000 };
export async function firstChange(since: string): Promise<Change | undefined> {
  const { value } = await gateway.as('ana').changes.follow({ since }, slowly).next();
  return value.items[0];
}
declare const bytesOf: (bytes: Bytes) => StoredMemory['bytes'];
const gone: StoredChange = { memory_id: 'a', change: 'delete', changed_at: 0 };
export const engine = {
  memory: ({ bytes }: Wanted) => ({ body_sha256: '', bytes: bytesOf(bytes) }),
  changes: async ({ mark, revision }: Since): Promise<Feed> => ({
    changes: [gone],
    mark,
    revision,
  }),
} satisfies Partial<Store>;
