// Chunks of a long list: about as long as a batch, and the same bytes as memory by memory.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';

import type { Memory } from '../../src/contract/schemas/memory.ts';
import type { ListPosition } from '../../src/store/positions.ts';
import type { ListRange, Store } from '../../src/store/store.ts';
import { openAny } from '../support/engines/engine.ts';
import { createWorld, memories, memory } from '../support/world/world.ts';

const KB = 1024;

/**
 * Opens the store of an account with memories. Another account has some of the same times and ids.
 */
async function storeOf(t: TestContext, list: readonly Memory[]): Promise<Store> {
  const world = await createWorld(t);
  world.addAccount('ana', list);
  world.addAccount(
    'bo',
    list.slice(0, 10).map((each) => ({ ...each, name: 'theirs' })),
  );
  const store = await openAny(world.database);
  t.after(() => store.close());
  return store;
}

/** Reads a range to its end in chunks. */
async function inPieces(store: Store, range: ListRange, maxBytes: number): Promise<Buffer[]> {
  const pieces: Buffer[] = [];
  let after: ListPosition | undefined;
  do {
    const { bytes, rest } = await store.chunk({ ...range, after }, maxBytes);
    if (bytes.length > 0) pieces.push(Buffer.from(bytes));
    after = rest;
  } while (after !== undefined);
  return pieces;
}

/** Reads a range to its end, one memory at a time. */
async function oneByOne(store: Store, range: ListRange): Promise<Buffer[]> {
  const { items } = await store.items(range, 1e9);
  return items.map(({ bytes }) => Buffer.from(bytes));
}

const SUMMARY = { quick_summary: 'Short.', key_takeaways: [] };

/** Memories with equal start times, some of them processing, all of different length. */
const MIXED = Array.from({ length: 700 }, (_, i) => {
  const started_at = new Date(Date.UTC(2026, 0, 1, 0, 0, Math.floor(i / 7))).toISOString();
  return memory({
    id: `m${(i * 377) % 700}`,
    started_at,
    is_processing: i % 3 === 0,
    summary: i % 3 === 0 ? { quick_summary: '', key_takeaways: [] } : SUMMARY,
    transcript: 'äöü“'.repeat((i * 31) % 97),
  });
});

describe('A chunk', () => {
  it('has the bytes of its memories in their order, with commas between them, in every kind of list', async (t) => {
    const store = await storeOf(t, MIXED);
    let read = 0;
    for (const order of ['desc', 'asc'] as const)
      for (const projection of ['body', 'slim'] as const)
        for (const is_processing of [undefined, true, false])
          for (const q of [undefined, 'memory', 'short']) {
            const filters = { is_processing, started_after: Date.UTC(2026, 0, 1, 0, 0, 9), q };
            const range = { account_id: 'ana', order, projection, ...filters };
            const expected = (await oneByOne(store, range)).join();
            const pieces = await inPieces(store, range, 256 * KB);
            assert.equal(pieces.join(), expected, JSON.stringify(range));
            read += expected.length;
          }
    assert.ok(read > 1000 * KB, `${read} bytes`);
  });

  it('has about as many bytes as requested, and at most one memory more', async (t) => {
    const lengths = [10, 4000, 4000, 4000, 30_000, 700_000, 10, 4000, 150_000, 150_000];
    const list = memories(300).map((each, i) => ({
      ...each,
      transcript: 'x'.repeat(lengths[Math.floor(i / 30)] ?? 0),
    }));
    const store = await storeOf(t, list);
    for (const order of ['desc', 'asc'] as const) {
      const range = { account_id: 'ana', order, projection: 'body' } as const;
      const pieces = await inPieces(store, range, 256 * KB);
      assert.equal(pieces.join(), (await oneByOne(store, range)).join());
      for (const piece of pieces) {
        const last: string = JSON.stringify(JSON.parse(`[${piece.toString()}]`).at(-1));
        assert.ok(piece.length - last.length <= 512 * KB, `${piece.length} bytes`);
      }
      assert.ok(pieces.length < 150, `${pieces.length} pieces`);
    }
  });

  it('ends at its limit, and is empty if no memory is left', async (t) => {
    const store = await storeOf(t, memories(70));
    const range = { account_id: 'ana', order: 'asc', projection: 'body' } as const;
    const ids = ({ bytes }: { bytes: Uint8Array }) =>
      (JSON.parse(`[${Buffer.from(bytes).toString()}]`) as Memory[]).map(({ id }) => id);
    const two = await store.chunk({ ...range, limit: 2 }, 256 * KB);
    assert.deepEqual(ids(two), ['m000', 'm001']);
    assert.deepEqual(ids(await store.chunk({ ...range, after: two.rest, limit: 1 }, 256 * KB)), [
      'm002',
    ]);
    const last = (await store.positions(range)).items.at(-1);
    for (const nothing of [
      { ...range, after: last },
      { ...range, account_id: 'nobody' },
    ]) {
      const { bytes, rest } = await store.chunk(nothing, 256 * KB);
      assert.deepEqual([bytes.length, rest], [0, undefined]);
    }
  });

  it('has a buffer of its own, of exactly its size', async (t) => {
    for (const length of [4000, 100_000]) {
      const store = await storeOf(t, memories(70, length));
      const { bytes } = await store.chunk(
        { account_id: 'ana', order: 'asc', projection: 'body' },
        256 * KB,
      );
      assert.ok(bytes.length > 200 * KB);
      assert.equal(bytes.buffer.byteLength, bytes.length);
    }
  });
});
