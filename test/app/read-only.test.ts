// A database that the app cannot write: who is signed in reads on, and every change is a 503 that says so.

import assert from 'node:assert/strict';
import { dirname } from 'node:path';
import { describe, it, type TestContext } from 'node:test';

import { connectGateway, createServer } from '../../src/index.ts';
import {
  createAppWorld,
  jsonOf,
  listOf,
  NO_STORE,
  type AppWorld,
} from '../support/app/app-world.ts';
import { lock, NO_READ_ONLY } from '../support/damage/full-disk.ts';
import { appAddress, readerAddress } from '../support/engines/database-addresses.ts';
import { engine, onlyFiles, onlyPostgres } from '../support/engines/engine.ts';
import { assertFailure } from '../support/wire/response-shape.ts';
import { send } from '../support/wire/wire.ts';
import { issued } from '../support/world/artifacts.ts';
import { listen } from '../support/world/server-in-process.ts';

const CANNOT_WRITE =
  /^The app cannot write to the database of this gateway, so nothing was changed/;

const NOT_READABLE = /^This gateway may not read the sessions in its database, .*memory_app/;

/** Serves a database of PostgreSQL once more, and moves the cookies of a browser to the new port. */
async function serveAgain(t: TestContext, address: string, jar: ReadonlyMap<string, string>) {
  const gateway = await connectGateway({ database: address, app: {} });
  t.after(() => gateway.close());
  const port = await listen(t, createServer(gateway.listener));
  const moved = Array.from(jar.values(), (token) => [`memories_${port}`, token] as const);
  return { port, jar: new Map(moved) };
}

/** Lets nobody write to the database of a world any more. Returns how to reach the gateway. */
async function forbidWrites(
  t: TestContext,
  { database, port }: AppWorld,
  jar: Map<string, string>,
) {
  if (onlyFiles === false) {
    lock(t, dirname(database));
    return { port, jar };
  }
  const name = new URL(database).pathname.slice(1);
  engine.edit(
    database,
    `ALTER ROLE memory_app IN DATABASE "${name}" SET default_transaction_read_only = on`,
  );
  return serveAgain(t, appAddress(database), jar);
}

describe('A database that cannot be written', () => {
  it(
    'is read by who is signed in, and every change is refused in one sentence',
    { skip: onlyFiles === false && NO_READ_ONLY },
    async (t) => {
      const world = await createAppWorld(t);
      const first = await world.signIn();
      const key = jsonOf(await first.post('/keys', { label: 'x', expires_at: null }));
      issued(String(key['key']));
      const secret = await world.link('bo');
      const browser = world.browser(await forbidWrites(t, world, first.jar));
      const me = jsonOf(await browser.get('/me'));
      assert.deepEqual([me['can_write'], me['records_last_use']], [false, false]);
      assert.equal((await browser.get('/memories/one')).status, 200);
      const keys = listOf(await browser.get('/keys'));
      const id = String(key['id']);
      for (const [what, answer] of Object.entries({
        'sign in': await browser.post('/sessions', { way: 'link', secret }),
        'sign out': await browser.delete('/sessions/current'),
        'end others': await browser.delete('/sessions'),
        'create a link': await browser.post('/links'),
        'create a key': await browser.post('/keys', { label: 'y', expires_at: null }),
        'rotate a key': await browser.post(`/keys/${id}/rotate`, { grace: 0 }),
        'revoke a key': await browser.delete(`/keys/${id}`),
        'set a password': await browser.post('/password', { password: 'a tram that sleeps' }),
      }))
        assert.match(assertFailure(answer, 503, what, NO_STORE), CANNOT_WRITE, what);
      assert.deepEqual(listOf(await browser.get('/keys')), keys);
      assert.equal(listOf(await browser.get('/sessions')).length, 1);
    },
  );

  it(
    'as the read-only user has /v1, and the app says what it lacks',
    { skip: onlyPostgres },
    async (t) => {
      const world = await createAppWorld(t);
      const { jar } = await world.signIn();
      const secret = await world.link('ana');
      const again = await serveAgain(t, readerAddress(world.database), jar);
      const browser = world.browser(again);
      const body = { way: 'link', secret };
      for (const [what, answer] of Object.entries({
        'the account': await browser.get('/me'),
        'the ways to sign in': await world.browser({ port: again.port }).get('/ways'),
        'a sign-in': await browser.post('/sessions', body),
      }))
        assert.match(assertFailure(answer, 503, what, NO_STORE), NOT_READABLE, what);
      const signIn = await world.browser({ port: again.port }).post('/sessions', body);
      assert.match(assertFailure(signIn, 503, '', NO_STORE), CANNOT_WRITE);
      const memories = await browser.get('/memories');
      assert.equal(memories.status, 503);
      assert.match(memories.text, /may not read the sessions/);
      assert.equal((await send(again.port, { key: world.keys.ana })).status, 200);
    },
  );
});
