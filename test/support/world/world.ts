// A small world for tests: a database, a server on a free port, and its log.

import type { TestContext } from 'node:test';

import * as v from 'valibot';

import { Memory } from '../../../src/contract/schemas/memory.ts';
import type { EmbeddingsOptions } from '../../../src/embeddings/target.ts';
import type { Gateway, GatewayOptions } from '../../../src/gateway/gateway.ts';
import type { ThrottleOptions } from '../../../src/gateway/request/throttle.ts';
import type { NewMemory } from '../../../src/store/import/memory-row.ts';
import { NO_SCOPE, type Scope } from '../../../src/store/scope.ts';
import type { FileWriter } from '../../../src/store/sqlite/writer.ts';
import type { SyncStore } from '../../../src/store/store.ts';
import type { Store } from '../../../src/store/store.ts';
import { engine } from '../engines/engine.ts';
import { issued, leave, newFolder } from './artifacts.ts';
import { createServerOn } from './server-in-process.ts';

export interface World {
  readonly database: string;
  readonly writer: FileWriter;
  readonly port: number;
  readonly url: string;
  /** The address of the gateway, with the path it is mounted at. */
  readonly gatewayUrl: string;
  readonly gateway: Gateway;
  /** The log of the gateway, oldest first. */
  readonly log: { readonly message: string; readonly fields: Record<string, unknown> }[];
  /** Creates an account with a key and memories. */
  addAccount(id: string, list?: readonly NewMemory[]): string;
  /** The account of the key. */
  readonly accountOf: (key: string) => string;
  /** What the key may read. Undefined: everything. */
  readonly scopeOf: (key: string) => Scope | undefined;
  /** Issues another key. */
  addKey(
    account_id: string,
    expires_at?: number | null,
    scope?: Partial<Scope>,
  ): { readonly id: string; readonly key: string };
}

/** The settings that differ from the defaults. */
export interface WorldOptions {
  /** Wraps the store. */
  readonly wrap?: (store: SyncStore) => Store;
  /** The prefix at which the gateway is mounted. */
  readonly baseUrl?: string;
  readonly allowOrigins?: readonly string[];
  /** Passed to the gateway. 0 for tests that count reads. */
  readonly cacheBytes?: number;
  readonly throttle?: ThrottleOptions;
  readonly embeddings?: EmbeddingsOptions | undefined;
  readonly maxTarget?: number;
  readonly audio?: GatewayOptions['audio'];
}

/** Creates a world that lasts until the test ends. */
export async function createWorld(
  t: TestContext,
  {
    wrap = (store) => store,
    baseUrl = '',
    allowOrigins = [],
    cacheBytes,
    throttle,
    maxTarget,
    embeddings,
    audio,
  }: WorldOptions = {},
): Promise<World> {
  const database = engine.create(t, newFolder());
  const writer = engine.write(t, database);
  const log: World['log'] = [];
  const report = (fields: object, message: string) => {
    log.push({ message, fields: { ...fields } });
    leave(JSON.stringify({ message, ...fields, err: String((fields as { err?: unknown }).err) }));
  };
  const { gateway, port } = await createServerOn(t, database, {
    wrap,
    ...(baseUrl === '' ? {} : { baseUrl }),
    allowOrigins,
    cacheBytes,
    maxTarget,
    throttle,
    embeddings,
    audio,
    log: { error: report, warn: report, access: report },
  });

  const accounts = new Map<string, string>();
  const scopes = new Map<string, Scope | undefined>();
  const addKey: World['addKey'] = (account_id, expires_at = null, given) => {
    const scope = given && { ...NO_SCOPE, ...given };
    const { id, key } = writer.keys.create({ account_id, label: 'test', expires_at, scope });
    accounts.set(key, account_id);
    scopes.set(key, scope);
    return { id, key: issued(key) };
  };
  return {
    database,
    writer,
    port,
    url: `http://127.0.0.1:${port}`,
    gatewayUrl: `http://127.0.0.1:${port}${baseUrl}`,
    gateway,
    log,
    accountOf: (key) => accounts.get(key) ?? '',
    scopeOf: (key) => scopes.get(key),
    addKey,
    addAccount(id, list = []) {
      writer.accounts.create({ id, name: `Account ${id}`, created_by: 'command line' });
      if (list.length > 0) writer.memories.putAll(id, list);
      return addKey(id).key;
    },
  };
}

/** Creates a valid memory. A test gives the fields that matter, and the others have defaults. */
export function memory(given: Partial<Memory> & { id: string }): Memory {
  const started_at = given.started_at ?? '2026-11-16T09:00:00.000Z';
  const plain: NewMemory = {
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
  return v.safeParse(Memory, plain).output as Memory; // also invalid ones, which some tests need
}

/**
 * Creates memories `m000`, `m001`, … one minute apart, oldest first. `bytes` is the length of each
 * transcript.
 */
export function memories(count: number, bytes = 10): Memory[] {
  return Array.from({ length: count }, (_, i) =>
    memory({
      id: `m${String(i).padStart(3, '0')}`,
      started_at: new Date(Date.UTC(2026, 0, 1, 0, i)).toISOString(),
      transcript: 'x'.repeat(bytes),
    }),
  );
}
