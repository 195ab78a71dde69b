// Isolation: no response to a key has a byte of another account.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import Database from 'better-sqlite3';

import { readFixtures } from '../../src/cli/commands/database/seed.ts';
import { hashApiKey } from '../../src/store/accounts/api-key.ts';
import type { NewMemory } from '../../src/store/import/memory-row.ts';
import { madeFrom, renamedTo } from '../../src/store/sql/corrections.ts';
import * as days from '../../src/store/sql/days.ts';
import { facetListQuery } from '../../src/store/sql/facet-lists.ts';
import { listQuery, countBetween } from '../../src/store/sql/lists.ts';
import { bindSlots, type NamedQuery } from '../../src/store/sql/query.ts';
import * as reads from '../../src/store/sql/reads.ts';
import { chunkQuery } from '../../src/store/sqlite/chunks.ts';
import { positionsQuery } from '../../src/store/sqlite/positions.ts';
import { anyMatch, nearestWeek } from '../../src/store/sqlite/search/search.ts';
import { hideParameters } from '../../src/store/sqlite/statements.ts';
import { openStore } from '../../src/store/sqlite/store.ts';
import { onlyFiles, openAny } from '../support/engines/engine.ts';
import { CHUNK_SHAPES, LIST_SHAPES, POSITION_SHAPES } from '../support/engines/list-shapes.ts';
import { comparable } from '../support/wire/response-shape.ts';
import { send } from '../support/wire/wire.ts';
import { createWorld } from '../support/world/world.ts';

const times = <T>(count: number, make: (i: number) => T) =>
  Array.from({ length: count }, (_, i) => make(i));

/** The names of memories that only other accounts have. */
function foreignNames(
  accounts: readonly { id: string; memories: readonly NewMemory[] }[],
  id: string,
): string[] {
  const own = new Set(accounts.find((each) => each.id === id)?.memories.map(({ name }) => name));
  const others = accounts.filter((each) => each.id !== id).flatMap(({ memories }) => memories);
  return others.map(({ name }) => name).filter((name) => !own.has(name));
}

/** Returns the steps of SQLite's plan for a query. */
function planOf(db: Database.Database, sql: string): string[] {
  const plan = db
    .prepare(`EXPLAIN QUERY PLAN ${hideParameters(sql)}`)
    .all(...Array.from(sql.matchAll(/\?/g), () => '1')) as { detail: string }[];
  return plan.map(({ detail }) => detail);
}

/** Returns the step that walks the index of a list's order between two places. */
function walkOf(kind: 'INDEX' | 'COVERING INDEX', byState: boolean): string {
  const [index, place, values] = byState
    ? ['memories_by_state', '(is_processing,started_at,id)', '(?,?,?)']
    : ['memories_by_time', '(started_at,id)', '(?,?)'];
  return `SEARCH memories USING ${kind} ${index} (account_id=? AND ${place}>${values} AND ${place}<${values})`;
}

describe('Between the accounts of fixtures/', () => {
  it('every id gets the same 404 with a foreign key as an id that does not exist', async (t) => {
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
            // Two accounts use the same id, and each gets its own memory.
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

  it("every list and every page has only memories of the key's account", async (t) => {
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
          path = /<([^>]+)>; rel="next"/.exec(headers['link'] ?? '')?.[1];
        }
      }
    }
  });
});

describe('In the store', () => {
  it(
    'every read has the account in its index condition, and none scans or sorts',
    { skip: onlyFiles },
    async (t) => {
      const world = await createWorld(t);
      world.addAccount('ana');
      const db = new Database(world.database);
      t.after(() => db.close());
      const plan = ({ sql }: NamedQuery<never, unknown>) => planOf(db, sql);
      const oneMemory = [
        'SEARCH memories USING INDEX sqlite_autoindex_memories_1 (account_id=? AND id=?)',
      ];
      const tallied = (nth: number) => [
        `SCALAR SUBQUERY ${nth}`,
        'SEARCH memories USING COVERING INDEX memories_by_state (account_id=? AND (is_processing,started_at,id)>(?,?,?) AND (is_processing,started_at,id)<(?,?,?))',
      ];
      const weeks = (bound: string) => [
        `SEARCH search_weeks USING COVERING INDEX sqlite_autoindex_search_weeks_1 (account_id=? AND week${bound}?)`,
      ];
      const part = [
        'SEARCH memories USING COVERING INDEX memories_by_time (account_id=? AND started_at>? AND started_at<?)',
      ];
      const counted = (nth: number) => [
        `SCALAR SUBQUERY ${nth}`,
        'SEARCH memories USING COVERING INDEX memories_by_state (account_id=? AND is_processing=? AND started_at>? AND started_at<?)',
      ];
      const insideWindow = [
        'CORRELATED SCALAR SUBQUERY 1',
        'SEARCH memories USING INDEX sqlite_autoindex_memories_1 (account_id=? AND id=?)',
      ];
      const hasFacet =
        'SEARCH other EXISTS USING PRIMARY KEY (account_id=? AND memory_id=? AND kind=? AND folded=?)';
      const facetsOfPart =
        'SEARCH first USING COVERING INDEX facets_by_time (account_id=? AND kind=? AND folded=? AND started_at>? AND started_at<?)';
      const oneKey = [
        'SEARCH api_keys USING PRIMARY KEY (key_sha256=?)',
        'SEARCH accounts USING PRIMARY KEY (id=?)',
      ];
      const pinned: [NamedQuery<never, unknown>, string[]][] = [
        [days.totalsOfPart, part],
        [days.firstStart, part],
        [days.firstStartWithFacet, [facetsOfPart]],
        [days.totalsWithFacets(2), [facetsOfPart, hasFacet, ...oneMemory]],
        [days.countOfPart, ['SCAN CONSTANT ROW', ...counted(1), ...counted(2)]],
        [reads.account, ['SEARCH accounts USING PRIMARY KEY (id=?)']],
        [reads.memory.body, oneMemory],
        [reads.memory.slim, oneMemory],
        [reads.memoryInWindow('body', 0), oneMemory],
        [reads.memoryInWindow('slim', 0), oneMemory],
        [reads.memoryInWindow('slim', 2), [hasFacet, hasFacet, ...oneMemory]],
        [
          reads.changesThroughWindow('asc', 0),
          ['SEARCH changes USING PRIMARY KEY (account_id=? AND seq>?)', ...insideWindow],
        ],
        [
          reads.changesThroughWindow('desc', 0),
          ['SEARCH changes USING PRIMARY KEY (account_id=? AND seq<?)', ...insideWindow],
        ],
        [reads.latestChange, ['SEARCH changes USING PRIMARY KEY (account_id=?)']],
        [reads.changes.asc, ['SEARCH changes USING PRIMARY KEY (account_id=? AND seq>?)']],
        [reads.changes.desc, ['SEARCH changes USING PRIMARY KEY (account_id=? AND seq<?)']],
        [
          reads.feedEntry,
          ['SEARCH changes USING INDEX sqlite_autoindex_changes_2 (account_id=? AND memory_id=?)'],
        ],
        [countBetween, ['SCAN CONSTANT ROW', ...tallied(1), ...tallied(2)]],
        [reads.epoch, ['SEARCH change_epochs USING PRIMARY KEY (account_id=? AND first_seq<?)']],
        [
          reads.keyInAccount,
          [
            'SEARCH api_keys USING COVERING INDEX api_keys_by_account (account_id=? AND (created_at,key_sha256)>(?,?))',
          ],
        ],
        [reads.apiKey, oneKey],
        [reads.datedApiKey, oneKey],
        [nearestWeek.desc, weeks('<')],
        [nearestWeek.asc, weeks('>')],
        // Each indexed word begins with the account's week, so a lookup stays within both.
        [anyMatch, ['SCAN search VIRTUAL TABLE INDEX 0:M1']],
      ];
      const all = Object.values(reads).flatMap((each) =>
        'sql' in each ? [each as object] : Object.values(each),
      );
      for (const read of all)
        assert.ok(
          pinned.some(([query]) => query === read),
          'a read that is not pinned',
        );
      for (const [query, expected] of pinned) assert.deepEqual(plan(query), expected, query.sql);
    },
  );

  it('a key is found by its whole hash only', async (t) => {
    const world = await createWorld(t);
    const accounts = times(40, (i) => `account-${i}`);
    const hashes = new Map(accounts.map((id) => [hashApiKey(world.addAccount(id)), id]));
    const store = await openAny(world.database);
    t.after(() => store.close());
    const before = (hash: string) => (BigInt(`0x${hash}`) - 1n).toString(16).padStart(64, '0');
    const behind = (hash: string) => (BigInt(`0x${hash}`) + 1n).toString(16).padStart(64, '0');
    for (const [hash, id] of hashes) {
      assert.equal((await store.apiKey(hash))?.account_id, id);
      const near = [before(hash), behind(hash), hash.slice(0, -1), `${hash}0`, hash.toUpperCase()];
      for (const each of near) assert.equal(await store.apiKey(each), undefined, each);
      assert.equal((await store.apiKey(hash))?.account_id, id, 'found again');
    }
    for (const each of ['', '0'.repeat(64), 'f'.repeat(64), 'z'])
      assert.equal(await store.apiKey(each), undefined, each);
  });

  it(
    'one index row links a key to its account, however many keys the account has',
    { skip: onlyFiles },
    async (t) => {
      const world = await createWorld(t);
      const hashes = [hashApiKey(world.addAccount('ana'))];
      t.mock.timers.enable({ apis: ['Date'], now: Date.now() }); // all of them expire in the same millisecond
      for (let i = 0; i < 40; i++) hashes.push(hashApiKey(world.addKey('ana').key));
      const store = openStore(world.database);
      t.after(() => store.close());
      for (const hash of hashes) assert.equal(store.apiKey(hash)?.account_id, 'ana');
      const db = new Database(world.database);
      t.after(() => db.close());
      const values = { account_id: 'ana', created_at: 0, key_sha256: '' };
      const before = bindSlots(reads.keyInAccount, values);
      assert.equal(db.prepare(hideParameters(reads.keyInAccount.sql)).all(...before).length, 1);
    },
  );

  it(
    'every kind of list walks the index of its order between two places, and looks words up',
    { skip: onlyFiles },
    async (t) => {
      const world = await createWorld(t);
      const db = new Database(world.database);
      t.after(() => db.close());
      const held: string[] = [];
      for (const shape of LIST_SHAPES) {
        const { byState, bySearch, projection } = shape;
        const { sql } = listQuery(shape);
        const kind = projection === undefined ? 'COVERING INDEX' : 'INDEX';
        assert.deepEqual(
          planOf(db, sql).filter((detail) => detail !== 'CREATE BLOOM FILTER'),
          [
            walkOf(kind, byState),
            ...(bySearch ? ['LIST SUBQUERY 1', 'SCAN search VIRTUAL TABLE INDEX 0:M1'] : []),
          ],
          sql,
        );
        held.push(sql);
      }
      assert.equal(new Set(held).size, 24);
    },
  );

  it(
    'every kind of list with facets walks those of the first, and looks up the others and the memory',
    { skip: onlyFiles },
    async (t) => {
      const world = await createWorld(t);
      const db = new Database(world.database);
      t.after(() => db.close());
      for (const shape of LIST_SHAPES) {
        const { sql } = facetListQuery({ ...shape, count: 2 });
        const kind = shape.projection || shape.byState ? 'INDEX' : 'COVERING INDEX';
        const memory = `SEARCH memories USING ${kind} sqlite_autoindex_memories_1`;
        assert.deepEqual(
          planOf(db, sql).filter((detail) => !detail.includes('BLOOM FILTER')),
          [
            'SEARCH first USING COVERING INDEX facets_by_time (account_id=? AND kind=? AND folded=? AND (started_at,memory_id)>(?,?) AND (started_at,memory_id)<(?,?))',
            ...(shape.bySearch
              ? [
                  `${memory} (account_id=? AND id=? AND rowid=?) LEFT-JOIN`,
                  'LIST SUBQUERY 2',
                  'SCAN search VIRTUAL TABLE INDEX 0:M1',
                ]
              : [`${memory} (account_id=? AND id=?) LEFT-JOIN`]),
            'CORRELATED SCALAR SUBQUERY 1',
            'SEARCH other USING PRIMARY KEY (account_id=? AND memory_id=? AND kind=? AND folded=?)',
          ],
          sql,
        );
      }
    },
  );

  it(
    'every kind of chunk walks that index twice, first for sizes, and does not sort',
    { skip: onlyFiles },
    async (t) => {
      const world = await createWorld(t);
      const db = new Database(world.database);
      t.after(() => db.close());
      const held = new Set<string>();
      for (const shape of CHUNK_SHAPES) {
        const { sql } = chunkQuery(shape);
        const walk = walkOf('INDEX', shape.byState);
        // The query needs no sort: the join keeps the order of the inner query.
        assert.deepEqual(
          planOf(db, sql),
          [
            'CO-ROUTINE some',
            walk,
            'SCALAR SUBQUERY 2',
            'CO-ROUTINE sizes',
            walk,
            'SCAN sizes',
            'SCAN some',
          ],
          sql,
        );
        held.add(sql);
      }
      assert.equal(held.size, 8);
    },
  );

  it(
    'every kind of positions walks that index once, and does not sort',
    { skip: onlyFiles },
    async (t) => {
      const world = await createWorld(t);
      const db = new Database(world.database);
      t.after(() => db.close());
      for (const shape of POSITION_SHAPES) {
        const { sql } = positionsQuery(shape);
        assert.deepEqual(
          planOf(db, sql),
          ['CO-ROUTINE some', walkOf('COVERING INDEX', shape.byState), 'SCAN some'],
          sql,
        );
      }
    },
  );

  it(
    'the memories of a file that arrives are found by the bytes and the name of that file',
    { skip: onlyFiles },
    async (t) => {
      const world = await createWorld(t);
      const db = new Database(world.database);
      t.after(() => db.close());
      for (const [{ sql }, index, column] of [
        [madeFrom, 'original', 'original_sha256'],
        [renamedTo, 'new_name', 'renamed_to'],
      ] as const) {
        const found = ['details', 'deleted_memories'].map(
          (table) =>
            `SEARCH ${table} USING INDEX ${table}_by_${index} (account_id=? AND ${column}=?)`,
        );
        const searched = planOf(db, sql).filter((detail) => detail.startsWith('SEARCH'));
        assert.deepEqual(searched, found, sql);
      }
    },
  );

  it('an absent id and a foreign id run the same statement once', async (t) => {
    const calls: unknown[][] = [];
    const world = await createWorld(t, {
      wrap: (store) => ({
        ...store,
        memory: (...args) => {
          const [{ revision: _, ...wanted }] = args; // of the requesting account
          calls.push([wanted]);
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
      [{ account_id: 'ana', id: 'nowhere', projection: 'body', known: '' }],
      [{ account_id: 'ana', id: foreign, projection: 'body', known: '' }],
    ]);
  });
});
