// The commands on PostgreSQL: commands for files say so, and no output contains a password.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import { Client } from 'pg';

import { engine, onlyPostgres } from '../support/engines/engine.ts';
import { newFolder } from '../support/world/artifacts.ts';
import { runProcess } from '../support/world/program.ts';

const PASSWORD = 's3cret-pa55word';
const ADDRESS = 'postgres://mira@127.0.0.1:1/memories';

function withPassword(address: string): string {
  const url = new URL(address);
  url.password = PASSWORD;
  return url.href;
}

describe('A PostgreSQL address', () => {
  it('is refused by commands that work on files only, with the PostgreSQL tool to use instead', async () => {
    const backup = join(newFolder(), 'backup.db');
    for (const [args, says] of [
      [['backup', backup], /pg_dump/],
      [['restore', backup], /pg_restore/],
      [['doctor'], /memory-gateway verify/],
      [['demo'], /memory-gateway serve/],
    ] as const) {
      const { code, stdout, stderr } = await runProcess([...args, '--database', ADDRESS]);
      assert.deepEqual([code, stdout], [2, ''], args.join(' '));
      assert.match(
        stderr,
        /^memory-gateway: This command works on a SQLite file only; [^\n]+\.\n$/,
      );
      assert.match(stderr, says);
    }
  });

  it('has no password if it is an argument, because other users can read arguments', async () => {
    const given = [
      ['accounts', 'list', '--database', withPassword(ADDRESS)],
      ['accounts', 'list', `--database=${withPassword(ADDRESS)}`],
      ['verify', '--database', `${ADDRESS}?password=${PASSWORD}`],
      ['verify', '--database', `postgresql://mira:${PASSWORD}@[bad/memories`],
    ];
    for (const args of given) {
      const { code, stdout, stderr } = await runProcess(args);
      assert.deepEqual([code, stdout], [2, '']);
      assert.match(
        stderr,
        /^memory-gateway: Do not put a password on the command line; [^\n]*PGPASSWORD[^\n]*\n$/,
      );
      assert.ok(!stderr.includes(PASSWORD));
    }
    const seeded = await runProcess(['--database', withPassword(ADDRESS)], {
      script: 'scripts/seed.ts',
    });
    assert.equal(seeded.code, 2);
    assert.ok(!seeded.stderr.includes(PASSWORD));
  });
});

describe('A password in the environment', { skip: onlyPostgres }, () => {
  it('is in no output, whether a command succeeds or fails', async (t) => {
    const database = engine.create(t, '');
    const env = { MEMORY_GATEWAY_DATABASE: withPassword(database) };
    const file = join(newFolder(), 'all.jsonl');
    const done = [
      ['migrate', '--json'],
      ['accounts', 'create', 'Ana', '--id', 'ana'],
      ['accounts', 'list', '--json'],
      ['keys', 'create', '--account', 'ana'],
      ['keys', 'list'],
      ['import', 'fixtures/memories/mira.json', '--account', 'ana', '--json'],
      ['memories', 'list', '--limit', '2'],
      ['export', '--output', file, '--json'],
      ['verify', '--json'],
    ];
    for (const args of done) {
      const { code, stdout, stderr } = await runProcess(args, { env });
      assert.equal(code, 0, `${args.join(' ')}: ${stderr}`);
      assert.ok(!`${stdout}${stderr}`.includes(PASSWORD), args.join(' '));
    }
    for (const address of [
      database.replace(/[^/]+$/, 'not_there'),
      database.replace('postgres@', 'nobody_here@'),
      ADDRESS,
      'postgres://mira@no such host/memories',
    ]) {
      const failing = { MEMORY_GATEWAY_DATABASE: address.replace('@', `:${PASSWORD}@`) };
      for (const args of [
        ['accounts', 'list'],
        ['verify'],
        ['import', '-'],
        ['export'],
        ['migrate'],
      ]) {
        const { code, stdout, stderr } = await runProcess(args, { env: failing });
        assert.deepEqual([code, stdout], [1, ''], `${args.join(' ')} of ${address}: ${stderr}`);
        assert.match(stderr, /^memory-gateway: [^\n]+\n$/);
        assert.ok(!stderr.includes(PASSWORD), stderr);
      }
    }
  });

  it('is not shown by the seed script, which creates a new password in an empty database', async (t) => {
    const database = engine.create(t, '');
    const client = new Client(database);
    await client.connect();
    await client.query('DROP SCHEMA memory_gateway CASCADE');
    await client.end();
    const seed = {
      script: 'scripts/seed.ts',
      env: { MEMORY_GATEWAY_DATABASE: withPassword(database) },
    };
    for (const keys of [3, 3]) {
      const { code, stdout, stderr } = await runProcess(
        ['--accounts', '2', '--memories', '20'],
        seed,
      );
      assert.equal(code, 0, stderr);
      assert.equal(stdout.match(/ {2}(active|revoked|expired) /g)?.length, 2 * keys);
      assert.ok(!stdout.includes(PASSWORD));
    }
    const { stdout } = await runProcess(['accounts', 'create', 'Mine', '--database', database]);
    assert.notEqual(stdout, '');
    const other = await runProcess(['--memories', '1'], seed);
    assert.equal(other.code, 1);
    assert.match(
      other.stderr,
      /was not made by the seed, so it was not changed; name another database\./,
    );
    assert.ok(!other.stderr.includes(PASSWORD));
  });
});
