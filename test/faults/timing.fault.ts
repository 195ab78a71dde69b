// Timing: how long a refusal takes does not tell why it was made, by a harness that would find out.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { before, describe, it, type TestContext } from 'node:test';
import { crc32 } from 'node:zlib';

import { listCursor } from '../../src/gateway/cursor.ts';
import { createGateway } from '../../src/gateway/gateway.ts';
import { createApiKey, isApiKey } from '../../src/store/apikey.ts';
import { openStore, type SyncStore } from '../../src/store/sqlite.ts';
import type { Store } from '../../src/store/store.ts';
import { migrate, openWriter, type Writer } from '../../src/store/writer.ts';
import { sized, tell } from '../support/faults.ts';
import { issued, newFolder } from '../support/left.ts';
import { compare, isToldApart } from '../support/welch.ts';
import { memory } from '../support/world.ts';

const PAIRS = sized(100_000, 5000);

/** So many different ones on each side: of a few, the processor learns the way to each by heart. */
const POOL = 2000;

/** A request by what may tell it from others. */
interface Asked {
  readonly key: string;
  readonly target?: string;
  readonly etag?: string;
}

type Pool = readonly Asked[];

interface Kinds {
  readonly database: string;
  readonly unknown: Pool;
  readonly otherUnknown: Pool;
  readonly nearMiss: Pool;
  readonly revoked: Pool;
  readonly expired: Pool;
  readonly disabled: Pool;
  /** A good key. */
  readonly key: string;
  /** Memories of another account. */
  readonly foreign: readonly { readonly id: string; readonly etag: string }[];
}

const times = <T>(count: number, make: (i: number) => T) =>
  Array.from({ length: count }, (_, i) => make(i));

/** The same text in one piece, as it comes from a socket: how one was put together takes its time, too. */
const flat = (text: string) => Buffer.from(text).toString();

const randomId = () => randomBytes(8).toString('hex');
const randomEtag = () => `"${randomBytes(32).toString('hex')}"`;

const START = Date.UTC(2026, 0, 1);
const minuteOf = (i: number) => START + i * 60_000;
const at = (i: number) =>
  memory({ id: randomId(), started_at: new Date(minuteOf(i)).toISOString() });

function makeKinds(): Kinds {
  const database = `${newFolder()}/memories.db`;
  migrate(database);
  const writer = openWriter(database);
  for (const id of ['ana', 'bo', 'cy'])
    writer.accounts.create({ id, name: id, created_by: 'command line' });
  const { key } = writer.keys.create({ account_id: 'ana', label: 'test', expires_at: null });
  const { revoked, expired, disabled } = writer.transaction(() => deadKeys(writer));
  writer.accounts.setDisabled('cy', true);
  const theirs = times(POOL, at);
  writer.transaction(() => {
    for (let i = 0; i < 100; i++) writer.memories.put('ana', at(i * 20));
    for (const each of theirs) writer.memories.put('bo', each);
  });
  writer.close();
  const pool = (keys: readonly string[]) => keys.map((each) => ({ key: flat(each) }));
  return {
    database,
    unknown: pool(times(POOL, createApiKey)),
    otherUnknown: pool(times(POOL, createApiKey)),
    nearMiss: pool(nearMisses(key).slice(0, POOL)),
    revoked: pool(revoked),
    expired: pool(expired),
    disabled: pool(disabled),
    key: flat(issued(key)),
    foreign: withEtags(database, theirs),
  };
}

/** Keys that open nothing, made in turn so that they lie in memory alike. */
function deadKeys({ keys }: Writer) {
  const made = { revoked: [] as string[], expired: [] as string[], disabled: [] as string[] };
  const issue = (account_id: string, expires_at: number | null = null) =>
    keys.create({ account_id, label: 'test', expires_at });
  for (let i = 0; i < POOL; i++) {
    const revoked = issue('ana');
    keys.revoke(revoked.id);
    made.revoked.push(revoked.key);
    made.expired.push(issue('ana', Date.now() - 1000).key);
    made.disabled.push(issue('cy').key);
  }
  return made;
}

/** All keys that differ in one character from a good one, each with its right checksum. */
function nearMisses(good: string): string[] {
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  const body = good.slice(0, -6);
  const digit = (rest: number, place: number) =>
    alphabet[Math.floor(rest / 62 ** (5 - place)) % 62] as string;
  return times(body.length - 4, (i) => i + 4)
    .flatMap((i) =>
      Array.from(alphabet, (char) => `${body.slice(0, i)}${char}${body.slice(i + 1)}`),
    )
    .filter((text) => text !== body)
    .map((text) => text + times(6, (place) => digit(crc32(text), place)).join(''));
}

function withEtags(database: string, list: readonly { readonly id: string }[]) {
  const store = openStore(database);
  const found = list.map(({ id }) => {
    const { body_sha256 = '' } =
      store.memory({ account_id: 'bo', id, bytes: 'body', known: '' }) ?? {};
    return { id: flat(id), etag: `"${body_sha256}"` };
  });
  store.close();
  return found;
}

interface MeasureOptions {
  readonly cacheBytes?: number;
  /** Stands between the gateway and its store. */
  readonly wrap?: (store: SyncStore) => Store;
}

/** How an answer came. */
interface Taken {
  /** In nanoseconds, from the call of the listener to the end of the answer. */
  readonly time: number;
  readonly status: number;
}

/** Makes the function that asks a gateway, without sockets: they would take longer than all that is compared. */
function openMeasured(t: TestContext, { database }: Kinds, options: MeasureOptions) {
  const { cacheBytes, wrap = (store) => store } = options;
  const store = openStore(database);
  t.after(() => store.close());
  const { listener } = createGateway(wrap(store), { cacheBytes });
  return ({ key, target = '/v1/memories/x', etag }: Asked): Promise<Taken> => {
    const request = new IncomingMessage(new Socket());
    const condition = etag === undefined ? [] : ['if-none-match', etag];
    const rawHeaders = ['host', 'a', 'x-api-key', key, ...condition];
    Object.assign(request, { method: 'GET', url: target, httpVersion: '1.1', rawHeaders });
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
  /** What both are answered with. */
  readonly status: number;
}

/** Compares two pools, and tells what came of it. */
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
    'would have been seen from': found.seen.toFixed(0),
  });
  return found;
}

/** Fails where two pools are told apart, and again by another run: chance does not come twice. */
async function assertAlike(t: TestContext, kinds: Kinds, sides: Sides): Promise<void> {
  const first = await compareSides(t, kinds, sides);
  if (!isToldApart(first)) return;
  const again = await compareSides(t, kinds, sides);
  const isSame = isToldApart(again) && again.t > 0 === first.t > 0;
  assert.ok(!isSame, `told apart by t = ${first.t.toFixed(2)} and ${again.t.toFixed(2)}`);
}

describe('By the time of its answer', () => {
  let kinds: Kinds;
  before(() => {
    kinds = makeKinds();
  });

  it('a key is found out where it costs a look-up more: the harness sees that', async (t) => {
    const { unknown, revoked } = kinds;
    const again = (store: SyncStore): Store => ({
      ...store,
      apiKey: (hash) => store.apiKey(hash) ?? store.apiKey(hash),
    });
    const sides = { one: unknown, other: revoked, status: 401, wrap: again };
    assert.ok(isToldApart(await compareSides(t, kinds, sides)));
  });

  it('unknown keys are as other unknown keys: the harness sees nothing where nothing is', async (t) => {
    const { unknown, otherUnknown } = kinds;
    await assertAlike(t, kinds, { one: unknown, other: otherUnknown, status: 401 });
  });

  for (const kind of ['revoked', 'expired', 'disabled', 'nearMiss'] as const) {
    it(`an unknown key is not told from one that is ${kind}`, async (t) => {
      assert.ok(kinds[kind].every(({ key }) => isApiKey(key)));
      await assertAlike(t, kinds, { one: kinds.unknown, other: kinds[kind], status: 401 });
    });
  }

  for (const [cache, options] of [
    ['', {}],
    [', without a cache', { cacheBytes: 0 }],
  ] as const) {
    it(`an absent id is not told from a foreign one${cache}`, async (t) => {
      const { key, foreign } = kinds;
      const of = (id: string) => ({ key, target: flat(`/v1/memories/${id}`) });
      const one = times(POOL, () => of(randomId()));
      const other = foreign.map(({ id }) => of(id));
      await assertAlike(t, kinds, { one, other, status: 404, ...options });
    });

    it(`nor by some of its fields${cache}`, async (t) => {
      const { key, foreign } = kinds;
      const of = (id: string) => ({ key, target: flat(`/v1/memories/${id}?fields=name`) });
      const one = times(POOL, () => of(randomId()));
      const other = foreign.map(({ id }) => of(id));
      await assertAlike(t, kinds, { one, other, status: 404, ...options });
    });

    it(`nor by its etag${cache}`, async (t) => {
      const { key, foreign } = kinds;
      const of = (id: string, etag: string) => {
        return { key, target: flat(`/v1/memories/${id}`), etag: flat(etag) };
      };
      const one = times(POOL, () => of(randomId(), randomEtag()));
      const other = foreign.map(({ id, etag }) => of(id, etag));
      await assertAlike(t, kinds, { one, other, status: 404, ...options });
    });

    it(`nor by a cursor that leads on from it${cache}`, async (t) => {
      const { key, foreign } = kinds;
      const of = (id: string, i: number) => {
        const after = { started_at: minuteOf(i), id };
        return {
          key,
          target: flat(`/v1/memories?cursor=${listCursor({ order: 'desc', limit: 1, after })}`),
        };
      };
      const one = times(POOL, (i) => of(randomId(), i));
      const other = foreign.map(({ id }, i) => of(id, i));
      await assertAlike(t, kinds, { one, other, status: 200, ...options });
    });
  }
});
