// accounts delete, accounts rename and keys relabel: an account leaves nothing behind, and other accounts keep everything.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { describe, it, type TestContext } from 'node:test';

import { toStored } from '../../src/embeddings/numbers.ts';
import { engineOf } from '../../src/store/engines.ts';
import { addGrant } from '../support/connect/add-grant.ts';
import { appAddress } from '../support/engines/database-addresses.ts';
import { engine, onlyFiles } from '../support/engines/engine.ts';
import { send } from '../support/wire/wire.ts';
import { PROGRAM_WORDS, run } from '../support/world/program.ts';
import { createWorld, memories, memory } from '../support/world/world.ts';

const TABLES =
  `memories changes change_epochs search_weeks api_keys sources source_memories watched_files
  vector_signs vector_values deleted_memories
  sessions sign_in_links challenges passkeys passwords account_events grants grant_tokens`.split(
    /\s+/,
  );
const NO_TERMINAL = existsSync('/usr/bin/script') ? false : 'needs script(1) for a terminal';

/** Two accounts with memories and with a row in every other table, which have the same ids as far as possible. */
async function createTwo(t: TestContext) {
  const world = await createWorld(t);
  const app = await engineOf(appAddress(world.database)).openApp();
  t.after(() => app.close());
  const keys: Record<string, string> = {};
  for (const id of ['mira', 'bo']) {
    keys[id] = world.addAccount(id, [
      ...memories(3),
      memory({ id: 'secret', transcript: `${id}: Quokkas of ${id}.` }),
    ]);
    const of = { account_id: id, agent: 'Firefox on Linux' };
    await app.sessions.create({ ...of, way: 'link', is_short: false });
    await app.links.create(id, of.agent);
    await app.challenges.create(id);
    await app.passwords.set({ ...of, hash: 'scrypt' });
    const public_key = { public_key: 'abc', algorithm: -7, sign_count: 0 };
    await app.passkeys.add({ ...of, id: `key-of-${id}`, label: 'Phone', ...public_key });
    await addGrant(app, { account_id: id });
    world.writer.memories.put(id, memory({ id: 'gone' }));
    await world.writer.bin.put({ account_id: id, ids: ['gone'], agent: of.agent });
    const kind = { account_id: id, model: 'test', cut: 1 };
    for (const pending of world.writer.vectors.pending({ ...kind, after: '', limit: 10 }))
      world.writer.vectors.put({
        ...kind,
        ...toStored([[1, -2, 3, -4, 5, -6, 7, -8]]),
        memory_id: pending.id,
        body_sha256: pending.body_sha256,
      });
    engine.edit(
      world.database,
      `INSERT INTO sources (account_id, name, kind, settings, state, run, started_at, active_at)
         VALUES ('${id}', 's', 'pull', '{}', '{}', '01a2b3c4-d5e6-7f80-9a1b-2c3d4e5f6071', 0, 0);
       INSERT INTO source_memories VALUES ('${id}', 's', 'm000', '0');
       INSERT INTO watched_files VALUES ('${id}', 's', '/a', 0, 0, '', 'imported', NULL, 0)`,
    );
  }
  const rowsOf = (id: string) =>
    TABLES.map((table) => {
      const sql = `SELECT count(*) AS n FROM ${table} WHERE account_id = '${id}'`;
      return [table, Number(engine.edit(world.database, sql)[0]?.['n'])] as const;
    });
  const remove = (...args: string[]) =>
    run(['accounts', 'delete', ...args, '--database', world.database]);
  return { world, keys, rowsOf, remove };
}

function filesOf(database: string): string {
  return ['', '-wal'].map((end) => readFileSync(database + end, 'latin1')).join('');
}

describe('accounts delete', () => {
  it('leaves no row of the account in any table, and every row of another account', async (t) => {
    const { world, keys, rowsOf, remove } = await createTwo(t);
    const others = rowsOf('bo');
    assert.ok(others.every(([, count]) => count > 0));
    assert.deepEqual(rowsOf('mira'), others);
    const { code, stdout } = await remove('mira', '--yes', '--json');
    assert.deepEqual(
      [code, JSON.parse(stdout)],
      [0, { id: 'mira', name: 'Account mira', memories: 4, keys: 1, erased: !onlyFiles }],
    );
    assert.deepEqual(
      rowsOf('mira'),
      TABLES.map((table) => [table, 0]),
    );
    assert.deepEqual(rowsOf('bo'), others);
    const status = async (id: string) =>
      (await send(world.port, { key: keys[id] ?? '', path: '/v1/memories' })).status;
    assert.deepEqual([await status('mira'), await status('bo')], [401, 200]);
    const { stdout: verified, code: isWell } = await run(['verify', '--database', world.database]);
    assert.equal(isWell, 0, verified);
  });

  it('leaves none of its words in the file', { skip: onlyFiles }, async (t) => {
    const { world, remove } = await createTwo(t);
    assert.ok(filesOf(world.database).includes('Quokkas of mira'));
    assert.equal((await remove('mira', '--yes')).code, 0);
    assert.ok(!filesOf(world.database).includes('Quokkas of mira'));
    assert.ok(filesOf(world.database).includes('Quokkas of bo'));
  });

  it('can be followed by an account of the same id, which has nothing of the first one', async (t) => {
    const { world, keys, remove } = await createTwo(t);
    const old = await world.gateway.as('mira').changes.page();
    await remove('mira', '--yes');
    const key = world.addAccount('mira', [memory({ id: 'new' })]);
    const ids = (await world.gateway.as('mira').memories.list({})).map(({ id }) => id);
    assert.deepEqual(ids, ['new']);
    const get = async (path: string, by: string) => send(world.port, { key: by, path });
    assert.equal((await get('/v1/memories', keys['mira'] ?? '')).status, 401);
    assert.equal((await get(`/v1/changes?since=${old.next}`, key)).status, 410);
  });

  it('is refused without --yes where there is no terminal, and for an unknown account', async (t) => {
    const { rowsOf, remove } = await createTwo(t);
    const before = rowsOf('mira');
    const refused = await remove('mira');
    assert.deepEqual([refused.code, refused.stdout], [2, '']);
    assert.match(refused.stderr, /deletes 4 memories and 1 key for good; add --yes/);
    const unknown = await remove('nobody', '--yes');
    assert.deepEqual([unknown.code, unknown.stdout], [1, '']);
    assert.match(unknown.stderr, /^memory-gateway: There is no account "nobody";/);
    assert.deepEqual(rowsOf('mira'), before);
  });

  it('asks for the name on a terminal', { skip: NO_TERMINAL }, async (t) => {
    const { world, rowsOf } = await createTwo(t);
    const command = [...PROGRAM_WORDS, 'accounts', 'delete', 'mira', '--database', world.database];
    const typed = async (name: string) => {
      const quoted = command.map((word) => `'${word}'`).join(' ');
      const child = spawn('script', ['-qec', quoted, '/dev/null']);
      let said = '';
      for await (const part of child.stdout) {
        said += String(part);
        if (said.includes('(Account mira): ') && child.stdin.writable) child.stdin.end(`${name}\n`);
      }
      return said;
    };
    assert.match(await typed('mira'), /This is another name; nothing was deleted\./);
    assert.ok(rowsOf('mira').every(([, count]) => count > 0));
    assert.match(await typed('Account mira'), /Account mira is deleted, with 4 memories and 1 key/);
    assert.ok(rowsOf('mira').every(([, count]) => count === 0));
  });
});

describe('accounts rename', () => {
  it('gives an account another name, and nothing else changes', async (t) => {
    const { world, keys, rowsOf } = await createTwo(t);
    const rename = (...args: string[]) =>
      run(['accounts', 'rename', ...args, '--database', world.database, '--json']);
    const read = () => send(world.port, { key: keys['mira'] ?? '', path: '/v1/memories' });
    const [before, rows] = [await read(), rowsOf('mira')];
    const { code, stdout } = await rename('mira', 'Mira Okafor-Lind');
    assert.deepEqual([code, JSON.parse(stdout)], [0, { id: 'mira', name: 'Mira Okafor-Lind' }]);
    const account = world.writer.accounts.list().find(({ id }) => id === 'mira');
    assert.equal(account?.name, 'Mira Okafor-Lind');
    const after = await read();
    assert.deepEqual([after.text, after.headers['etag']], [before.text, before.headers['etag']]);
    assert.deepEqual(rowsOf('mira'), rows);
    for (const [args, exit, says] of [
      [['nobody', 'A'], 1, /There is no account "nobody"/],
      [['mira', ' '], 2, /Give one ACCOUNT and one NAME\./],
      [['mira', 'a\u202eb'], 2, /NAME takes /],
      [['mira', 'Mira', 'Okafor'], 2, /in quotes if it has spaces/],
    ] as const) {
      const refused = await rename(...args);
      assert.equal(refused.code, exit);
      assert.match(refused.stderr, says);
    }
  });
});

describe('keys relabel', () => {
  it('gives a key another label, and the key works as before', async (t) => {
    const { world, keys } = await createTwo(t);
    const id = world.writer.keys.list('mira')[0]?.id ?? '';
    const relabel = (...args: string[]) =>
      run(['keys', 'relabel', ...args, '--database', world.database, '--json']);
    const { code, stdout } = await relabel(id, 'new laptop');
    assert.deepEqual([code, JSON.parse(stdout)], [0, { id, label: 'new laptop' }]);
    assert.deepEqual(
      world.writer.keys.list().map(({ account_id, label }) => `${account_id} ${label}`),
      ['bo test', 'mira new laptop'],
    );
    const { status } = await send(world.port, { key: keys['mira'] ?? '', path: '/v1/memories' });
    assert.equal(status, 200);
    assert.match(
      (await relabel('x', 'a')).stderr,
      /There is no key x; "keys list" shows their ids/,
    );
    assert.equal((await relabel(id, '')).code, 2);
  });
});

describe('keys list', () => {
  it('shows when a key was last used', async (t) => {
    const { world } = await createTwo(t);
    const list = async (...args: string[]) =>
      (await run(['keys', 'list', '--account', 'mira', ...args, '--database', world.database]))
        .stdout;
    assert.equal(JSON.parse(await list('--json'))[0].last_used_at, null);
    engine.edit(
      world.database,
      `UPDATE api_keys SET last_used_at = ${Date.parse('2026-11-18T17:42:10Z')}`,
    );
    assert.equal(JSON.parse(await list('--json'))[0].last_used_at, '2026-11-18T17:42:10.000Z');
    assert.match(await list(), /LAST USED\n.* 2026-11-18 17:42Z\n?$/);
  });
});
