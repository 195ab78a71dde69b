// The command line: accounts, keys, migrate, errors and exit codes.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';

import { readBaseUrl } from '../../src/cli/args/values.ts';
import { createApiKey, isApiKey } from '../../src/store/accounts/api-key.ts';
import { VERSION } from '../../src/version.ts';
import { engine } from '../support/engines/engine.ts';
import { document } from '../support/wire/openapi-check.ts';
import { send } from '../support/wire/wire.ts';
import { issued, newFolder } from '../support/world/artifacts.ts';
import { BINARY, isBuilt, PROGRAM_WORDS, run, runProcess } from '../support/world/program.ts';
import { createWorld, memories } from '../support/world/world.ts';

async function ok(args: readonly string[], input?: string): Promise<string> {
  const { code, stdout, stderr } = await run(args, input === undefined ? {} : { input });
  assert.equal(code, 0, stderr);
  return stdout.trimEnd();
}

/** Runs each call, and asserts its exit code and its one line on stderr. */
async function assertEnds(code: number, calls: [args: string[], says: RegExp][]): Promise<void> {
  for (const [args, says] of calls) {
    const ended = await run(args);
    assert.deepEqual([ended.code, ended.stdout], [code, ''], `${args.join(' ')}: ${ended.stderr}`);
    assert.match(ended.stderr, says);
    assert.match(ended.stderr, /^memory-gateway: [^\n]+\n$/);
    assert.doesNotMatch(ended.stderr, /mem_/);
  }
}

describe('The command line', () => {
  it('leads from nothing to a valid key, and revokes it', async () => {
    const database = join(newFolder(), 'mine.db');
    const on = ['--database', database];
    assert.match(
      await ok(['migrate', ...on]),
      /has SQLite schema 22 \(applied 0001-memories\.sql, 0002-search-and-changes\.sql, 0003-integrity\.sql, 0004-days\.sql, 0005-sources\.sql, 0006-app\.sql, 0007-scopes\.sql, 0008-connect\.sql, 0009-details\.sql, 0010-vectors\.sql, 0011-bin\.sql, 0012-pulls\.sql, 0013-uncorrected\.sql, 0014-shares\.sql, 0015-bookmarks\.sql, 0016-key-reads\.sql, 0017-facet-scopes\.sql, 0018-searches\.sql, 0019-grant-reads\.sql, 0020-kept-shares\.sql, 0021-done-items\.sql, 0022-renamed-files\.sql\)\.$/,
    );
    assert.match(await ok(['migrate', ...on]), /has SQLite schema 22 already\.$/);
    assert.equal(await ok(['accounts', 'list', ...on]), 'There are none yet.');
    assert.equal(
      await ok(['accounts', 'create', 'خانه\u200cی ما 👨‍👩‍👧', '--id', 'home', ...on]),
      'home',
    );
    assert.equal((await run(['accounts', 'create', 'a\u202eb', ...on])).code, 2);

    const made = await run(['accounts', 'create', 'Mira Okafor', ...on]);
    const account = made.stdout.trim();
    assert.match(account, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.match(made.stderr, new RegExp(`keys create --account ${account}`));

    const created = await run(['keys', 'create', '--account', account, '--label', 'laptop', ...on]);
    const key = created.stdout.trimEnd();
    assert.ok(isApiKey(key), 'the key, and nothing else, is on stdout');
    assert.match(created.stderr, /never expires\. Keep it now: it is not stored/);
    assert.ok(!created.stderr.includes(key));

    const list = await ok(['keys', 'list', ...on]);
    assert.match(list, new RegExp(`${account} +laptop +${key.slice(-4)} +active`));
    assert.ok(!list.includes(key));
    const [record] = JSON.parse(await ok(['keys', 'list', '--json', '--account', account, ...on]));
    assert.equal(record.state, 'active');
    assert.equal(record.expires_at, null);
    assert.match(record.created_at, /^\d{4}-.*\.\d{3}Z$/);
    assert.equal(JSON.parse(await ok(['keys', 'list', '--json', ...on])).length, 1);

    const id: string = record.id;
    assert.match(
      await ok(['keys', 'check', ...on], `${key}\n`),
      new RegExp(`This is key ${id} \\("laptop"\\) of account ${account}: active`),
    );
    assert.equal(await ok(['keys', 'revoke', id, ...on]), `Key ${id} is revoked.`);
    const checked = await run(['keys', 'check', '--json', ...on], { input: key });
    assert.equal(checked.code, 1);
    assert.equal(JSON.parse(checked.stdout).record.state, 'revoked');
  });

  it('checks the form of a key before it opens the database', async () => {
    const database = join(newFolder(), 'mine.db');
    const on = ['--database', database];
    await ok(['migrate', ...on]);
    for (const [input, says] of [
      ['nonsense', /This is not an API key/],
      ['', /This is not an API key/],
      [`${createApiKey().slice(0, -1)}-`, /This is not an API key/],
      [issued(createApiKey()), /a well-formed key, but it is not in this database/],
    ] as const) {
      const { code, stdout, stderr } = await run(['keys', 'check', ...on], { input });
      assert.equal(code, 1);
      assert.match(stdout, says);
      assert.equal(stderr, '');
    }
  });

  it('rotates a key: at once, or with a grace period in which both are valid', async (t) => {
    const world = await createWorld(t);
    world.addAccount('ana', memories(1));
    const on = ['--database', world.database];
    const status = async (key: string) => (await send(world.port, { key })).status;

    const first = world.addKey('ana');
    const second = await ok(['keys', 'rotate', first.id, ...on]);
    assert.deepEqual([await status(first.key), await status(second)], [401, 200]);
    const again = await run(['keys', 'rotate', first.id, ...on]);
    assert.deepEqual([again.code, again.stdout], [1, '']);
    assert.match(again.stderr, /is revoked; create a new one/);

    const id = JSON.parse(await ok(['keys', 'list', '--json', ...on])).find(
      (key: { last_four: string }) => key.last_four === second.slice(-4),
    ).id;
    const third = JSON.parse(await ok(['keys', 'rotate', id, '--grace', '24h', '--json', ...on]));
    assert.deepEqual(Object.keys(third), ['id', 'key', 'expires_at']);
    assert.deepEqual([await status(second), await status(third.key)], [200, 200]);
    const old = JSON.parse(await ok(['keys', 'list', '--json', ...on])).find(
      (key: { id: string }) => key.id === id,
    );
    const hours = (Date.parse(old.expires_at) - Date.now()) / 3_600_000;
    assert.ok(hours > 23.9 && hours <= 24, `${hours} h`);

    // A new key has the same lifetime as the rotated one, and the grace period never extends the
    // old key.
    const brief = world.addKey('ana', Date.now() + 3_600_000);
    const heir = JSON.parse(
      await ok(['keys', 'rotate', brief.id, '--grace', '2w', '--json', ...on]),
    );
    const left = (Date.parse(heir.expires_at) - Date.now()) / 60_000;
    assert.ok(left > 59 && left < 61, `${left} min`);
    const briefly = JSON.parse(await ok(['keys', 'list', '--json', ...on])).find(
      (key: { id: string }) => key.id === brief.id,
    );
    assert.ok(Date.parse(briefly.expires_at) - Date.now() < 3_600_000);
  });

  it('revokes a key for the next request, and disables and enables an account', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana', memories(1));
    const other = world.addKey('ana');
    const on = ['--database', world.database];
    const status = async (held: string) => (await send(world.port, { key: held })).status;
    await ok(['keys', 'revoke', other.id, ...on]);
    assert.deepEqual([await status(other.key), await status(key)], [401, 200]);
    assert.equal(await ok(['accounts', 'disable', 'ana', ...on]), 'Account ana is disabled.');
    assert.equal(await status(key), 401);
    assert.match(await ok(['accounts', 'list', ...on]), /ana +Account ana +disabled .* 2 +1$/m);
    assert.equal(
      await ok(['accounts', 'enable', 'ana', '--json', ...on]),
      '{"id":"ana","state":"active"}',
    );
    assert.deepEqual([await status(other.key), await status(key)], [401, 200]);
  });

  it('creates keys that expire after a duration or at a date', async (t) => {
    const world = await createWorld(t);
    world.addAccount('ana');
    const on = ['--account', 'ana', '--json', '--database', world.database];
    const days = async (expires: string) =>
      (Date.parse(
        JSON.parse(await ok(['keys', 'create', '--expires', expires, ...on])).expires_at,
      ) -
        Date.now()) /
      86_400_000;
    assert.ok(Math.abs((await days('90d')) - 90) < 0.01);
    assert.ok(Math.abs((await days('2w')) - 14) < 0.01);
    const created = JSON.parse(await ok(['keys', 'create', '--expires', '2999-01-31', ...on]));
    assert.equal(created.expires_at, '2999-01-31T00:00:00.000Z');
  });

  it('lists a time that a damaged row has outside the calendar', async (t) => {
    const { database } = await createWorld(t);
    const on = ['--database', database];
    await ok(['accounts', 'create', 'Ana', '--id', 'ana', ...on]);
    await ok(['keys', 'create', '--account', 'ana', ...on]);
    engine.edit(
      database,
      'UPDATE accounts SET created_at = 9000000000000000000; UPDATE api_keys SET expires_at = 9000000000000000000',
    );
    for (const what of ['accounts', 'keys'])
      assert.match(await ok([what, 'list', ...on]), / active .* \?( |$)/m, what);
    const [account] = JSON.parse(await ok(['accounts', 'list', '--json', ...on]));
    assert.equal(account.created_at, null);
  });

  it('reads the environment, and options override it', async () => {
    const folder = newFolder();
    const env = { MEMORY_GATEWAY_DATABASE: join(folder, 'env.db') };
    assert.equal((await run(['migrate'], { env })).code, 0);
    assert.ok(existsSync(env.MEMORY_GATEWAY_DATABASE));
    assert.equal((await run(['migrate', '--database', join(folder, 'flag.db')], { env })).code, 0);
    assert.ok(existsSync(join(folder, 'flag.db')));
  });

  it('prints the OpenAPI document with the base URL of the API, otherwise the address of serve', async () => {
    const env = { MEMORY_GATEWAY_BASE_URL: '/memories' };
    for (const [args, url] of [
      [[], '/memories'],
      [['--base-url', ''], 'http://127.0.0.1:8787'],
    ] as const) {
      const { code, stdout, stderr } = await run(['openapi', ...args], { env });
      assert.deepEqual([code, stderr], [0, '']);
      const drawn = JSON.parse(stdout);
      assert.equal(stdout, `${JSON.stringify(drawn, null, 2)}\n`);
      const info = { ...document.info, version: VERSION };
      assert.deepEqual(drawn, { ...document, info, servers: [{ url }] });
    }
  });

  it('accepts a path or a URL as base URL, without a query or a fragment', () => {
    for (const url of ['', '/a', '/~a/b%20c', 'https://a.example', 'http://[::1]:80/a']) {
      assert.equal(readBaseUrl(url), url);
      assert.equal(readBaseUrl(`${url}/`), url);
    }
    for (const url of [
      'memories',
      '//',
      '//a.example',
      '/a//b',
      '/..',
      '/%2E/a',
      '/a?b',
      '/a#b',
      '/%zz',
      '/a b',
      '/{a}',
      'ftp://a.example',
      'https://',
      'https:///a',
      'https://a.example:99999',
      'https://a.example?b',
      'https://a.example//',
      String.raw`https://a.example\b`,
      'https://u:hunter2@a.example',
      // Paths of the gateway itself.
      '/app',
      '/v1',
      '/mcp/',
      '/docs',
      '/oauth',
      '/app/x',
      'https://a.example/v1',
    ]) {
      assert.throws(() => readBaseUrl(url), /^UsageError: --base-url takes (?!.*hunter2)/, url);
    }
  });

  it('reports a usage error on one line of stderr, with exit code 2', async () => {
    const key = issued(createApiKey());
    const usageErrors: [args: string[], says: RegExp][] = [
      [
        ['keys'],
        /Missing subcommand\. Use one of: keys create, keys list, keys reads, keys relabel, keys revoke, keys rotate, keys check\./,
      ],
      [['constructor'], /Unknown command/],
      [['memories', 'list', '--q', 'a', '--q', 'b'], /: Give --q once\.$/m],
      [['accounts', 'list', '--json', '--json'], /: Give --json once\.$/m],
      [['migrate', '--database=a.db', '--database', 'b.db'], /: Give --database once\.$/m],
      [['accounts', 'create'], /Give one NAME\./],
      [['accounts', 'create', ' '], /Give one NAME\./],
      [['accounts', 'create', 'Mira', 'Okafor'], /Give one NAME, in quotes/],
      [['accounts', 'create', 'Mira', '--id', 'a b'], /--id takes/],
      [['accounts', 'disable'], /Give one ACCOUNT\./],
      [['keys', 'create'], /Give --account ACCOUNT\./],
      [['keys', 'create', '--account', 'a', '--expires', '1y'], /--expires takes .* not "1y"/],
      [
        ['keys', 'create', '--account', 'a', '--expires', '2020-01-01'],
        /--expires takes a time in the future/,
      ],
      [
        ['keys', 'create', '--account', 'a', '--expires', '0s'],
        /--expires takes a time in the future/,
      ],
      [['keys', 'create', '--account', 'a', '--expires', '999999w'], /before the year 10000/],
      [['keys', 'create', '--account', 'a', '--label', 'two\nlines'], /--label takes 1 to 200/],
      [['accounts', 'create', 'Mira \x1b[31m'], /NAME takes 1 to 200 characters on one line/],
      [['serve', '--port', '1\n2'], /--port takes/],
      [
        ['keys', 'create', '--account', 'a', '--expires', '2999-02-30'],
        /--expires takes a duration such as 90d, or a date that exists/,
      ],
      [['keys', 'rotate', 'x', '--grace', 'soon'], /--grace takes .* not "soon"/],
      [['keys', 'revoke', key], /Do not put an API key on the command line/],
      [['serve', '--port', '65536'], /--port takes a number from 0 to 65535/],
      [
        ['serve', '--allow-origin', 'https://a.example/'],
        /--allow-origin takes origins such as https:\/\/a\.example/,
      ],
      [['serve', '--allow-origin', '*'], /--allow-origin takes/],
      [['serve', '--json'], /Unknown option "--json"/],
      [['openapi', '--base-url', 'memories'], /--base-url takes a path such as \/memories or an/],
    ];
    await assertEnds(2, usageErrors);
  });

  it('reports a failure on one line of stderr, with exit code 1', async (t) => {
    const world = await createWorld(t);
    world.addAccount('ana');
    const on = ['--database', world.database];
    const refusals: [args: string[], says: RegExp][] = [
      [
        ['serve', '--database', '/nowhere/x.db'],
        /There is no database at \/nowhere\/x\.db; create one with/,
      ],
      [['migrate', '--database', '/nowhere/x.db'], /There is no folder \/nowhere; make it first/],
      [['accounts', 'list', '--database', '/nowhere/x.db'], /There is no database/],
      [['accounts', 'create', 'Ana', '--id', 'ana', ...on], /There is an account ana already/],
      [
        ['accounts', 'disable', 'bo', ...on],
        /There is no account "bo"; pass the id or the name of an account: ana \(Account ana\)\.$/m,
      ],
      [['keys', 'create', '--account', 'bo', ...on], /There is no account "bo"/],
      [['keys', 'list', '--account', 'bo', ...on], /There is no account "bo"/],
      [['keys', 'revoke', 'x', ...on], /There is no key x/],
      [['keys', 'rotate', 'x', ...on], /There is no key x/],
      [['memories', 'delete', 'x', '--account', 'bo', ...on], /There is no account "bo"/],
      [['memories', 'delete', 'x', '--account', 'ana', ...on], /There is no memory x in account/],
      [
        ['serve', '--port', String(world.port), ...on],
        new RegExp(`Port ${world.port} on 127\\.0\\.0\\.1 is in use; choose another with --port`),
      ],
      [
        ['serve', '--host', '203.0.113.1', '--port', '0', ...on],
        /This machine has no address 203\.0\.113\.1/,
      ],
    ];
    await assertEnds(1, refusals);
  });

  it('never repeats a key that was typed in the wrong place', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana');
    const on = ['--database', world.database];
    const calls = [
      [key],
      ['help', key],
      ['serve', key],
      ['migrate', key],
      ['keys', 'check', key],
      ['keys', 'list', key],
      ['keys', 'list', '--account', key, ...on],
      ['keys', 'create', '--account', key, ...on],
      ['keys', 'revoke', key, ...on],
      ['keys', 'rotate', 'x', '--grace', key],
      ['accounts', 'create', key, key],
      ['accounts', 'disable', key, ...on],
      ['memories', 'delete', key, '--account', 'ana', ...on],
      ['memories', 'delete', 'x', '--account', key, ...on],
      ['memories', 'delete', key.slice(4), '--account', 'ana', ...on],
      ['serve', '--port', key],
      [`--${key}`],
      ['serve', '--database', `/nowhere/${key}`],
      ['serve', '--allow-origin', key],
      ['accounts', 'create', key, ...on],
      ['accounts', 'create', 'x', '--id', key, ...on],
      ['keys', 'create', '--account', 'ana', '--label', key, ...on],
      ['keys', 'revoke', key.slice(4), ...on],
    ];
    for (const args of calls) {
      const { code, stdout, stderr } = await run(args);
      assert.ok(code === 1 || code === 2, String(args));
      assert.equal(stdout, '');
      assert.ok(!stderr.includes(key.slice(4)), stderr);
      assert.match(stderr, /^memory-gateway: [^\n]+\n$/);
    }
  });

  it('creates no key if its output cannot be written', async (t) => {
    const world = await createWorld(t);
    world.addAccount('ana');
    const { id } = world.addKey('ana');
    const before = world.writer.keys.list();
    const attempts = [
      ['/dev/full', ['create', '--account', 'ana'], /could not be written \(ENOSPC\)/],
      ['/dev/full', ['create', '--account', 'ana', '--json'], /could not be written \(ENOSPC\)/],
      ['/dev/full', ['rotate', id], /could not be written \(ENOSPC\)/],
      ['/dev/full', ['list'], /could not be written \(ENOSPC\)/],
      // Node opens /dev/null in place of a descriptor that a shell closed with >&-.
      ['/dev/null', ['create', '--account', 'ana'], /Standard output goes nowhere/],
      ['/dev/null', ['rotate', id], /Standard output goes nowhere/],
    ] as const;
    for (const [path, args, says] of attempts) {
      const out = openSync(path, 'w');
      t.after(() => closeSync(out));
      const [command = '', ...words] = [...PROGRAM_WORDS, 'keys', ...args];
      const on = ['--database', world.database];
      const child = spawn(command, [...words, ...on], { stdio: ['ignore', out, 'pipe'] });
      const [stderr, [code]] = await Promise.all([
        text(child.stderr as Readable),
        once(child, 'close'),
      ]);
      assert.equal(code, 1);
      assert.match(stderr, says);
      assert.match(stderr, /^memory-gateway: [^\n]+\n$/);
    }
    assert.deepEqual(world.writer.keys.list(), before);
  });

  it(
    'says in one line that another program has locked the database',
    { timeout: 60_000 },
    async (t) => {
      const world = await createWorld(t);
      engine.lock(t, world.database);
      const { code, stderr } = await run([
        'accounts',
        'create',
        'Ana',
        '--database',
        world.database,
      ]);
      assert.equal(code, 1);
      assert.match(
        stderr,
        /^memory-gateway: .* is locked by another program; close that program and try again\.\n$/,
      );
    },
  );

  it('prints its version', async () => {
    const { stdout: printed } = await runProcess(['--version']);
    assert.match(
      printed.trimEnd(),
      !isBuilt
        ? /^memory-gateway \d+\.\d+\.\d+, Node \d+\.\d+\.\d+, SQLite 3\.\d+\.\d+$/
        : /^memory-gateway \d+\.\d+\.\d+ \(commit [0-9a-f]{12}(-dirty)?\), Node 26\.\d+\.\d+, SQLite 3\.\d+\.\d+$/,
    );
    for (const args of [['-v'], ['version']]) assert.equal(await ok(args), await ok(['--version']));
    assert.deepEqual(await run(['--version', '--jsno']), {
      code: 2,
      stdout: '',
      stderr: 'memory-gateway: Unknown option "--jsno". Did you mean "--json"?\n',
    });
    const { version, commit, ...rest } = JSON.parse(await ok(['--version', '--json']));
    assert.equal(version, VERSION);
    if (BINARY === undefined) assert.equal(commit, null, 'sources are of no commit');
    assert.deepEqual(Object.keys(rest), ['node', 'sqlite']);
  });
});
