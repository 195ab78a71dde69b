// npm run demo, as a process.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { promisify } from 'node:util';

import * as v from 'valibot';

import { readFixtures } from '../../src/cli/commands/database/seed.ts';
import { Memory } from '../../src/contract/schemas/memory.ts';
import { createDatabase } from '../../src/store/sqlite/writer.ts';
import { createTestBrowser, jsonOf } from '../support/app/app-world.ts';
import { newFolder, issued } from '../support/world/artifacts.ts';
import { runProcess, startProcess, stop, waitFor } from '../support/world/program.ts';

const seed = async (...args: readonly string[]) =>
  assert.equal((await runProcess(args, { script: 'scripts/seed.ts' })).code, 0);

describe('demo', () => {
  const demo = async (t: TestContext, database: string, env: Record<string, string> = {}) => {
    const child = startProcess(['demo', '--database', database], { env });
    t.after(() => stop(child, 'SIGKILL'));
    const said = await waitFor(child, 'stdout', /Ctrl\+C/);
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

  it('prints curl commands that work, on a free port, also the second time', async (t) => {
    const database = join(newFolder(), 'demo.db');
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    t.after(() => taken.close());
    const { port } = taken.address() as AddressInfo;

    for (const round of [1, 2]) {
      const { child, said, lines } = await demo(t, database, { PORT: String(port) });
      assert.match(said, new RegExp(`^Port ${port} is in use; `));
      assert.match(said, /serves 45 memories of 3 accounts at http:\/\/127\.0\.0\.1:\d+/);
      assert.match(
        said,
        /imports, renames and deletes nothing in the browser\. For your own memories, run: memory-gateway start$/m,
      );
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

  it('prints a command that creates another sign-in link, with its own port', async (t) => {
    const database = join(newFolder(), 'demo.db');
    const { said } = await demo(t, database, { PORT: '0' });
    const [, base = 'none'] = /at (http:\/\/127\.0\.0\.1:\d+) from/.exec(said) ?? [];
    const [, words = ''] = /^Create another link: memory-gateway (.*)$/m.exec(said) ?? [];
    const { code, stdout } = await runProcess(words.split(' '));
    assert.equal(code, 0);
    assert.ok(stdout.startsWith(`${base}/app/sign-in#`), stdout);
  });

  it('says in the app as well how to begin with memories of your own', async (t) => {
    const { said } = await demo(t, join(newFolder(), 'demo.db'), { PORT: '0' });
    const [, port, secret] = /127\.0\.0\.1:(\d+)\/app\/sign-in#(\S+)/.exec(said) ?? [];
    const browser = createTestBrowser({ port: Number(port) });
    await browser.post('/sessions', { way: 'link', secret: issued(String(secret)) });
    const { can_import, bin_days, start_command } = jsonOf(await browser.get('/me'));
    assert.deepEqual([can_import, bin_days], [false, null]);
    assert.equal(start_command, 'memory-gateway start');
  });

  it('prints a command that imports a sample while it runs', async (t) => {
    const database = join(newFolder(), 'demo.db');
    const { said, lines } = await demo(t, database, { PORT: '0' });
    const [, words = ''] = /^Import a sample: memory-gateway (.*)$/m.exec(said) ?? [];
    const { code, stdout } = await runProcess(words.split(' '));
    assert.equal(code, 0);
    assert.match(stdout, /^1 file read: 1 memory added/);
    const url = (lines[2] ?? '').replace('q=fridge', 'q=earbud');
    const found: readonly { readonly id: string }[] = await shell(url);
    assert.ok(found.some(({ id }) => id === 'conv_202'));
  });

  it('completes an unfinished database, and serves other databases of the seed', async (t) => {
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
    await seed('--database', other, '--accounts', '2', '--memories', '5');
    const second = await demo(t, other, { PORT: '0' });
    assert.match(second.said, /serves 10 memories of 2 accounts/);
    for (const line of second.lines) await shell(`${line} --fail`);
    await stop(second.child);
    const bare = join(newFolder(), 'bare.db');
    await seed('--database', bare, '--memories', '0');
    const { code, stderr } = await runProcess(['demo', '--database', bare]);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^memory-gateway: .* has no memory to show; name another file with --database\.\n$/,
    );
  });

  it('reports a usage error in one line with exit code 2, and a port that is in use', async () => {
    const empty = await runProcess(['demo', '--database', '']);
    assert.deepEqual([empty.code, empty.stderr], [2, 'memory-gateway: Give --database FILE.\n']);
    const taken = await new Promise<Server>((resolve) => {
      const server = createServer().listen(65_535, '127.0.0.1', () => resolve(server));
      server.once('error', () => resolve(server)); // another program uses the port, which serves the test as well
    });
    const last = await runProcess([
      'demo',
      '--port',
      '65535',
      '--database',
      join(newFolder(), 'x.db'),
    ]);
    taken.close();
    assert.match(last.stderr, /^memory-gateway: Port 65535 [^\n]* choose another with --port\.\n$/);
  });

  it('started twice at once creates one database', async (t) => {
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

  it('revokes the other keys if an account was deleted meanwhile', async (t) => {
    const database = join(newFolder(), 'demo.db');
    const { child } = await demo(t, database, { PORT: '0' });
    const on = ['--database', database];
    const { code } = await runProcess(['accounts', 'delete', 'mira', '--yes', ...on]);
    assert.equal(code, 0);
    assert.equal(await stop(child), 0);
    const { stdout } = await runProcess(['keys', 'list', '--json', ...on]);
    const states = (JSON.parse(stdout) as { label: string; state: string }[])
      .filter(({ label }) => label === 'demo')
      .map(({ state }) => state);
    assert.deepEqual(states, ['revoked', 'revoked']);
  });

  it('ends with one sentence if its link cannot be printed', async () => {
    const { code, stderr } = await runProcess(['demo', '--database', join(newFolder(), 'd.db')], {
      env: { PORT: '0' },
      under: ['sh', '-c', 'exec "$@" > /dev/full', 'sh'],
    });
    assert.equal(code, 1);
    assert.match(stderr, /^memory-gateway: Standard output could not be written \(ENOSPC\); .+\n$/);
  });

  it('refuses a database that is not the demo’s', async () => {
    const database = join(newFolder(), 'mine.db');
    createDatabase(database);
    const { code, stderr } = await runProcess(['demo', '--database', database]);
    assert.equal(code, 1);
    assert.match(stderr, /^memory-gateway: .* was not made by the seed/);
  });
});
