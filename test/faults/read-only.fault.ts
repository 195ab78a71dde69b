// A read-only mount, as a user who is not root: every command says in a sentence what it lacks, and a running server goes on.

import assert from 'node:assert/strict';
import { chmodSync, chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { createDatabase } from '../../src/store/sqlite/writer.ts';
import { lock, NO_READ_ONLY } from '../support/damage/full-disk.ts';
import { serveAlone } from '../support/processes/serve-process.ts';
import { send } from '../support/wire/wire.ts';
import { issued } from '../support/world/artifacts.ts';
import { runProcess, stop } from '../support/world/program.ts';
import { memories } from '../support/world/world.ts';

const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;

/** Starts a program as a user without rights. Tests that are not run as root have such a user already. */
const under = isRoot
  ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', '--no-new-privs']
  : [];

/** A database that belongs to the user who runs the program, in a folder that others can reach. */
function createScene(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'memory-gateway-mount-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const database = join(folder, 'memories.db');
  let key = '';
  createDatabase(database, (writer) => {
    writer.accounts.create({ id: 'ana', name: 'Ana', created_by: 'command line' });
    writer.memories.putAll('ana', memories(5));
    ({ key } = writer.keys.create({ account_id: 'ana', label: 'test', expires_at: null }));
  });
  const files = readdirSync(folder).map((name) => join(folder, name));
  if (isRoot) for (const path of [folder, ...files]) chownSync(path, NOBODY, NOBODY);
  return { folder, database, key: issued(key) };
}

/** What a user runs who reads or writes a database. */
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  verify: ['verify'],
  backup: ['backup', 'FOLDER/backup.db'],
  export: ['export'],
  import: ['import', '-'],
  delete: ['memories', 'delete', 'm001', '--account', 'ana'],
  keys: ['keys', 'create', '--account', 'ana', '--label', 'new'],
  serve: ['serve', '--port', '0'],
};

describe('A database on a read-only mount', { skip: NO_READ_ONLY }, () => {
  it('is refused by every command in one sentence, and healthy when it can be written again', async (t) => {
    const { folder, database } = createScene(t);
    const elsewhere = mkdtempSync(join(tmpdir(), 'memory-gateway-mount-'));
    t.after(() => rmSync(elsewhere, { recursive: true }));
    chmodSync(elsewhere, 0o777);
    const unlock = lock(t, folder);
    for (const [name, words] of Object.entries(COMMANDS)) {
      const args = words.map((word) => word.replace('FOLDER', elsewhere));
      const { code, stdout, stderr } = await runProcess([...args, '--database', database], {
        under,
      });
      assert.deepEqual([code, stdout], [1, ''], `${name}: ${stderr}`);
      assert.match(stderr, /^memory-gateway: [^\n]*needs permission[^\n]*\.\n$/, name);
    }
    assert.deepEqual(readdirSync(folder), ['memories.db']);
    assert.deepEqual(readdirSync(elsewhere), []);
    unlock();
    const { code, stderr } = await runProcess(['verify', '--database', database], { under });
    assert.deepEqual([code, stderr], [0, '']);
  });

  it('is served on if the mount turns read-only', async (t) => {
    const { folder, database, key } = createScene(t);
    const { child, port } = await serveAlone(t, database, [], { under });
    const statusOf = async (path: string) => (await send(port, { path, key })).status;
    assert.equal(await statusOf('/v1/memories'), 200);
    const unlock = lock(t, folder);
    await sleep(1500); // so that it has looked
    for (const path of ['/v1/memories', '/v1/memories/m001', '/v1/changes', '/readyz'])
      assert.equal(await statusOf(path), 200, path);
    unlock();
    assert.equal(await stop(child), 0);
  });
});
