// npm run seed, as a process.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import Database from 'better-sqlite3';
import * as v from 'valibot';

import { Memory } from '../../src/contract/schemas/memory.ts';
import { openStore } from '../../src/store/sqlite/store.ts';
import { createDatabase, openWriter } from '../../src/store/sqlite/writer.ts';
import { send } from '../support/wire/wire.ts';
import { newFolder } from '../support/world/artifacts.ts';
import { runProcess } from '../support/world/program.ts';
import { createServerOn } from '../support/world/server-in-process.ts';

interface SeedOutput {
  readonly database: string;
  readonly accounts: readonly {
    readonly id: string;
    readonly name: string;
    readonly keys: readonly { readonly key: string; readonly state: string }[];
    readonly memories: number;
  }[];
}

const seed = { script: 'scripts/seed.ts' };

async function seedJson(args: readonly string[]): Promise<SeedOutput> {
  const { code, stdout, stderr } = await runProcess([...args, '--json'], seed);
  assert.equal(code, 0, stderr);
  assert.equal(stderr, '', 'quiet in a pipe');
  return JSON.parse(stdout);
}

/** Returns the contents of a database without keys and creation times. */
function contentOf(path: string): string {
  const db = new Database(path, { readonly: true });
  const rows = db
    .prepare('SELECT account_id, id, body_sha256 FROM memories ORDER BY 1, 2')
    .raw()
    .all();
  db.close();
  return createHash('sha256').update(JSON.stringify(rows)).digest('hex');
}

describe('npm run seed', () => {
  it('without numbers uses the fixtures, with keys of every state', async (t) => {
    const database = join(newFolder(), 'seed.db');
    const output = await seedJson(['--database', database]);
    assert.deepEqual(Object.keys(output), ['database', 'accounts']);
    assert.equal(output.database, database);
    assert.deepEqual(output.accounts.map(({ id }) => id).slice(0, 3), ['mira', 'tomas', 'leila']);
    const { port } = await createServerOn(t, database);
    const states = new Set<string>();
    for (const { id, keys, memories } of output.accounts) {
      for (const { key, state } of keys) {
        const answer = await send(port, { key });
        assert.equal(answer.status, state === 'active' ? 200 : 401, state);
        if (state === 'active') {
          const list = v.parse(v.array(Memory), JSON.parse(answer.text));
          assert.equal(list.length, memories);
          assert.ok(list.every(({ user_id }) => user_id === id));
        }
        states.add(state);
      }
    }
    assert.deepEqual([...states].toSorted(), ['active', 'disabled', 'expired', 'revoked']);
  });

  it('creates the given number of accounts and memories, the same for the same seed', async () => {
    const folder = newFolder();
    const make = async (name: string, ...args: string[]) => {
      const database = join(folder, name);
      const amounts = ['--accounts', '2', '--memories', '1100', '--size', '2000'];
      return { database, output: await seedJson(['--database', database, ...amounts, ...args]) };
    };
    const one = await make('one.db', '--random', '7');
    const two = await make('two.db', '--random', '7');
    const three = await make('three.db', '--random', '8');
    assert.equal(contentOf(one.database), contentOf(two.database));
    assert.notEqual(contentOf(one.database), contentOf(three.database));
    const { accounts } = one.output;
    assert.equal(accounts.length, 3, 'two, and one that is disabled');
    assert.deepEqual(
      accounts.map(({ memories }) => memories),
      [1100, 1100, 3],
    );
    assert.equal(new Set(accounts.map(({ id }) => id)).size, 3);

    const store = openStore(one.database);
    const all = { account_id: String(accounts[0]?.id), order: 'desc', projection: 'body' } as const;
    const { items } = store.items(all, Infinity);
    store.close();
    for (const { bytes } of items) v.parse(Memory, JSON.parse(Buffer.from(bytes).toString()));
    const mean = items.reduce((sum, { bytes }) => sum + bytes.length, 0) / items.length;
    assert.ok(mean > 1800 && mean < 2200, `${mean} bytes for --size 2000`);
    assert.ok(
      new Set(items.map(({ started_at }) => started_at)).size < items.length,
      'some start together',
    );
  });

  it('run again on its own database adds nothing twice, and creates new keys', async (t) => {
    const database = join(newFolder(), 'seed.db');
    const first = await seedJson(['--database', database]);
    const before = contentOf(database);
    const second = await seedJson(['--database', database]);
    assert.equal(contentOf(database), before);
    assert.deepEqual(
      second.accounts.map(({ keys: _, ...rest }) => rest),
      first.accounts.map(({ keys: _, ...rest }) => rest),
    );
    const { port } = await createServerOn(t, database);
    for (const { accounts } of [first, second]) {
      assert.equal((await send(port, { key: accounts[0]!.keys[0]!.key })).status, 200);
    }
  });

  it('with another seed leaves the accounts of the first seed as they are', async (t) => {
    const database = join(newFolder(), 'seed.db');
    const amounts = ['--database', database, '--accounts', '1', '--memories', '2'];
    const outputs: SeedOutput[] = [];
    for (const random of ['1', '2', '0', '1'])
      outputs.push(await seedJson([...amounts, '--random', random]));
    const { port } = await createServerOn(t, database);
    for (const { key, state } of outputs.flatMap(({ accounts }) =>
      accounts.flatMap(({ keys }) => keys),
    )) {
      assert.equal((await send(port, { key })).status, state === 'active' ? 200 : 401, state);
    }
  });

  it('does not change a database that it has not made', async () => {
    const folder = newFolder();
    const empty = join(folder, 'empty.db');
    createDatabase(empty);
    const mine = join(folder, 'mine.db');
    createDatabase(mine);
    const writer = openWriter(mine);
    writer.accounts.create({ name: 'Mine', created_by: 'command line' });
    writer.close();
    const mixed = join(folder, 'mixed.db');
    await seedJson(['--database', mixed, '--memories', '1']);
    const added = openWriter(mixed);
    added.accounts.create({ name: 'Mine', created_by: 'command line' });
    added.close();
    for (const database of [empty, mine, mixed]) {
      const before = readFileSync(database);
      const { code, stdout, stderr } = await runProcess(['--database', database], seed);
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(
        stderr,
        /^seed: .*\.db was not made by the seed, so it was not changed; name another file\.\n$/,
      );
      assert.deepEqual(readFileSync(database), before);
    }
  });

  it('prints what it made, and reports a usage error in one line with exit code 2', async () => {
    const database = join(newFolder(), 'seed.db');
    const { code, stdout } = await runProcess(['--database', database, '--memories', '2'], seed);
    assert.equal(code, 0);
    assert.match(
      stdout,
      /is ready[^]* {2}active +mem_\w{49}\n[^]* {2}disabled +mem_[^]*npm run -s cli -- serve --database /,
    );
    for (const [args, says] of [
      [['--memories', 'many'], /--memories takes a whole number from 0 to 100000000, not "many"/],
      [['--accounts', '0'], /--accounts takes a whole number from 1/],
      [['--accounts', '999999999'], /--accounts takes a whole number from 1 to 10000/],
      [['--size', '999999999'], /--size takes a whole number from 0 to 10000000/],
      [['--size', '-1'], /'--size' argument is ambiguous|--size/],
      [['--frobnicate'], /Unknown option "--frobnicate"/],
    ] as const) {
      const mistake = await runProcess([...args, '--database', join(newFolder(), 'x.db')], seed);
      assert.deepEqual([mistake.code, mistake.stdout], [2, '']);
      assert.match(mistake.stderr, says);
      assert.equal(mistake.stderr.trim().split('\n').length, 1, mistake.stderr);
    }
    const help = await runProcess(['--help'], seed);
    assert.equal(help.code, 0);
    assert.match(help.stdout, /--random SEED/);
  });
});
