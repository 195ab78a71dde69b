// Serves a gateway on the fixtures with its reference page, under any path prefix.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { readFixtures } from '../../../src/cli/commands/database/seed.ts';
import { openGateway } from '../../../src/gateway/open.ts';
import { createDatabase, withFileWriterSync } from '../../../src/store/sqlite/writer.ts';
import { issued, newFolder } from './artifacts.ts';

/** A gateway with its reference page. */
export interface Docs {
  /** The address of the page, such as `http://127.0.0.1:1/some/prefix/docs`. */
  readonly url: string;
  /** The key of Mira, whose memories are those of fixtures/. */
  readonly key: string;
  close(): Promise<void>;
}

/** Serves a gateway on the fixtures at a prefix. `sandboxDocs`: the page is as beside the app. */
export async function serveDocs(prefix: string, sandboxDocs = false): Promise<Docs> {
  const database = join(newFolder(), 'docs.db');
  createDatabase(database);
  const key = withFileWriterSync(database, (writer) => {
    const mira = readFixtures().filter(({ id }) => id === 'mira');
    for (const { id, name } of mira) writer.accounts.create({ id, name, created_by: 'seed' });
    for (const { id, memories } of mira) writer.memories.putAll(id, [...memories]);
    return writer.keys.create({ account_id: 'mira', label: 'docs', expires_at: null }).key;
  });
  const gateway = openGateway({ database, baseUrl: prefix, sandboxDocs });
  const server = createServer(gateway.listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${prefix}/docs`,
    key: issued(key),
    async close() {
      server.closeAllConnections();
      server.close();
      await gateway.close();
    },
  };
}
