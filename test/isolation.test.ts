// Isolation: nothing of one account is ever in a byte that another key gets.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import Database from 'better-sqlite3';

import { readFixtures } from '../scripts/fixtures.ts';
import { heldSql } from '../src/store/held.ts';
import type { NewMemory } from '../src/store/memories.ts';
import type { Query } from '../src/store/query.ts';
import * as reads from '../src/store/reads.ts';
import { comparable } from './support/shape.ts';
import { send } from './support/wire.ts';
import { createWorld } from './support/world.ts';

/** The names of memories that other accounts have and this one does not. */
function foreignNames(
  accounts: readonly { id: string; memories: readonly NewMemory[] }[],
  id: string,
): string[] {
  const own = new Set(accounts.find((each) => each.id === id)?.memories.map(({ name }) => name));
  const others = accounts.filter((each) => each.id !== id).flatMap(({ memories }) => memories);
  return others.map(({ name }) => name).filter((name) => !own.has(name));
}

describe('Between the accounts of fixtures/', () => {
  it('every id with every other key is the 404 of an id that is nowhere', async (t) => {
    const world = await createWorld(t);
    const accounts = readFixtures().map(({ id, memories }) => ({ id, memories: [...memories] }));
    const keys = new Map(accounts.map(({ id, memories }) => [id, world.addAccount(id, memories)]));
    let tried = 0;
    for (const owner of accounts) {
      for (const [account, key] of keys) {
        const own = new Set(
          accounts.find(({ id }) => id === account)?.memories.map(({ id }) => id),
        );
        const absent = comparable(await send(world.port, { path: '/v1/memories/nowhere', key }));
        assert.equal(absent.status, 404);
        for (const memory of owner.memories) {
          const answer = await send(world.port, { path: `/v1/memories/${memory.id}`, key });
          if (own.has(memory.id)) {
            // Two accounts share an id; each gets its own.
            assert.equal(JSON.parse(answer.text).user_id, account);
          } else {
            assert.deepEqual(comparable(answer), absent, `${memory.id} with the key of ${account}`);
            tried++;
          }
        }
      }
    }
    assert.ok(tried >= 80, `${tried} tried`);
  });

  it('every list and every page holds the key owner’s memories and no others', async (t) => {
    const world = await createWorld(t);
    const accounts = readFixtures().map(({ id, memories }) => ({ id, memories: [...memories] }));
    const keys = accounts.map(({ id, memories }) => ({
      id,
      memories,
      key: world.addAccount(id, memories),
    }));
    for (const { id, key } of keys) {
      for (const query of ['', '?order=asc', '?limit=1000', '?limit=1', '?limit=3&order=asc']) {
        for (let path: string | undefined = `/v1/memories${query}`; path !== undefined;) {
          const { text, headers } = await send(world.port, { path, key });
          for (const memory of JSON.parse(text)) assert.equal(memory.user_id, id);
          for (const name of foreignNames(accounts, id))
            assert.ok(!text.includes(JSON.stringify(name)));
          path = /<([^>]+)>/.exec(headers['link'] ?? '')?.[1];
        }
      }
    }
  });
});

describe('In the store', () => {
  it('every read of memories has the account in its index condition, and no read scans or sorts', async (t) => {
    const world = await createWorld(t);
    world.addAccount('ana');
    const db = new Database(world.database);
    t.after(() => db.close());
    const values = {
      account_id: 'ana',
      id: 'a',
      known: '',
      key_sha256: '',
      started_at: 0,
      limit: 1,
    };
    const plan = (query: Query<never, unknown>) =>
      (
        db
          .prepare(`EXPLAIN QUERY PLAN ${heldSql(query.sql)}`)
          .all(...query.parameters(values as never)) as {
          detail: string;
        }[]
      ).map(({ detail }) => detail);
    const list = (index: string, bound: string) => [
      `SEARCH memories USING ${index} memories_by_time (account_id=? AND (started_at,id)${bound}(?,?))`,
    ];
    const pinned: [Query<never, unknown>, string[]][] = [
      [reads.account, ['SEARCH accounts USING PRIMARY KEY (id=?)']],
      [
        reads.memory,
        ['SEARCH memories USING INDEX sqlite_autoindex_memories_1 (account_id=? AND id=?)'],
      ],
      [reads.items.desc, list('INDEX', '<')],
      [reads.items.asc, list('INDEX', '>')],
      [reads.positions.desc, list('COVERING INDEX', '<')],
      [reads.positions.asc, list('COVERING INDEX', '>')],
      [
        reads.apiKey,
        [
          'SEARCH api_keys USING PRIMARY KEY (key_sha256=?)',
          'SEARCH accounts USING PRIMARY KEY (id=?)',
        ],
      ],
    ];
    const all = Object.values(reads).flatMap((each) =>
      'sql' in each ? [each as object] : Object.values(each),
    );
    assert.deepEqual(
      new Set(pinned.map(([query]) => query)),
      new Set(all),
      'a read that is not pinned',
    );
    for (const [query, expected] of pinned) assert.deepEqual(plan(query), expected, query.sql);
  });

  it('the same statement answers for an absent and for a foreign id, once', async (t) => {
    const calls: unknown[][] = [];
    const world = await createWorld(t, {
      wrap: (store) => ({
        ...store,
        memory: (...args) => {
          calls.push(args);
          return store.memory(...args);
        },
      }),
    });
    const key = world.addAccount('ana');
    world.addAccount('bo');
    world.writer.memories.put('bo', [...(readFixtures()[0]?.memories ?? [])][0]!);
    const foreign = [...(readFixtures()[0]?.memories ?? [])][0]!.id;
    await send(world.port, { path: '/v1/memories/nowhere', key });
    await send(world.port, { path: `/v1/memories/${foreign}`, key });
    assert.deepEqual(calls, [
      ['ana', 'nowhere', ''],
      ['ana', foreign, ''],
    ]);
  });
});
