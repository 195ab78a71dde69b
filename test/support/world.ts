// A small real world for tests: a database file, a server on a free port, and its log.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Memory } from '../../src/contract/memory.ts';
import { createGateway, type Gateway } from '../../src/gateway/gateway.ts';
import { createServer } from '../../src/gateway/server.ts';
import { openStore, type SyncStore } from '../../src/store/sqlite.ts';
import { migrate, openWriter, type Writer } from '../../src/store/writer.ts';
import { issued, leave, newFolder } from './left.ts';

export interface World {
  readonly database: string;
  readonly writer: Writer;
  readonly port: number;
  readonly url: string;
  readonly gateway: Gateway;
  /** What the gateway reported, oldest first. */
  readonly log: { readonly message: string; readonly fields: Record<string, unknown> }[];
  /** Creates an account with a key and memories. */
  addAccount(id: string, memories?: readonly Memory[]): string;
  /** Issues another key. */
  addKey(account_id: string, expires_at?: number | null): { readonly id: string; readonly key: string };
}

/** Makes a world that ends with its test; `wrap` may stand between the gateway and its store. */
export async function createWorld(t: TestContext, wrap = (store: SyncStore): SyncStore => store): Promise<World> {
  const database = join(newFolder(), 'memories.db');
  migrate(database);
  const writer = openWriter(database);
  const store = openStore(database);
  const log: World['log'] = [];
  const report = (fields: object, message: string) => {
    log.push({ message, fields: { ...fields } });
    leave(JSON.stringify({ message, ...fields, err: String((fields as { err?: unknown }).err) }));
  };
  const gateway = createGateway(wrap(store), { version: 'test', log: { error: report, access: report } });
  const server = createServer(gateway.listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  t.after(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    store.close();
    writer.close();
  });

  const addKey: World['addKey'] = (account_id, expires_at = null) => {
    const { id, key } = writer.keys.create({ account_id, label: 'test', expires_at });
    return { id, key: issued(key) };
  };
  return {
    database,
    writer,
    port,
    url: `http://127.0.0.1:${port}`,
    gateway,
    log,
    addKey,
    addAccount(id, memories = []) {
      writer.accounts.create({ id, name: `Account ${id}`, created_by: 'command line' });
      for (const memory of memories) writer.memories.put(id, memory);
      return addKey(id).key;
    },
  };
}

/** A memory that holds the contract; what matters to a test is given, the rest is plain. */
export function memory(given: Partial<Memory> & { id: string }): Memory {
  const started_at = given.started_at ?? '2026-11-16T09:00:00.000Z';
  return {
    name: `Memory ${given.id}`,
    started_at,
    ended_at: started_at,
    is_processing: false,
    user_id: '',
    duration_seconds: 0,
    summary: { quick_summary: 'Short.', key_takeaways: ['One.'] },
    transcript: 'Mira: Hello.',
    ...given,
  };
}

/** Memories `m000`, `m001`, … a minute apart, oldest first; `bytes` is the length of each transcript. */
export function memories(count: number, bytes = 10): Memory[] {
  return Array.from({ length: count }, (_, i) =>
    memory({
      id: `m${String(i).padStart(3, '0')}`,
      started_at: new Date(Date.UTC(2026, 0, 1, 0, i)).toISOString(),
      transcript: 'x'.repeat(bytes),
    }),
  );
}
