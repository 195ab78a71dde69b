// Timing: the duration of a 404 does not reveal whether an id is absent or of another account, measured by a t-test.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, it, type TestContext } from 'node:test';

import { listCursor } from '../../src/gateway/endpoints/cursor.ts';
import { createGateway } from '../../src/gateway/gateway.ts';
import { openStore } from '../../src/store/sqlite/store.ts';
import { createDatabase, openWriter } from '../../src/store/sqlite/writer.ts';
import type { Store, SyncStore } from '../../src/store/store.ts';
import { tell } from '../support/damage/trial.ts';
import { compare, isToldApart } from '../support/damage/welch-test.ts';
import { issued, newFolder } from '../support/world/artifacts.ts';
import { sized } from '../support/world/thorough.ts';
import { memory } from '../support/world/world.ts';

const PAIRS = sized(100_000, 5000);

/**
 * The number of different ids on each side. With only a few, the processor's branch prediction
 * learns each of them.
 */
const POOL = 2000;

/** A request and the values that may distinguish it from others. */
interface Asked {
  readonly key: string;
  readonly target?: string;
  readonly etag?: string;
}

type Pool = readonly Asked[];

interface Kinds {
  readonly database: string;
  /** A valid key. */
  readonly key: string;
  /** Memories of another account. */
  readonly foreign: readonly { readonly id: string; readonly etag: string }[];
}

const times = <T>(count: number, make: (i: number) => T) =>
  Array.from({ length: count }, (_, i) => make(i));

/**
 * Copies a text as if it came from a socket, because the way a string was built and its place in
 * memory affect timing.
 */
const anew = (text: string) => Buffer.from(text).toString();

const randomId = () => randomBytes(8).toString('hex');
const randomEtag = () => `"${randomBytes(32).toString('hex')}"`;

const START = Date.UTC(2026, 0, 1);
const minuteOf = (i: number) => START + i * 60_000;
const at = (i: number) =>
  memory({ id: randomId(), started_at: new Date(minuteOf(i)).toISOString() });

/** Creates a database with a valid key for one account, and memories of two accounts. */
function makeKinds(): Kinds {
  const database = `${newFolder()}/memories.db`;
  createDatabase(database);
  const writer = openWriter(database);
  for (const id of ['ana', 'bo'])
    writer.accounts.create({ id, name: id, created_by: 'command line' });
  const { key } = writer.keys.create({ account_id: 'ana', label: 'test', expires_at: null });
  const theirs = times(POOL, at);
  writer.transaction(() => {
    for (let i = 0; i < 100; i++) writer.memories.put('ana', at(i * 20));
    for (const each of theirs) writer.memories.put('bo', each);
  });
  writer.close();
  return { database, key: issued(key), foreign: withEtags(database, theirs) };
}

function withEtags(database: string, list: readonly { readonly id: string }[]) {
  const store = openStore(database);
  const found = list.map(({ id }) => {
    const { body_sha256 = '' } =
      store.memory({ account_id: 'bo', id, projection: 'body', known: '' }) ?? {};
    return { id, etag: `"${body_sha256}"` };
  });
  store.close();
  return found;
}

interface MeasureOptions {
  readonly cacheBytes?: number;
  /** Wraps the store. */
  readonly wrap?: (store: SyncStore) => Store;
}

/** A response with its duration. */
interface Taken {
  /** In nanoseconds, from the call of the listener to the end of the response. */
  readonly time: number;
  readonly status: number;
}

/**
 * Creates a function that sends requests to a gateway without sockets, whose delays would exceed
 * the differences to measure.
 */
function openMeasured(t: TestContext, { database }: Kinds, options: MeasureOptions) {
  const { cacheBytes, wrap = (store) => store } = options;
  const store = openStore(database);
  t.after(() => store.close());
  const { listener } = createGateway(wrap(store), { cacheBytes });
  return ({ key, target = '/v1/memories/x', etag }: Asked): Promise<Taken> => {
    const request = new IncomingMessage(new Socket());
    const condition = etag === undefined ? [] : ['if-none-match', anew(etag)];
    const rawHeaders = ['host', 'a', 'x-api-key', anew(key), ...condition];
    Object.assign(request, { method: 'GET', url: anew(target), httpVersion: '1.1', rawHeaders });
    const response = new ServerResponse(request);
    const { promise, resolve } = Promise.withResolvers<Taken>();
    response.end = () => {
      resolve({ time: Number(process.hrtime.bigint() - from), status: response.statusCode });
      return response;
    };
    const from = process.hrtime.bigint();
    listener(request, response);
    return promise;
  };
}

interface Sides extends MeasureOptions {
  readonly one: Pool;
  readonly other: Pool;
  /** The response that both sides must get. */
  readonly status: number;
}

/** Compares two pools of requests, and returns the result. */
async function compareSides(
  t: TestContext,
  kinds: Kinds,
  { one, other, status, ...options }: Sides,
) {
  const ask = openMeasured(t, kinds, options);
  const timeOf = (pool: Pool) => async (i: number) => {
    const taken = await ask(pool[i] as Asked);
    assert.equal(taken.status, status);
    return taken.time;
  };
  const seed = Date.now() % 1_000_000;
  const found = await compare({
    pairs: PAIRS,
    pool: POOL,
    seed,
    one: timeOf(one),
    other: timeOf(other),
  });
  tell(t, {
    pairs: PAIRS,
    seed,
    t: found.t.toFixed(2),
    'difference in ns': found.difference.toFixed(0),
    'smallest visible difference': found.seen.toFixed(0),
  });
  return found;
}

/** The sides must differ in this many comparisons, each with new keys and a new database. */
const TRIES = 3;

/**
 * Fails if the two sides differ in every comparison, with the same side slower. A property of the
 * gateway shows each time. An accident of memory layout does not.
 */
async function assertAlike(t: TestContext, sidesOf: (kinds: Kinds) => Sides): Promise<void> {
  const found: number[] = [];
  while (found.length < TRIES) {
    const kinds = makeKinds();
    const compared = await compareSides(t, kinds, sidesOf(kinds));
    if (!isToldApart(compared)) return;
    found.push(compared.t);
  }
  const isSame = found.every((each) => each > 0 === (found[0] as number) > 0);
  assert.ok(!isSame, `told apart by t = ${found.map((each) => each.toFixed(2)).join(', ')}`);
}

/** Creates requests for memories of these ids with a valid key. */
const requestsFor = (key: string, ids: readonly string[]): Pool =>
  ids.map((id) => ({ key, target: `/v1/memories/${id}` }));

describe('By response time', () => {
  it('an id is told apart if it costs another lookup: the harness sees that', async (t) => {
    const { foreign, key, ...kinds } = makeKinds();
    const ids = foreign.map(({ id }) => id);
    const slow = new Set(ids);
    const again = (store: SyncStore): Store => ({
      ...store,
      memory: (query) => {
        if (slow.has(query.id)) store.memory(query);
        return store.memory(query);
      },
    });
    const one = requestsFor(key, times(POOL, randomId));
    const sides = { one, other: requestsFor(key, ids), status: 404, wrap: again };
    assert.ok(isToldApart(await compareSides(t, { foreign, key, ...kinds }, sides)));
  });

  it('absent ids look like other absent ids: the harness reports no false difference', async (t) => {
    await assertAlike(t, ({ key }) => {
      const [one, other] = [times(POOL, randomId), times(POOL, randomId)];
      return { one: requestsFor(key, one), other: requestsFor(key, other), status: 404 };
    });
  });

  for (const [cache, options] of [
    ['', {}],
    [', without a cache', { cacheBytes: 0 }],
  ] as const) {
    it(`an absent id cannot be told from a foreign one${cache}`, async (t) => {
      await assertAlike(t, ({ key, foreign }) => {
        const of = (id: string) => ({ key, target: `/v1/memories/${id}` });
        const one = times(POOL, () => of(randomId()));
        return { one, other: foreign.map(({ id }) => of(id)), status: 404, ...options };
      });
    });

    it(`nor with selected fields${cache}`, async (t) => {
      await assertAlike(t, ({ key, foreign }) => {
        const of = (id: string) => ({ key, target: `/v1/memories/${id}?fields=name` });
        const one = times(POOL, () => of(randomId()));
        return { one, other: foreign.map(({ id }) => of(id)), status: 404, ...options };
      });
    });

    it(`nor with If-None-Match${cache}`, async (t) => {
      await assertAlike(t, ({ key, foreign }) => {
        const of = (id: string, etag: string) => ({ key, target: `/v1/memories/${id}`, etag });
        const one = times(POOL, () => of(randomId(), randomEtag()));
        const other = foreign.map(({ id, etag }) => of(id, etag));
        return { one, other, status: 404, ...options };
      });
    });

    it(`nor in a cursor${cache}`, async (t) => {
      await assertAlike(t, ({ key, foreign }) => {
        const of = (id: string, i: number) => {
          const after = { started_at: minuteOf(i), id };
          const cursor = listCursor({ order: 'desc', limit: 1, after });
          return { key, target: `/v1/memories?cursor=${cursor}` };
        };
        const one = times(POOL, (i) => of(randomId(), i));
        const other = foreign.map(({ id }, i) => of(id, i));
        return { one, other, status: 200, ...options };
      });
    });
  }
});
