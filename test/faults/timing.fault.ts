// Timing: how long a refusal takes does not tell why it was made, by a harness that would find out.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { crc32 } from 'node:zlib';

import { listCursor } from '../../src/gateway/cursor.ts';
import { createGateway } from '../../src/gateway/gateway.ts';
import { createApiKey, isApiKey } from '../../src/store/apikey.ts';
import { openStore, type SyncStore } from '../../src/store/sqlite.ts';
import { createDatabase, openWriter, type FileWriter } from '../../src/store/sqlite/writer.ts';
import type { Store } from '../../src/store/store.ts';
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

/** Why a key opens nothing any more. */
type Why = 'revoked' | 'expired' | 'disabled';

interface Kinds {
  readonly database: string;
  readonly unknown: Pool;
  readonly dead: Pool;
  /** A good key. */
  readonly key: string;
  /** Memories of another account. */
  readonly foreign: readonly { readonly id: string; readonly etag: string }[];
}

const times = <T>(count: number, make: (i: number) => T) =>
  Array.from({ length: count }, (_, i) => make(i));

/** The same text anew, as it comes from a socket: how one was put together, and where it lies, takes its time, too. */
const anew = (text: string) => Buffer.from(text).toString();

const randomId = () => randomBytes(8).toString('hex');
const randomEtag = () => `"${randomBytes(32).toString('hex')}"`;

const START = Date.UTC(2026, 0, 1);
const minuteOf = (i: number) => START + i * 60_000;
const at = (i: number) =>
  memory({ id: randomId(), started_at: new Date(minuteOf(i)).toISOString() });

const poolOf = (keys: readonly string[]): Pool => keys.slice(0, POOL).map((key) => ({ key }));

/**
 * Makes a database whose keys are dead for one reason, but for a good one. Beside keys of several kinds
 * an unknown one would lie now beside this and now beside that, and the processor guess wrong more often
 * than of dead ones that are all alike: 30 ns that tell nothing of the key that was presented.
 */
function makeKinds(why: Why): Kinds {
  const database = `${newFolder()}/memories.db`;
  createDatabase(database);
  const writer = openWriter(database);
  for (const id of ['ana', 'bo', 'cy'])
    writer.accounts.create({ id, name: id, created_by: 'command line' });
  const { key } = writer.keys.create({ account_id: 'ana', label: 'test', expires_at: null });
  const dead = writer.transaction(() => times(POOL, () => deadKey(writer, why)));
  writer.accounts.setDisabled('cy', true);
  const theirs = times(POOL, at);
  writer.transaction(() => {
    for (let i = 0; i < 100; i++) writer.memories.put('ana', at(i * 20));
    for (const each of theirs) writer.memories.put('bo', each);
  });
  writer.close();
  const unknown = times(POOL, createApiKey);
  const foreign = withEtags(database, theirs);
  return { database, unknown: poolOf(unknown), dead: poolOf(dead), key: issued(key), foreign };
}

function deadKey({ keys }: FileWriter, why: Why): string {
  const account_id = why === 'disabled' ? 'cy' : 'ana';
  const expires_at = why === 'expired' ? Date.now() - 1000 : null;
  const { id, key } = keys.create({ account_id, label: 'test', expires_at });
  if (why === 'revoked') keys.revoke(id);
  return key;
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
    return { id, etag: `"${body_sha256}"` };
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

/** So often the two must be told apart, each time with other keys and another database. */
const TRIES = 3;

/**
 * Fails where two sides are told apart again and again, the same one being slower. What is so of the
 * gateway is so each time; where pools and pages happen to lie in the memory of one run is not.
 */
async function assertAlike(
  t: TestContext,
  why: Why,
  sidesOf: (kinds: Kinds) => Sides,
): Promise<void> {
  const found: number[] = [];
  while (found.length < TRIES) {
    const kinds = makeKinds(why);
    const compared = await compareSides(t, kinds, sidesOf(kinds));
    if (!isToldApart(compared)) return;
    found.push(compared.t);
  }
  const isSame = found.every((each) => each > 0 === (found[0] as number) > 0);
  assert.ok(!isSame, `told apart by t = ${found.map((each) => each.toFixed(2)).join(', ')}`);
}

describe('By the time of its answer', () => {
  it('a key is found out where it costs a look-up more: the harness sees that', async (t) => {
    const kinds = makeKinds('revoked');
    const again = (store: SyncStore): Store => ({
      ...store,
      apiKey: (hash) => store.apiKey(hash) ?? store.apiKey(hash),
    });
    const sides = { one: kinds.unknown, other: kinds.dead, status: 401, wrap: again };
    assert.ok(isToldApart(await compareSides(t, kinds, sides)));
  });

  it('unknown keys are as other unknown keys: the harness sees nothing where nothing is', async (t) => {
    await assertAlike(t, 'revoked', ({ unknown }) => {
      return { one: unknown, other: poolOf(times(POOL, createApiKey)), status: 401 };
    });
  });

  for (const why of ['revoked', 'expired', 'disabled'] as const) {
    it(`an unknown key is not told from one that is ${why}`, async (t) => {
      await assertAlike(t, why, ({ unknown, dead }) => {
        assert.ok(dead.every(({ key }) => isApiKey(key)));
        return { one: unknown, other: dead, status: 401 };
      });
    });
  }

  it('a key is not told by those that differ from it in one character', async (t) => {
    await assertAlike(t, 'revoked', ({ key }) => {
      const [near, far] = [poolOf(nearMisses(key)), poolOf(nearMisses(createApiKey()))];
      assert.ok(near.every((each) => isApiKey(each.key)));
      return { one: far, other: near, status: 401 };
    });
  });

  for (const [cache, options] of [
    ['', {}],
    [', without a cache', { cacheBytes: 0 }],
  ] as const) {
    it(`an absent id is not told from a foreign one${cache}`, async (t) => {
      await assertAlike(t, 'revoked', ({ key, foreign }) => {
        const of = (id: string) => ({ key, target: `/v1/memories/${id}` });
        const one = times(POOL, () => of(randomId()));
        return { one, other: foreign.map(({ id }) => of(id)), status: 404, ...options };
      });
    });

    it(`nor by some of its fields${cache}`, async (t) => {
      await assertAlike(t, 'revoked', ({ key, foreign }) => {
        const of = (id: string) => ({ key, target: `/v1/memories/${id}?fields=name` });
        const one = times(POOL, () => of(randomId()));
        return { one, other: foreign.map(({ id }) => of(id)), status: 404, ...options };
      });
    });

    it(`nor by its etag${cache}`, async (t) => {
      await assertAlike(t, 'revoked', ({ key, foreign }) => {
        const of = (id: string, etag: string) => ({ key, target: `/v1/memories/${id}`, etag });
        const one = times(POOL, () => of(randomId(), randomEtag()));
        const other = foreign.map(({ id, etag }) => of(id, etag));
        return { one, other, status: 404, ...options };
      });
    });

    it(`nor by a cursor that leads on from it${cache}`, async (t) => {
      await assertAlike(t, 'revoked', ({ key, foreign }) => {
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
