// The end of an account in the app: behind a fresh sign-in and its name, by a process of its own, and nothing is left.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, it, type TestContext } from 'node:test';

import { OWNED_TABLES } from '../../src/store/sql/tables/account-tables.ts';
import { createAppWorld, jsonOf, NO_STORE } from '../support/app/app-world.ts';
import { createLaterChanges, type LaterChangesOptions } from '../support/app/later-changes.ts';
import { engine } from '../support/engines/engine.ts';
import { assertFailure } from '../support/wire/response-shape.ts';
import { send } from '../support/wire/wire.ts';
import { issued } from '../support/world/artifacts.ts';
import { memory } from '../support/world/world.ts';

const MARK = 'quetzalcoatlus';

/** A gateway whose app deletes, with an account that has something in many tables. */
async function createErasing(t: TestContext, options?: LaterChangesOptions) {
  const { changes, said, open } = createLaterChanges(t, options);
  const world = await createAppWorld(t, { app: { changes, keyLog: true } });
  open(world.database);
  world.writer.memories.putAll('ana', [memory({ id: 'marked', transcript: `Ana: ${MARK}` })]);
  const countOf = (table: string, id: string) =>
    Number(
      engine.edit(
        world.database,
        `SELECT count(*) AS n FROM ${table} WHERE ${table === 'accounts' ? 'id' : 'account_id'} = '${id}'`,
      )[0]?.['n'],
    );
  return { ...world, said, countOf };
}

const TABLES = ['accounts', 'memories', ...OWNED_TABLES];

describe('Erasing an account in the app', () => {
  it('leaves nothing of it, and everything of the others', async (t) => {
    const { signIn, port, keys, database, countOf } = await createErasing(t);
    const [ana, bo] = [await signIn(), await signIn('bo')];
    const { key } = jsonOf(await ana.post('/keys', { label: 'laptop', expires_at: null }));
    issued(String(key));
    await send(port, { key: keys.ana });
    await ana.post('/edits', { memory_id: 'one', name: 'Another name' });
    await ana.post('/deletions', { ids: ['one'] });
    const before = TABLES.map((table) => countOf(table, 'bo'));
    assert.ok(TABLES.filter((table) => countOf(table, 'ana') > 0).length > 8);

    const { account } = jsonOf(await ana.get('/me')) as { account: { name: string } };
    const erased = await ana.post('/me/erase', { name: account.name });
    assert.equal(erased.status, 204, erased.text);
    assert.equal(ana.jar.size, 0, 'the cookie is removed');
    assert.deepEqual(
      TABLES.filter((table) => countOf(table, 'ana') > 0),
      [],
    );
    assert.deepEqual(
      TABLES.map((table) => countOf(table, 'bo')),
      before,
    );
    assert.equal((await send(port, { key: keys.ana })).status, 401);
    assert.equal((await send(port, { key: keys.bo })).status, 200);
    assert.equal((await bo.get('/me')).status, 200);
    if (engine.name !== 'SQLite') return;
    for (const file of [database, `${database}-wal`].filter(existsSync))
      assert.equal(readFileSync(file).includes(MARK), false, file);
  });

  it('needs a sign-in of the last ten minutes, the name, and an app that may write', async (t) => {
    const { signIn, countOf, withStore, browser } = await createErasing(t);
    const ana = await signIn();
    for (const name of ['Somebody', 'ana ana'])
      assertFailure(await ana.post('/me/erase', { name }), 422, name, NO_STORE);
    const { account } = jsonOf(await ana.get('/me')) as { account: { name: string } };
    // A link of a browser that was left open is as old as the sign-in there.
    const { secret } = await withStore(({ links }) =>
      links.create('ana', 'test', Date.now() - 601_000),
    );
    const old = browser();
    await old.post('/sessions', { way: 'link', secret: issued(secret) });
    for (const token of old.jar.values()) issued(token);
    const answer = await old.post('/me/erase', { name: account.name });
    const late = assertFailure(answer, 409, '', NO_STORE);
    assert.match(late, /needs a sign-in of the last 10 minutes/);
    assert.equal(countOf('accounts', 'ana'), 1);
  });

  it('erases no other account that has its id as a name, also if it is asked for twice at once', async (t) => {
    const { signIn, countOf, database } = await createErasing(t);
    const ana = await signIn();
    const { account } = jsonOf(await ana.get('/me')) as { account: { name: string } };
    engine.edit(database, "UPDATE accounts SET name = 'ana' WHERE id = 'bo'");
    const before = TABLES.map((table) => countOf(table, 'bo'));
    const erasing = () => ana.post('/me/erase', { name: account.name });
    const answers = await Promise.all([erasing(), erasing()]);
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
      [204, 401],
    );
    assert.equal(countOf('accounts', 'ana'), 0);
    assert.deepEqual(
      TABLES.map((table) => countOf(table, 'bo')),
      before,
    );
  });
});
