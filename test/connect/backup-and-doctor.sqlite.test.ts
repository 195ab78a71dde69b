// Grants in files: a backup has none, a restore ends them, and doctor and verify look at them.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import { hashSecret } from '../../src/store/app/access.ts';
import { addGrant } from '../support/connect/add-grant.ts';
import { engine } from '../support/engines/engine.ts';
import { createApp, DAY } from '../support/world/app-store.ts';
import { newFolder } from '../support/world/artifacts.ts';
import { run } from '../support/world/program.ts';

const TABLES = ['grants', 'grant_tokens', 'oauth_clients'];
const ID = '01a2b3c4-d5e6-7f80-9a1b-2c3d4e5f6071';

const count = (database: string) =>
  TABLES.map((table) => engine.edit(database, `SELECT * FROM ${table}`).length);

describe('Grants', () => {
  it('are in no backup, and not even the hashes of their tokens are in its bytes', async (t) => {
    const { database, app } = await createApp(t);
    const { token } = await addGrant(app);
    await app.oauthClients.create({ id: ID, metadata: '{}' });
    const backup = join(newFolder(), 'backup.db');
    const { code, stderr } = await run(['backup', backup, '--database', database]);
    assert.equal(code, 0, stderr);
    assert.deepEqual(count(backup), [0, 0, 0]);
    assert.deepEqual(count(database), [1, 1, 1], 'a backup ends nothing');
    const own = [database, `${database}-wal`].filter(existsSync).map((path) => readFileSync(path));
    const bytes = hashSecret(token);
    assert.ok(Buffer.concat(own).includes(bytes), 'the database itself has the hash');
    assert.ok(!readFileSync(backup).includes(bytes));
  });

  it('end with a restore, and one that was revoked does not come back, not even from a safety copy', async (t) => {
    const { database, app } = await createApp(t);
    const backup = join(newFolder(), 'backup.db');
    assert.equal((await run(['backup', backup, '--database', database])).code, 0);
    const { grant, token } = await addGrant(app);
    await app.oauthClients.create({ id: ID, metadata: '{}' });
    const restored = await run(['restore', backup, '--json', '--database', database]);
    assert.equal(restored.code, 0, restored.stderr);
    assert.equal(await app.grants.findByToken(hashSecret(token)), undefined);
    assert.equal(await app.grants.get(grant.id), undefined);
    const { kept } = JSON.parse(restored.stdout);
    assert.deepEqual(count(kept), [1, 1, 1], 'the safety copy is the database as it was');
    assert.equal((await run(['restore', kept, '--database', database])).code, 0);
    assert.deepEqual(count(database), [0, 0, 0]);
  });

  it('are counted by doctor, with those that nobody has used for 90 days', async (t) => {
    const { database, app } = await createApp(t);
    const facts = async () =>
      JSON.parse((await run(['doctor', '--json', '--database', database])).stdout).facts;
    const line = async () =>
      /^grants +(.*)$/m.exec((await run(['doctor', '--database', database])).stdout)?.[1];
    assert.deepEqual((await facts()).grants, { active: 0, unused: 0 });
    assert.equal(await line(), undefined);
    const now = Date.now();
    await addGrant(app);
    const { grant: used } = await addGrant(app, { account_id: 'bo' });
    const { grant: unused } = await addGrant(app);
    await addGrant(app, { account_id: 'bo', expires_at: now });
    engine.edit(
      database,
      `UPDATE grants SET created_at = ${now - 91 * DAY} WHERE id IN ('${used.id}', '${unused.id}')`,
    );
    await app.grants.recordUse(new Map([[used.id, now - 89 * DAY]]));
    assert.deepEqual((await facts()).grants, { active: 3, unused: 1 });
    assert.equal(await line(), '3 active, 1 not used for 90 days');
  });

  const damage: Record<string, [sql: string, says: RegExp]> = {
    'a grant to read something unknown': [
      `PRAGMA ignore_check_constraints = ON; UPDATE grants SET reads = 'most'`,
      /Grant [\da-f-]{36} of account ana has an invalid value in reads; restore a backup\./,
    ],
    'a token that is not a hash': [
      `PRAGMA ignore_check_constraints = ON; UPDATE grant_tokens SET token_sha256 = 'x'`,
      /A token of grant [\da-f-]{36} has an invalid value in token_sha256; restore a backup\./,
    ],
    'a token of a grant that is gone': [
      `PRAGMA foreign_keys = OFF; DELETE FROM grants`,
      /grant_tokens/,
    ],
    'a registered client without its metadata': [
      `UPDATE oauth_clients SET metadata = '{'`,
      /Registered client [\da-f-]{36} has an invalid value in metadata; restore a backup\./,
    ],
  };
  for (const [what, [sql, says]] of Object.entries(damage))
    it(`are verified: ${what} is found`, async (t) => {
      const { database, app } = await createApp(t);
      await addGrant(app);
      await app.oauthClients.create({ id: ID, metadata: '{}' });
      assert.equal((await run(['verify', '--database', database])).code, 0);
      engine.edit(database, sql);
      const { code, stdout, stderr } = await run(['verify', '--database', database]);
      assert.equal(code, 1);
      assert.match(stdout + stderr, says);
    });
});
