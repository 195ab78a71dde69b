// npm run seed and npm run demo, as processes.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { promisify } from 'node:util';

import Database from 'better-sqlite3';
import * as v from 'valibot';

import { readFixtures } from '../src/cli/fixtures.ts';
import { Memory } from '../src/contract/memory.ts';
import { openStore } from '../src/store/sqlite.ts';
import { createDatabase, openWriter } from '../src/store/sqlite/writer.ts';
import { newFolder, issued } from './support/left.ts';
import { run, start, stop, waitFor } from './support/program.ts';
import { createServerOn } from './support/serving.ts';
import { send } from './support/wire.ts';

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
  const { code, stdout, stderr } = await run([...args, '--json'], seed);
  assert.equal(code, 0, stderr);
  assert.equal(stderr, '', 'quiet in a pipe');
  return JSON.parse(stdout);
}

/** What a database holds, but for keys and the times of their making. */
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
  it('without numbers takes the fixtures, with keys of every state that do what they say', async (t) => {
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

  it('makes as many accounts and memories as asked, the same for the same number', async () => {
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
    const all = { account_id: String(accounts[0]?.id), order: 'desc', bytes: 'body' } as const;
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

  it('run again on its own database adds nothing twice, and its new keys work beside the old', async (t) => {
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

  it('with another number beside the first leaves the accounts of the first as they are', async (t) => {
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

  it('does not touch a database that is not its own', async () => {
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
      const { code, stdout, stderr } = await run(['--database', database], seed);
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(
        stderr,
        /^seed: .*\.db was not made by the seed, so it is left as it is; name another file\.\n$/,
      );
      assert.deepEqual(readFileSync(database), before);
    }
  });

  it('tells people what it made, and answers a mistake with one line and exit 2', async () => {
    const database = join(newFolder(), 'seed.db');
    const { code, stdout } = await run(['--database', database, '--memories', '2'], seed);
    assert.equal(code, 0);
    assert.match(
      stdout,
      /is ready[^]* {2}active +mem_\w{49}\n[^]* {2}disabled +mem_[^]*npm start -- --database /,
    );
    for (const [args, says] of [
      [['--memories', 'many'], /--memories takes a whole number from 0 to 100000000, not "many"/],
      [['--accounts', '0'], /--accounts takes a whole number from 1/],
      [['--accounts', '999999999'], /--accounts takes a whole number from 1 to 10000/],
      [['--size', '999999999'], /--size takes a whole number from 0 to 10000000/],
      [['--size', '-1'], /'--size' argument is ambiguous|--size/],
      [['--frobnicate'], /Unknown option '--frobnicate'/],
    ] as const) {
      const mistake = await run([...args, '--database', join(newFolder(), 'x.db')], seed);
      assert.deepEqual([mistake.code, mistake.stdout], [2, '']);
      assert.match(mistake.stderr, says);
      assert.equal(mistake.stderr.trim().split('\n').length, 1, mistake.stderr);
    }
    const help = await run(['--help'], seed);
    assert.equal(help.code, 0);
    assert.match(help.stdout, /--random SEED/);
  });
});

describe('demo', () => {
  const demo = async (t: TestContext, database: string, env: Record<string, string> = {}) => {
    const child = start(['demo', '--database', database], { env });
    t.after(() => stop(child, 'SIGKILL'));
    const said = await waitFor(child, 'stdout', /Ctrl-C/);
    for (const [key] of said.matchAll(/mem_\w{49}/g)) issued(key);
    return {
      child,
      said,

      lines: said.split('\n').filter((line) => line.startsWith('curl ')),
    };
  };
  const shell = async (line: string) => {
    const { stdout } = await promisify(execFile)('sh', ['-c', line]);
    return JSON.parse(stdout);
  };

  it('prints curl lines that work, on a free port, also the second time', async (t) => {
    const database = join(newFolder(), 'demo.db');
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    t.after(() => taken.close());
    const { port } = taken.address() as AddressInfo;

    for (const round of [1, 2]) {
      const { child, said, lines } = await demo(t, database, { PORT: String(port) });
      assert.match(said, new RegExp(`^Port ${port} is in use; `));
      assert.match(said, /serves 45 memories of 3 accounts at http:\/\/127\.0\.0\.1:\d+/);
      assert.equal(lines.length, 3);
      const list = v.parse(v.array(Memory), await shell(lines[0] ?? ''));
      assert.equal(list.length, 3);
      const one = v.parse(Memory, await shell(lines[1] ?? ''));
      assert.ok(list.some(({ id }) => id === one.id));
      const found: object[] = await shell(lines[2] ?? '');
      assert.equal(found.length, 3);
      for (const each of found) assert.deepEqual(Object.keys(each), ['id', 'name']);
      assert.equal(await stop(child), 0, `round ${round}`);
    }
    assert.ok(existsSync(database));
  });

  it('finishes a database that was cut short, and serves what else the seed made', async (t) => {
    const database = join(newFolder(), 'demo.db');
    createDatabase(database, ({ accounts, memories }) => {
      for (const { id, name, memories: list } of readFixtures()) {
        accounts.create({ id, name, created_by: 'seed' });
        for (const memory of [...list].slice(0, 2)) memories.put(id, memory);
      }
    });
    const first = await demo(t, database, { PORT: '0' });
    assert.match(first.said, /serves 45 memories of 3 accounts/);
    await stop(first.child);
    const other = join(newFolder(), 'other.db');
    await seedJson(['--database', other, '--accounts', '2', '--memories', '5']);
    const second = await demo(t, other, { PORT: '0' });
    assert.match(second.said, /serves 10 memories of 2 accounts/);
    for (const line of second.lines) await shell(`${line} --fail`);
    await stop(second.child);
    const bare = join(newFolder(), 'bare.db');
    await seedJson(['--database', bare, '--memories', '0']);
    const { code, stderr } = await run(['demo', '--database', bare]);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^memory-gateway: .* has no memory to show; name another file with --database\.\n$/,
    );
  });

  it('has help, and answers a mistake with one line and exit 2', async () => {
    const help = await run(['demo', '--help']);
    assert.equal(help.code, 0);
    assert.match(help.stdout, /--database FILE[^]*--port PORT/);
    const mistake = await run(['demo', '--prot', '1']);
    assert.equal(mistake.code, 2);
    assert.match(mistake.stderr, /^memory-gateway: Unknown option '--prot'; see --help\.\n$/);
    const empty = await run(['demo', '--database', '']);
    assert.deepEqual([empty.code, empty.stderr], [2, 'memory-gateway: Give --database FILE.\n']);
    const taken = await new Promise<Server>((resolve) => {
      const server = createServer().listen(65_535, '127.0.0.1', () => resolve(server));
      server.once('error', () => resolve(server)); // another program has it, which is as good
    });
    const last = await run(['demo', '--port', '65535', '--database', join(newFolder(), 'x.db')]);
    taken.close();
    assert.match(last.stderr, /^memory-gateway: Port 65535 [^\n]* choose another with --port\.\n$/);
  });

  it('started twice at once makes one database', async (t) => {
    const database = join(newFolder(), 'demo.db');
    const both = await Promise.all([
      demo(t, database, { PORT: '0' }),
      demo(t, database, { PORT: '0' }),
    ]);
    for (const { child, lines } of both) {
      assert.ok(v.is(v.array(Memory), await shell(lines[0] ?? '')));
      assert.equal(await stop(child), 0);
    }
  });

  it('refuses a database that is not the demo’s', async () => {
    const database = join(newFolder(), 'mine.db');
    createDatabase(database);
    const { code, stderr } = await run(['demo', '--database', database]);
    assert.equal(code, 1);
    assert.match(stderr, /^memory-gateway: .* was not made by the seed/);
  });
});
