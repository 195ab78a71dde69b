// The first visit: the link of the terminal names the first account, once.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';

import { createClaim } from '../../src/app/server/sign-in/claim.ts';
import { createAppWorld, jsonOf, NO_STORE } from '../support/app/app-world.ts';
import { assertFailure } from '../support/wire/response-shape.ts';
import { issued } from '../support/world/artifacts.ts';

/** A gateway whose first account is still to be named. The test's own accounts do not matter to a claim. */
async function createUnclaimed(t: TestContext) {
  const names: string[] = [];
  let canCreate = true;
  const { secret, claim } = createClaim(async (name) => {
    names.push(name);
    if (!canCreate) throw new Error('no space');
    return 'bo';
  });
  const world = await createAppWorld(t, { app: { claim } });
  const fail = (fails: boolean) => {
    canCreate = !fails;
  };
  return { ...world, secret: issued(secret), names, fail };
}

describe('The link of the first visit', () => {
  it('names the account, and leads to a sign-in', async (t) => {
    const { browser, secret, names } = await createUnclaimed(t);
    const visitor = browser();
    assert.equal((await visitor.post('/claims/look', { secret })).status, 204);
    const answer = await visitor.post('/claims', { secret, name: 'Mira Okafor' });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers['cache-control'], 'no-store');
    const link = { way: 'link', secret: issued(String(jsonOf(answer)['secret'])) };
    assert.equal((await visitor.post('/sessions', link)).status, 204);
    for (const token of visitor.jar.values()) issued(token);
    assert.deepEqual(jsonOf(await visitor.get('/me'))['account'], { id: 'bo', name: 'Account bo' });
    assert.deepEqual(names, ['Mira Okafor']);
  });

  it('works once, also with twenty attempts at the same time', async (t) => {
    const { browser, secret, names } = await createUnclaimed(t);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        browser().post('/claims', { secret, name: `Visitor ${n}` }),
      ),
    );
    const taken = answers.filter(({ status }) => status === 200);
    assert.equal(taken.length, 1);
    issued(String(jsonOf(taken[0]!)['secret']));
    assert.equal(names.length, 1);
    for (const answer of answers.filter(({ status }) => status !== 200))
      assert.match(assertFailure(answer, 401, '', NO_STORE), /the gateway printed last/);
    assertFailure(await browser().post('/claims/look', { secret }), 401, '', NO_STORE);
  });

  it('still works if the account could not be created', async (t) => {
    const { browser, secret, fail } = await createUnclaimed(t);
    fail(true);
    assert.equal((await browser().post('/claims', { secret, name: 'Mira' })).status, 500);
    fail(false);
    const answer = await browser().post('/claims', { secret, name: 'Mira' });
    assert.equal(answer.status, 200);
    issued(String(jsonOf(answer)['secret']));
  });

  it('is needed: no other secret, no link of an account and no other origin claims the gateway', async (t) => {
    const { browser, secret, link, names } = await createUnclaimed(t);
    const visitor = browser();
    for (const other of ['A'.repeat(43), await link('ana')]) {
      const body = { secret: other, name: 'Eve' };
      assertFailure(await visitor.post('/claims', body), 401, '', NO_STORE);
    }
    assertFailure(await visitor.post('/claims', { name: 'Eve' }), 422, '', NO_STORE);
    const foreign = { origin: 'http://evil.example' };
    const own = { secret, name: 'Eve' };
    assertFailure(await visitor.post('/claims', own, foreign), 403, '', NO_STORE);
    for (const name of ['', ' ', 'a\nb', 'x'.repeat(201)])
      assertFailure(await visitor.post('/claims', { secret, name }), 422, '', NO_STORE);
    assert.deepEqual(names, []);
  });

  it('does not exist at a gateway that has an account', async (t) => {
    const { browser } = await createAppWorld(t);
    const body = { secret: 'A'.repeat(43), name: 'Eve' };
    assertFailure(await browser().post('/claims', body), 401, '', NO_STORE);
  });
});
