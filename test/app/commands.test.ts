// sign-in, sign-out, accounts password and serve --app.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';

import { spawnCommand } from '../../src/cli/serve/command-process.ts';
import { reachedBy } from '../../src/cli/serve/listen/listen.ts';
import { isPostgres } from '../../src/store/address.ts';
import { createAppWorld, createTestBrowser, jsonOf } from '../support/app/app-world.ts';
import { appAddress } from '../support/engines/database-addresses.ts';
import { send } from '../support/wire/wire.ts';
import { issued, newFolder } from '../support/world/artifacts.ts';
import { freePort } from '../support/world/free-port.ts';
import { ROOT, run, start, stop, waitFor } from '../support/world/program.ts';
import { createWorld, memory } from '../support/world/world.ts';

/** Serves a database with an account. */
async function serve(t: TestContext, ...args: readonly string[]) {
  const world = await createWorld(t);
  const { database } = world;
  const key = world.addAccount('ana', [memory({ id: 'one' })]);
  const port = await freePort();
  const from = ['--database', appAddress(database)];
  const child = start(['serve', ...from, '--port', String(port), ...args]);
  t.after(() => stop(child, 'SIGKILL'));
  const log = await waitFor(child, 'stdout', /"listening"/);
  const command = (...words: readonly string[]) => run([...words, ...from]);
  return { port, key, log, command, from };
}

/** Returns the secrets of printed links. */
function secretsIn(text: string): string[] {
  return Array.from(text.matchAll(/#([\w-]{43})$/gm), ([, secret]) => issued(String(secret)));
}

describe('The app', () => {
  it('lets the commands that it starts from a clone keep what Node makes of the sources, in its own folder of packages', async () => {
    const folderOf = async (env: Readonly<Record<string, string>>) => {
      const program = [process.execPath, '--print', 'process.env.NODE_COMPILE_CACHE'];
      const options = { database: 'mine.db', args: [], isInBackground: false };
      const { out } = await spawnCommand({ context: { env, program }, ...options }).ended;
      return out.trim();
    };
    const own = newFolder();
    assert.equal(await folderOf({}), join(ROOT, 'node_modules/.cache/memory-gateway'));
    assert.equal(await folderOf({ NODE_COMPILE_CACHE: own }), own);
  });

  it('names commands as they run on this machine: in a clone by npm, otherwise by their name', async (t) => {
    for (const [env, command, here] of [
      [{}, 'memory-gateway', '/usr/bin/memory-gateway'],
      [{ npm_package_name: 'memory-gateway' }, 'npm run -s cli --', 'npm run -s cli --'],
    ] as const) {
      const world = await createWorld(t);
      world.addAccount('ana');
      const args = ['serve', '--database', appAddress(world.database), '--port', '0'];
      const child = start([...args, '--app', 'read-only'], { env });
      t.after(() => stop(child, 'SIGKILL'));
      const log = await waitFor(child, 'stdout', /"listening"/);
      const port = Number(/"url":"http:\/\/127\.0\.0\.1:(\d+)"/.exec(log)?.[1]);
      const from = ['--database', appAddress(world.database)];
      const link = await run(['sign-in', 'ana', '--port', String(port), ...from]);
      const [secret = ''] = secretsIn(link.stdout);
      const browser = createTestBrowser({ port });
      const { command: shown, database_option: option } = jsonOf(await browser.get('/ways'));
      assert.equal(shown, here);
      const named = await run(['sign-in', ...String(option).split(' ')]);
      assert.equal(secretsIn(named.stdout).length, 1, 'it names the database, from any folder');
      await browser.post('/sessions', { way: 'link', secret });
      const me = jsonOf(await browser.get('/me'));
      const ways = { passkey: false, password: false, asks_name: false };
      assert.deepEqual(me['ways'], { ...ways, command: here, database_option: option });
      assert.equal(me['start_command'], null);
      const path = appAddress(world.database);
      assert.partialDeepStrictEqual(me, {
        kept: isPostgres(path) ? null : { path, backup_at: null },
      });
      const refused = await browser.post('/deletions', { ids: ['one'] });
      assert.match(refused.text, new RegExp(`use \\\\"${command} memories delete\\\\", or ask`));
      assert.equal(await stop(child), 0);
    }
  });
});

describe('The commands of the app', () => {
  const LOCAL = { command: '/opt/memory-gateway', database_option: '--database /srv/a.db' };
  const kept = { path: '/srv/a.db', bytes: 4096, backup_at: null };
  const app = { here: LOCAL, kept: () => kept };
  const ELSEWHERE = { command: 'memory-gateway', database_option: '' };

  it('name the executable and the database to this machine', async (t) => {
    const world = await createAppWorld(t, { app });
    const { command, database_option } = jsonOf(await world.browser().get('/ways'));
    assert.deepEqual({ command, database_option }, LOCAL);
    const owner = await world.signIn();
    assert.deepEqual(jsonOf(await owner.get('/me'))['kept'], kept);
  });

  it('name neither to anybody elsewhere, also if a proxy is on this machine', async (t) => {
    const world = await createAppWorld(t, { app });
    const owner = await world.signIn();
    for (const headers of [
      { host: 'memories.example' },
      { host: '192.168.1.20' },
      { 'x-forwarded-for': '203.0.113.9' },
      { 'x-real-ip': '203.0.113.9' },
      { forwarded: 'for=203.0.113.9' },
      { via: '1.1 proxy' },
    ]) {
      const { command, database_option } = jsonOf(await world.browser().get('/ways', headers));
      assert.deepEqual({ command, database_option }, ELSEWHERE, JSON.stringify(headers));
      // Nor where the database is. At another host, the browser is not signed in.
      const { status, text } = await owner.get('/me', headers);
      if (!('host' in headers)) assert.equal(status, 200);
      assert.doesNotMatch(text, /srv/);
    }
    const based = await createAppWorld(t, { app, baseUrl: 'https://memories.example' });
    const { command, database_option } = jsonOf(await based.browser().get('/ways'));
    assert.deepEqual({ command, database_option }, ELSEWHERE);
  });
});

describe('sign-in', () => {
  it('prints a link that signs in until sign-out', async (t) => {
    const { port, command, log } = await serve(t);
    assert.match(
      log,
      /"app":"http:\/\/127\.0\.0\.1:\d+\/app\/","sign_in":"memory-gateway sign-in /,
    );
    const made = await command('sign-in', 'ana', '--port', String(port));
    assert.equal(made.code, 0, made.stderr);
    assert.match(made.stdout, new RegExp(`^http://127.0.0.1:${port}/app/sign-in#[\\w-]{43}\n$`));
    assert.match(made.stderr, /to sign in as Account ana\. It works once, within 10 minutes/);
    const [secret = ''] = secretsIn(made.stdout);
    const browser = createTestBrowser({ port });
    assert.equal((await browser.post('/sessions', { way: 'link', secret })).status, 204);
    for (let i = 0; i < 6; i++) assert.equal((await browser.get('/memories')).status, 200);
    const out = await command('sign-out', 'ana');
    assert.equal(out.stdout, 'Ended 1 session of Account ana.\n');
    for (let i = 0; i < 6; i++) assert.equal((await browser.get('/memories')).status, 401);
  });

  it('is named by the log of serve with the options that lead to this gateway', async (t) => {
    const { port, log } = await serve(t, '--base-url', '/some');
    const [, words = ''] = /"sign_in":"memory-gateway ([^"]+)"/.exec(log) ?? [];
    const named = await run(words.replace('ACCOUNT', 'ana').split(' '));
    secretsIn(named.stdout);
    assert.match(named.stdout, new RegExp(`^http://127.0.0.1:${port}/some/app/sign-in#`), words);
    const reached = { 'http://0.0.0.0:80': ' --host 0.0.0.0 --port 80', 'unix:/run/g.sock': '' };
    for (const [url, options] of Object.entries(reached)) assert.equal(reachedBy(url), options);
    const behind = ' --base-url https://a.example';
    assert.equal(reachedBy('http://[::1]:8787', 'https://a.example'), behind);
    assert.equal(reachedBy('http://[::1]:8787'), ' --host ::1 --port 8787');
  });

  it('prints every address that works, and never 0.0.0.0', async (t) => {
    const world = await createWorld(t);
    const { database } = world;
    world.addAccount('ana');
    const links = async (...args: readonly string[]) => {
      const { stdout } = await run(['sign-in', 'ana', '--database', appAddress(database), ...args]);
      secretsIn(stdout);
      return stdout.replaceAll(/#.*/g, '').trim().split('\n');
    };
    assert.deepEqual(await links('--base-url', 'https://a.example/x', '--host', '0.0.0.0'), [
      'https://a.example/x/app/sign-in',
    ]);
    assert.deepEqual(await links('--base-url', '/x'), ['http://127.0.0.1:8787/x/app/sign-in']);
    assert.deepEqual(await links('--host', '::1', '--port', '80'), ['http://[::1]:80/app/sign-in']);
    const all = await links('--host', '0.0.0.0');
    assert.equal(all[0], 'http://127.0.0.1:8787/app/sign-in');
    assert.ok(
      all.every((link) => !link.includes('0.0.0.0') && !link.includes('[')),
      'IPv4 alone',
    );
  });

  it('says what is wrong', async (t) => {
    const world = await createWorld(t);
    const { database } = world;
    world.addAccount('ana');
    const from = ['--database', appAddress(database)];
    const unknown = await run(['sign-in', 'nobody', ...from]);
    assert.match(
      unknown.stderr,
      /There is no account "nobody"; pass the id or the name of an account: ana \(Account ana\)\./,
    );
    assert.equal(unknown.code, 1);
    const socket = await run(['sign-in', 'ana', ...from, '--host', 'unix:/run/x.sock']);
    assert.match(socket.stderr, /only its proxy knows its address; pass it with --base-url/);
  });

  it('needs no account if there is only one, and otherwise names those that there are', async (t) => {
    const world = await createWorld(t);
    const from = ['--database', appAddress(world.database)];
    world.addAccount('ana');
    const only = await run(['sign-in', ...from]);
    assert.match(only.stderr, /to sign in as Account ana\./);
    assert.equal(secretsIn(only.stdout).length, 1);
    world.addAccount('bo');
    const several = await run(['sign-in', ...from]);
    assert.equal(several.code, 2);
    assert.match(
      several.stderr,
      /Give one ACCOUNT, one of ana \(Account ana\), bo \(Account bo\)\./,
    );
  });
});

describe('accounts password', () => {
  it('sets the password from standard input, with which a browser signs in', async (t) => {
    const { port, from } = await serve(t);
    const set = (input: string) => run(['accounts', 'password', 'ana', ...from], { input });
    const short = await set('short\n');
    assert.deepEqual([short.code, short.stdout], [2, '']);
    assert.match(short.stderr, /A password takes 15 to 1,024 characters/);
    const password = 'violet teapots orbit quietly';
    const done = await set(`${password}\r\n`);
    assert.deepEqual([done.code, done.stdout], [0, 'Set the password of Account ana.\n']);
    const browser = createTestBrowser({ port });
    const body = { way: 'password', account: 'ana', password };
    assert.equal((await browser.post('/sessions', body)).status, 204);
    const unknown = await run(['accounts', 'password', 'nobody', ...from], { input: password });
    assert.equal(unknown.code, 1);
  });
});

describe('serve --app off', () => {
  it('has no app, and the reference page at its root', async (t) => {
    const { port, key, log } = await serve(t, '--app', 'off');
    assert.doesNotMatch(log, /sign_in/);
    assert.equal((await send(port, { path: '/app/' })).status, 404);
    assert.equal((await send(port, { path: '/app/v1/me' })).status, 404);
    assert.equal((await send(port, { path: '/' })).headers['location'], 'docs');
    assert.equal((await send(port, { key })).status, 200);
    const page = await send(port, { path: '/docs' });
    assert.doesNotMatch(String(page.headers['content-security-policy']), /sandbox/);
  });
});

describe('serve --sign-in-header', () => {
  it('believes the header from --proxy, and is refused without it', async (t) => {
    const args = ['--sign-in-header', 'Remote-User', '--proxy', '127.0.0.1'];
    const { port } = await serve(t, ...args, '--sign-out-url', '/out');
    const browser = createTestBrowser({ port, headers: { 'remote-user': 'ana' } });
    assert.equal(jsonOf(await browser.get('/me'))['sign_out_url'], '/out');
    const refused = await run(['serve', '--sign-in-header', 'Remote-User']);
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /needs --proxy/);
  });
});
