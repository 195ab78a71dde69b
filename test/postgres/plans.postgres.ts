// Query plans: every read of PostgreSQL walks an index that begins with the account, and reads little more than it sends.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';

import { Client } from 'pg';

import { readerAddress } from '../support/engines/database-addresses.ts';
import { onlyPostgres } from '../support/engines/engine.ts';
import {
  statementsOf,
  statementsOfKeys,
  type Statement,
} from '../support/engines/read-statements.ts';
import { call } from '../support/engines/sync-postgres.ts';
import { ROOT } from '../support/world/program.ts';

/** A node of a query plan from EXPLAIN. */
interface Node {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly Node[];
}

const WEEKS = 105;
const LIMIT = 50;
/** Bodies are in another table, in two TOAST chunks each. */
const BODIES = 'ALTER TABLE memory_gateway.memories ALTER COLUMN body SET STORAGE EXTERNAL';

/** Memories in which all contain "common" and four contain "rare", and each has ten more words. */
const MEMORIES = `
INSERT INTO memory_gateway.memories (
  account_id, id, started_at, ended_at, duration_seconds, is_processing, name, quick_summary,
  key_takeaways, body_sha256, slim_sha256, slim, body, words
)
SELECT
  account, 'm' || n, at, at, 0, CASE WHEN n % 50 = 0 THEN 1 ELSE 0 END, '', '', '[]',
  repeat('0', 64), repeat('0', 64), '{}', convert_to(repeat('x', 3900), 'UTF8'),
  concat(' common ', CASE WHEN n % 3000 = 17 THEN 'rare ' END, (
    SELECT string_agg('w' || n * i % 997, ' ') FROM generate_series(1, 10) AS i
  ), ' ')
FROM (VALUES ('large', 12000), ('middling', 5000), ('small', 2900), ('new', 100)) AS a (account, count),
generate_series(1, count) AS n,
LATERAL (SELECT 1700000000000 + n * (63072000000 / count) AS at) AS moment`;

const OTHERS = `
INSERT INTO memory_gateway.accounts (id, name, created_at, created_by)
SELECT id, '', 0, 'seed' FROM unnest(ARRAY['large', 'middling', 'small', 'new']) AS id
UNION ALL SELECT 'other-' || n, '', 0, 'seed' FROM generate_series(1, 2000) AS n;
INSERT INTO memory_gateway.api_keys (key_sha256, id, account_id, last_four, label, created_at)
SELECT encode(sha256(convert_to(id, 'UTF8')), 'hex'), 'key of ' || id, id, '0000', '', 0
FROM memory_gateway.accounts;
-- As many writes would have left.
INSERT INTO memory_gateway.change_epochs (account_id, first_seq, epoch)
SELECT id, -n, 'epoch ' || n FROM memory_gateway.accounts, generate_series(1, 5) AS n`;

const MIGRATIONS = readdirSync(join(ROOT, 'sql/postgres')).filter((name) =>
  /^\d/.test(name),
).length;

describe('Every read of PostgreSQL', { skip: onlyPostgres }, () => {
  const database = onlyPostgres ? '' : call('create');
  let client: Client;

  before(async () => {
    const owner = new Client(database);
    await owner.connect();
    for (const text of [BODIES, OTHERS, MEMORIES, 'VACUUM ANALYZE']) await owner.query(text);
    await owner.end();
    client = new Client(readerAddress(database));
    await client.connect();
  });

  after(async () => {
    await client.end();
    call('drop', database);
  });

  for (const mode of ['force_generic_plan', 'force_custom_plan'] as const) {
    it(`walks an index by account, and no more rows than it sends (${mode})`, async () => {
      await client.query(`SET plan_cache_mode = ${mode}`);
      for (const account_id of ['large', 'new', 'other-7']) {
        for (const each of statementsOf({ account_id, id: 'm77', q: 'common', limit: LIMIT })) {
          const about = `${each.name} of ${account_id}`;
          for (const node of nodesOf(await explain(each))) {
            const { 'Relation Name': table, 'Index Cond': condition = '' } = node;
            // Totals need every memory of the account, but none is sent.
            if (each.name !== 'days')
              assert.ok(node['Actual Rows'] <= LIMIT, `${about}: ${JSON.stringify(node)}`);
            if (table === undefined || table === 'accounts') continue;
            assert.match(node['Node Type'], /^Index (Only )?Scan$/, about);
            assert.match(condition, /^\(+account_id = /, about);
            if (table !== 'memories') continue;
            assert.equal(node['Index Name'], indexOf(each), about);
          }
        }
      }
      for (const each of statementsOfKeys('large', '0'.repeat(64)))
        for (const node of nodesOf(await explain(each)))
          // The schema's number is the highest of its migrations.
          assert.ok(node['Actual Rows'] <= (each.name === 'schema' ? MIGRATIONS : 1), each.name);
    });
  }

  it('reads only the bodies that it sends', async () => {
    // The index down to a leaf, and the page of each memory, if each is on a page of its own.
    const page = 20 + LIMIT;
    // For a body: its index, of three levels at most, and its two chunks.
    const body = 3 + 2;
    for (const [name, blocks] of await blocksOf('walk', {})) {
      const most = name.startsWith('body')
        ? page + LIMIT * body
        : name.startsWith('places')
          ? 20
          : page;
      assert.ok(blocks <= most, `${name} took ${blocks} blocks`);
    }
    for (const [name, blocks] of await blocksOf('walk', { maxBytes: 10_000 }))
      assert.ok(blocks <= page + 3 * body, `${name} read ${blocks} blocks for three bodies`);
  });

  it('searches by the index of words, week by week, and stops when there are enough matches', async () => {
    const takes = async (q: string) => {
      const [places] = await blocksOf('search', { q });
      return places?.[1] ?? assert.fail();
    };
    await takes('absent'); // plans the statements inside the function
    // Each week takes one lookup of the word, and one of memories with too many words for the
    // index.
    const absent = await takes('absent');
    assert.ok(absent <= WEEKS * 10, `an absent word read ${absent} blocks`);
    const rare = await takes('rare');
    assert.ok(rare <= absent + 4 * 5, `a rare word read ${rare} blocks, an absent one ${absent}`);
    // The first week has more than a page: 115 memories, each perhaps in a block of its own.
    const common = await takes('common');
    assert.ok(common <= 200, `a common word read ${common} blocks`);
  });

  it('reads the end of a long feed without its beginning', async () => {
    const { rows } = await client.query(
      `SELECT set_config('memory_gateway.account_id', 'large', false),
        (SELECT epoch FROM memory_gateway.change_epochs WHERE account_id = 'large' ORDER BY first_seq DESC LIMIT 1)`,
    );
    const since = { seq: 11_990, epoch: String(rows[0]?.epoch) };
    const all = statementsOf({ account_id: 'large', id: '', q: 'x', since });
    const feed = all.find(({ name }) => name === 'changes') as Statement;
    const plan = await explain(feed);
    assert.equal(plan['Actual Rows'], 10);
    assert.ok(blocksIn(plan) <= 100, `${blocksIn(plan)} blocks`);
  });

  async function explain({ text, values }: Statement): Promise<Node> {
    await client.query(`PREPARE explained AS ${text}`);
    const literals = (values as readonly (string | number | readonly string[])[])
      .map(literalOf)
      .join(', ');
    const execute = `EXECUTE explained${literals && ` (${literals})`}`;
    const { rows } = await client.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${execute}`);
    await client.query('DEALLOCATE explained');
    return rows[0]?.['QUERY PLAN'][0].Plan;
  }

  async function blocksOf(kind: 'walk' | 'search', asked: { maxBytes?: number; q?: string }) {
    const wanted = { account_id: 'large', id: '', q: 'common', limit: LIMIT, ...asked };
    const lists = statementsOf(wanted).filter(({ name }) => / (asc|desc)/.test(name));
    const some =
      kind === 'walk'
        ? lists.filter(({ name }) => !name.includes('search'))
        : lists.filter(({ name }) => name === 'places desc by search');
    const all: [string, number][] = [];
    for (const each of some) {
      await explain(each); // first, the connection loads the metadata of its tables
      all.push([each.name, blocksIn(await explain(each))]);
    }
    return all;
  }

  function literalOf(value: string | number | readonly string[]): string {
    if (typeof value !== 'object') return client.escapeLiteral(String(value));
    return client.escapeLiteral(`{${value.map((each) => JSON.stringify(each)).join()}}`);
  }
});

function nodesOf(node: Node): Node[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

function blocksIn(node: Node): number {
  return node['Shared Hit Blocks'] + node['Shared Read Blocks'];
}

/** A memory is found by its id, and a page by the order of start times. */
function indexOf({ name }: Statement): string {
  if (name.startsWith('memory') || name.includes('search')) return 'memories_pkey';
  return name.includes('state') ? 'memories_by_state' : 'memories_by_time';
}
