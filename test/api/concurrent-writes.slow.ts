// Reading while another process writes: lists have each memory that stays exactly once, and copies by the feed are complete.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import Database from 'better-sqlite3';

import type { Memory } from '../../src/contract/schemas/memory.ts';
import { hashApiKey } from '../../src/store/accounts/api-key.ts';
import { openStore } from '../../src/store/sqlite/store.ts';
import { onlyFiles } from '../support/engines/engine.ts';
import {
  catchUp,
  newReplica,
  readAll,
  takeIn,
  type Replica,
} from '../support/model/feed-replica.ts';
import { startBeside, type Beside } from '../support/processes/writer-process.ts';
import { isThorough } from '../support/world/thorough.ts';
import { createWorld, memory, type World } from '../support/world/world.ts';

const START = Date.UTC(2026, 0, 1);
const HOUR = 3_600_000;
const LONG = 'x'.repeat(20_000);

/**
 * Memories that stay, over four weeks. Pairs start at the same time with ids that differ only in
 * case. Some are processing, some are long.
 */
const STEADY: readonly Memory[] = Array.from({ length: 240 }, (_, i) => {
  const is_processing = i % 5 === 0;
  return memory({
    id: `${i % 2 === 0 ? 's' : 'S'}${String(i).padStart(3, '0')}`,
    started_at: new Date(START + Math.floor(i / 2) * 5 * HOUR).toISOString(),
    user_id: 'ana',
    is_processing,
    summary: { quick_summary: is_processing ? '' : 'Steady.', key_takeaways: [] },
    transcript: i % 3 === 0 ? `steady ${LONG}` : 'steady',
  });
});

interface Reading {
  readonly query: string;
  /** The memories that stay and match. */
  readonly has: (memory: Memory) => boolean;
  /** The page size. Without it, all memories are requested at once. */
  readonly limit?: number;
}

const all = () => true;
const isProcessed = (each: Memory) => !each.is_processing;
const isOfTheMiddle = ({ started_at }: Memory) =>
  started_at >= '2026-01-07T23:00' && started_at < '2026-01-21T23:00';

const readings: readonly Reading[] = [
  { query: '', has: all, limit: 7 },
  { query: 'order=asc', has: all, limit: 8 },
  { query: 'is_processing=false', has: isProcessed, limit: 5 },
  { query: 'is_processing=true&order=asc', has: (each) => each.is_processing, limit: 2 },
  {
    query: 'started_after=2026-01-08&started_before=2026-01-22&timezone=Europe/Berlin',
    has: isOfTheMiddle,
    limit: 3,
  },
  { query: 'q=steady', has: all, limit: 6 },
  { query: 'q=%22steady%22+stea*&order=asc&is_processing=false', has: isProcessed, limit: 9 },
  { query: 'fields=started_at,name', has: all, limit: 10 },
  { query: '', has: all, limit: 100 },
  { query: 'order=asc', has: all, limit: 150 },
  { query: 'q=steady&is_processing=false', has: isProcessed, limit: 90 },
  { query: '', has: all },
  { query: 'order=asc&is_processing=false', has: isProcessed },
  { query: 'q=steady&order=asc', has: all },
];

interface Page {
  readonly items: readonly Memory[];
  readonly next: string | undefined;
  readonly isStreamed: boolean;
}

/** Reads a page, with writes between its chunks. */
async function readPage(world: World, key: string, path: string, beside: Beside): Promise<Page> {
  const headers = { authorization: `Bearer ${key}` };
  const response = await world.gateway.fetch(new Request(`http://gateway${path}`, { headers }));
  const isStreamed = !response.headers.has('content-length');
  const parts: Uint8Array[] = [];
  for await (const part of response.body as AsyncIterable<Uint8Array>) {
    parts.push(part);
    if (isStreamed) await beside.more();
  }
  const text = Buffer.concat(parts).toString();
  assert.equal(response.status, 200, text);
  const [, next] = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '') ?? [];
  return { items: JSON.parse(text) as Memory[], next, isStreamed };
}

/** Reads all pages, with writes between some of them. */
async function walk(world: World, key: string, { query, limit }: Reading, beside: Beside) {
  const pages: Page[] = [];
  const size = limit === undefined ? '' : `&limit=${limit}`;
  for (let path: string | undefined = `/v1/memories?${query}${size}`; path !== undefined;) {
    const page: Page = await readPage(world, key, path, beside);
    pages.push(page);
    path = page.next;
    if (pages.length % 4 === 1) await beside.more();
  }
  return pages;
}

function assertOrdered(items: readonly Memory[], isUp: boolean, what: string): void {
  const places = items.map(({ started_at, id }) => `${started_at} ${id}`);
  const sorted = places.toSorted((a, b) => (a < b === isUp ? -1 : 1));
  assert.deepEqual(places, sorted, what);
  assert.equal(new Set(places).size, places.length, `${what}: a place twice`);
}

describe('While another process writes', () => {
  it('every list has each memory that stays exactly once, and copies by the feed are complete', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana', STEADY);
    const beside = await startBeside(t, world, 'ana');
    const copying = { isOver: false };
    const copies = [newReplica(), newReplica(7), newReplica(1)];
    const followed = Promise.all(copies.map((copy) => follow(copy)));

    let streamed = 0;
    for (const reading of isThorough ? readings : readings.slice(7)) {
      const before = beside.writes;
      const pages = await walk(world, key, reading, beside);
      assert.ok(beside.writes > before, 'writes happened during the reads');
      assertWhole(reading, pages);
      streamed += pages.filter(({ isStreamed }) => isStreamed).length;
    }
    assert.ok(streamed > 5, 'some lists were streamed');

    assert.equal(await beside.end(), 0);
    copying.isOver = true;
    await followed;
    const there = await readAll(world.port, key);
    for (const copy of copies) {
      await catchUp(copy, world.port, key);
      assert.deepEqual(copy.copy, there);
    }
    t.diagnostic(`${beside.writes} writes, ${streamed} streamed responses`);

    async function follow(copy: Replica): Promise<void> {
      while (!copying.isOver) {
        await takeIn(copy, world.port, key);
        await sleep(10);
      }
    }
  });
});

function assertWhole({ query, has, limit = Infinity }: Reading, pages: readonly Page[]): void {
  const what = `${query} by ${limit}`;
  const items = pages.flatMap((page) => page.items);
  assertOrdered(items, query.includes('order=asc'), what);

  const byNumber = (a: Memory, b: Memory) => Number(a.id.slice(1)) - Number(b.id.slice(1));
  const sorted = items.filter(({ id }) => !id.startsWith('w')).toSorted(byNumber);
  const must = STEADY.filter(has);
  if (query.includes('fields=')) {
    const cut = must.map(({ id, name, started_at }) => ({ id, name, started_at }));
    assert.deepEqual(sorted, cut, what);
  } else {
    assert.deepEqual(sorted, must, what);
    for (const each of items) assertOneVersion(each);
  }

  for (const page of pages) {
    // A memory that is deleted while a page is being read is missing from the page.
    if (page.isStreamed) assert.ok(page.items.length <= limit, what);
    else if (page.next !== undefined) assert.equal(page.items.length, limit, what);
    else assert.ok(page.items.length <= limit, what);
  }
}

/** Memories written in one transaction appear together. */
function assertOneVersion({ id, name, summary, transcript, is_processing }: Memory): void {
  if (!id.startsWith('w')) return;
  assert.ok(transcript.startsWith(`steady ${name} `), id);
  assert.equal(summary.quick_summary, is_processing ? '' : name, id);
}

/**
 * Writes right after the first run of a statement that contains some words. Returns a function that
 * says whether this happened.
 */
function between(t: TestContext, words: string, write: () => void): () => boolean {
  const db = new Database(':memory:');
  const statement = Object.getPrototypeOf(db.prepare('select 1')) as Database.Statement;
  db.close();
  const get: unknown = Reflect.get(statement, 'get');
  let hasCome = false;
  t.mock.method(statement, 'get', function (this: Database.Statement, ...values: unknown[]) {
    const row: unknown = Reflect.apply(get as () => unknown, this, values);
    if (hasCome || !this.source.includes(words)) return row;
    hasCome = true;
    write();
    return row;
  });
  return () => hasCome;
}

describe(
  'When another process writes between two statements of one read',
  { skip: onlyFiles },
  () => {
    it('a memory that is added then is not reported as lost', async (t) => {
      const world = await createWorld(t);
      world.addAccount('ana');
      const store = openStore(world.database);
      t.after(() => store.close());
      const wanted = { account_id: 'ana', id: 'new', projection: 'body', known: '' } as const;
      const come = memory({ id: 'new', user_id: 'ana' });
      const hasCome = between(t, 'from "memories"', () => world.writer.memories.put('ana', come));
      assert.equal(store.memory(wanted), undefined);
      assert.ok(hasCome());
      assert.ok(store.memory(wanted));
    });

    it('a key that is revoked then is not cached as valid', async (t) => {
      const world = await createWorld(t);
      world.addAccount('ana');
      const { id, key } = world.addKey('ana');
      const store = openStore(world.database);
      t.after(() => store.close());
      const hasCome = between(t, 'from "api_keys"', () => world.writer.keys.revoke(id));
      store.apiKey(hashApiKey(key));
      assert.ok(hasCome());
      assert.equal(store.apiKey(hashApiKey(key))?.ends_at, 0);
    });
  },
);
