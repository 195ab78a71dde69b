// Serves the memories of a recall set over HTTP, from a new database of either engine.

import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { withSeedDatabase, writeMemories } from '../../src/cli/commands/database/seed.ts';
import { createClient } from '../../src/client/index.ts';
import type { Api } from '../../src/contract/api.ts';
import { embedAccount } from '../../src/embeddings/embed-account.ts';
import { createEndpoint } from '../../src/embeddings/endpoint.ts';
import type { EmbeddingsOptions } from '../../src/embeddings/target.ts';
import { connectGateway } from '../../src/gateway/open.ts';
import { createServer, stopServer } from '../../src/gateway/server/server.ts';
import type { RecallSet } from './recall-set.ts';

/** The account that has the memories. */
export const ACCOUNT = 'recall';

/** Where the memories are stored, and whether they are searched by meaning as well. */
export interface RecallServerOptions {
  /** An empty PostgreSQL database. Default: a new SQLite file. */
  readonly address?: string | undefined;
  readonly embeddings?: EmbeddingsOptions | undefined;
}

/** Imports memories into a new database and runs `work` with a client of its server, and the address of the database. */
export async function withRecallServer<T>(
  memories: RecallSet['memories'],
  { address, embeddings }: RecallServerOptions,
  work: (api: Api, database: string) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'recall-'));
  const database = address ?? join(folder, 'recall.db');
  try {
    const account = { id: ACCOUNT, name: ACCOUNT, count: memories.length, memories };
    const apiKey = await withSeedDatabase(database, [account], async (writer) => {
      await writeMemories(writer, [account]);
      if (embeddings !== undefined) {
        const endpoint = createEndpoint(embeddings);
        await embedAccount({ writer, endpoint, account_id: ACCOUNT });
      }
      const given = { account_id: ACCOUNT, label: 'recall', expires_at: null };
      return (await writer.keys.create(given)).key;
    });
    const gateway = await connectGateway({ database, embeddings });
    const server = createServer(gateway.listener);
    try {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      return await work(
        createClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey, timeoutMs: 120_000 }),
        database,
      );
    } finally {
      await stopServer(server, 1000);
      await gateway.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
