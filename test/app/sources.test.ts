// Sources in the app: an owner enters the key of a product, the jobs pull with it, and nobody sees it again.

import assert from 'node:assert/strict';
import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';

import type { Sources } from '../../src/app/server/imports.ts';
import { createSources } from '../../src/cli/serve/jobs/app-sources.ts';
import { createAppWorld, jsonOf, NO_STORE, type TestBrowser } from '../support/app/app-world.ts';
import { engine, onlyFiles } from '../support/engines/engine.ts';
import { createLimitless } from '../support/sources/lifelogs.ts';
import { SECRET } from '../support/sources/pulls.ts';
import { assertFailure } from '../support/wire/response-shape.ts';
import { newFolder } from '../support/world/artifacts.ts';
import { run } from '../support/world/program.ts';

interface Shown {
  readonly id: string | null;
  readonly kind: string;
  readonly name: string;
  readonly every_minutes: number | null;
  readonly run: { readonly result: string; readonly added: number; problem: string | null } | null;
  readonly unread: readonly string[];
}

/** A gateway with one account, `ana`, whose app has sources, and a fake product. */
async function createPulling(t: TestContext, { accounts = 1, isTried = true } = {}) {
  const ready = Promise.withResolvers<Sources>();
  let looks = 0;
  const later: Sources = {
    products: async () => (await ready.promise).products(),
    prepare: async (wanted) => {
      const prepared = await (await ready.promise).prepare(wanted);
      return isTried ? prepared : { ...prepared, check: async () => null };
    },
    backTo: () => undefined,
    look: () => {
      looks++;
    },
  };
  const world = await createAppWorld(t, { app: { sources: later } });
  const { database } = world;
  ready.resolve(await createSources({ database, jobs: { look: () => {} } }));
  if (accounts === 1) world.writer.accounts.setDisabled('bo', true);
  const { source, product } = await createLimitless(t);
  const browser = await world.signIn();
  const wanted = { product: 'limitless', url: source.url, every_minutes: 60 };
  const pull = () =>
    run([
      'pull',
      'limitless',
      '--account=ana',
      `--url=${source.url}`,
      '--stored',
      `--database=${database}`,
    ]);
  return { ...world, browser, wanted, product, pull, looks: () => looks };
}

/** Looks once at a folder of `ana`. */
async function watchOnce(folder: string, database: string): Promise<void> {
  const on = ['--account', 'ana', '--database', database, '--settle', '0s'];
  const { code, stderr } = await run(['watch', folder, '--once', ...on]);
  assert.ok(code === 0 || code === 1, stderr);
}

async function sourcesOf(browser: TestBrowser): Promise<Shown[]> {
  const answer = await browser.get('/sources');
  assert.equal(answer.status, 200, answer.text);
  return jsonOf(answer)['sources'] as Shown[];
}

describe('A source in the app', { skip: onlyFiles }, () => {
  it('is added with a key, pulled with it, and shows what the last run did', async (t) => {
    const { browser, wanted, pull, looks } = await createPulling(t);
    assert.deepEqual(await sourcesOf(browser), []);
    assert.equal((await browser.post('/sources', { ...wanted, key: SECRET })).status, 200);
    assert.equal(looks(), 1, 'the jobs look at once');
    const { code, stderr } = await pull();
    assert.equal(code, 0, stderr);
    const [shown, ...others] = await sourcesOf(browser);
    assert.deepEqual(others, []);
    assert.equal(shown?.name, `limitless ${wanted.url}`);
    assert.equal(shown.every_minutes, 60);
    assert.deepEqual([shown.run?.result, shown.run?.added, shown.run?.problem], ['ok', 4, null]);
  });

  it('is changed without its key, which stays, and removed with it, while its memories stay', async (t) => {
    const { browser, wanted, pull, database } = await createPulling(t);
    await browser.post('/sources', { ...wanted, key: SECRET });
    assert.equal((await browser.post('/sources', { ...wanted, every_minutes: 15 })).status, 200);
    const [shown] = await sourcesOf(browser);
    assert.equal(shown?.every_minutes, 15);
    assert.equal((await pull()).code, 0);
    assert.equal((await browser.post(`/sources/${shown.id}/run`)).status, 204);
    assert.equal((await browser.delete(`/sources/${shown.id}`)).status, 204);
    assert.deepEqual(engine.edit(database, 'SELECT * FROM pulls'), []);
    const [left] = await sourcesOf(browser);
    assert.deepEqual([left?.id, left?.run?.added], [null, 4], 'what it did is still shown');
    const { code, stderr } = await pull();
    assert.equal(code, 1);
    assert.match(stderr, /Account ana has no source limitless .* add it on the page Sources\./);
  });

  it('tries a key before it is stored: a wrong one is refused, and what cannot be tried is said', async (t) => {
    const { browser, wanted, product, looks } = await createPulling(t);
    const wrong = await browser.post('/sources', { ...wanted, key: 'sk-wrong' });
    assertFailure(wrong, 422, '', NO_STORE);
    assert.match(wrong.text, /The product refuses this key \(401\); enter it as the product shows/);
    const none = { product: 'speakr', url: wanted.url, every_minutes: 60 };
    assert.match((await browser.post('/sources', none)).text, /Enter the key of this product/);
    assert.deepEqual([await sourcesOf(browser), looks()], [[], 0], 'nothing is stored');
    const added = await browser.post('/sources', { ...wanted, key: SECRET });
    assert.deepEqual(jsonOf(added), { unsure: null });
    const { length } = product.requests;
    assert.match(product.requests[length - 1]?.query.get('start') ?? '', /^20\d\d-/, 'only news');
    await browser.post('/sources', { ...wanted, every_minutes: 15 });
    assert.equal(product.requests.length, length, 'its interval says nothing about the key');
    assertFailure(await browser.post('/sources', { ...wanted, key: 'sk-x' }), 422, '', NO_STORE);
    const unsureOf = async (url: string) =>
      jsonOf(await browser.post('/sources', { ...wanted, url, key: SECRET }))['unsure'];
    const says = (why: string) =>
      `It is saved, but could not be tried, because its address ${why}. It is tried again by itself.`;
    assert.equal(await unsureOf('http://127.0.0.1:9'), says('cannot be reached now'));
    assert.equal(await unsureOf(`${wanted.url}/other`), says('answers with status 400'));
    assert.equal((await sourcesOf(browser)).length, 3, 'both are added');
  });

  it('says in one sentence what to do about a key that no longer works', async (t) => {
    const { browser, wanted, pull } = await createPulling(t, { isTried: false });
    await browser.post('/sources', { ...wanted, key: 'sk-revoked' });
    assert.equal((await pull()).code, 1);
    const [shown] = await sourcesOf(browser);
    assert.equal(shown?.run?.result, 'failed');
    assert.equal(
      shown.run.problem,
      'limitless refuses the key (401); enter a valid one on the page Sources, as the product shows it now.',
    );
    await browser.post('/sources', { ...wanted, key: SECRET });
    assert.equal((await pull()).code, 0, 'a new key replaces it');
  });

  it('is shown beside watched folders and sources that options pull', async (t) => {
    const { browser, database } = await createPulling(t);
    const folder = newFolder();
    await watchOnce(folder, database);
    const [shown] = await sourcesOf(browser);
    assert.deepEqual([shown?.kind, shown?.id, shown?.name], ['watch', null, folder]);
  });

  it('names the files that were not read, also after the next look', async (t) => {
    const { browser, database } = await createPulling(t);
    const folder = newFolder();
    writeFileSync(join(folder, 'a.json'), '{"a":');
    writeFileSync(join(folder, 'b.json'), '[]');
    for (let look = 0; look < 2; look++) await watchOnce(folder, database);
    const [shown] = await sourcesOf(browser);
    const unread = shown?.unread.toSorted() ?? [];
    assert.equal(unread.length, 2);
    assert.match(unread[0] ?? '', /^a\.json, item 1: it is not JSON, or breaks off; .*\.$/);
    assert.equal(unread[1], 'b.json: There is nothing to import in it.');
  });

  for (const [kind, says] of [
    ['watch', /^Nothing has looked at this folder since then; start the gateway or its watcher/],
    ['pull', /^This run was broken off; the next one continues where it was\.$/],
  ] as const)
    it(`tells that a ${kind} was killed, and shows no error of an earlier run while it is at work`, async (t) => {
      const { browser, database, wanted, pull } = await createPulling(t);
      await browser.post('/sources', { ...wanted, key: SECRET });
      await (kind === 'watch' ? watchOnce(newFolder(), database) : pull());
      const problemAfter = async (minutes: number) => {
        const at = Date.now() - minutes * 60_000;
        engine.edit(
          database,
          `UPDATE sources SET ended_at = NULL, result = NULL, error = 'Of before.', active_at = ${at}`,
        );
        const shown = (await sourcesOf(browser)).find((each) => each.kind === kind);
        const { stdout } = await run(['sources', 'list', '--database', database]);
        return { problem: shown?.run?.problem, isKilled: stdout.includes(' killed ') };
      };
      assert.deepEqual(await problemAfter(6), { problem: null, isKilled: false });
      const { problem, isKilled } = await problemAfter(60);
      assert.match(problem ?? '', says);
      assert.ok(isKilled);
    });

  it('cannot be set up wrongly', async (t) => {
    const { browser, wanted } = await createPulling(t);
    const cases: [object, RegExp][] = [
      [{ product: 'limitles', every_minutes: 60 }, /There is no such product; choose one/],
      [{ product: 'readai', every_minutes: 60, key: 'x' }, /There is no such product/],
      [{ product: 'bee', every_minutes: 60 }, /Enter an address such as/],
      [{ ...wanted, url: 'file:///etc/passwd', key: 'x' }, /Enter an address such as/],
      [{ ...wanted, url: 'http://me:pass@127.0.0.1', key: 'x' }, /Enter an address such as/],
      [wanted, /Enter the key of this product/],
      [{ ...wanted, key: 'two\nlines' }, /The credential in this field has characters/],
      [{ ...wanted, key: 'x-api-key: abc' }, /begins with the name of a header/],
      [{ ...wanted, key: 'x', every_minutes: 1 }, /minutes, from 5 to 43200/],
    ];
    for (const [body, says] of cases) {
      const answer = await browser.post('/sources', body);
      assertFailure(answer, 422, '', NO_STORE);
      assert.match(answer.text, says);
    }
    assert.deepEqual(await sourcesOf(browser), []);
  });
});

describe('The key of a source', { skip: onlyFiles }, () => {
  it('is in no response, log, export or backup, and not in the database in clear', async (t) => {
    const { browser, wanted, pull, database, log } = await createPulling(t);
    await browser.post('/sources', { ...wanted, key: SECRET });
    const pulled = await pull();
    const folder = newFolder();
    const backup = join(folder, 'backup.db');
    const on = ['--database', database];
    const texts = [
      pulled.stdout + pulled.stderr,
      JSON.stringify(log),
      ...(await Promise.all(
        ['/sources', '/events', '/me'].map(async (path) => (await browser.get(path)).text),
      )),
      (await run(['sources', 'list', '--json', ...on])).stdout,
      (await run(['export', '--account', 'ana', '--format', 'json', ...on])).stdout,
      (await run(['doctor', '--json', ...on])).stdout,
    ];
    assert.equal((await run(['backup', backup, ...on])).code, 0);
    for (const file of [backup, database, `${database}-wal`].filter(existsSync))
      texts.push(readFileSync(file, 'latin1'));
    for (const text of texts) assert.ok(!text.includes(SECRET), text.slice(0, 500));
    assert.equal(existsSync(`${backup}.key`), false, 'a backup has no key file');
    assert.equal(statSync(`${database}.key`).mode & 0o777, 0o600);
  });

  it('is opened for its own account and address only', async (t) => {
    const { browser, wanted, pull, database } = await createPulling(t);
    await browser.post('/sources', { ...wanted, key: SECRET });
    await browser.post('/sources', { ...wanted, url: 'http://127.0.0.1:9', key: 'sk-other' });
    engine.edit(
      database,
      `UPDATE pulls SET sealed_key = (SELECT sealed_key FROM pulls WHERE url = 'http://127.0.0.1:9')`,
    );
    const { code, stderr } = await pull();
    assert.equal(code, 1);
    assert.match(
      stderr,
      /The key of limitless .* cannot be opened, because .*\.key did not seal it/,
    );
  });

  it('needs its key file: without it, or with another, one sentence says so and everything else works', async (t) => {
    const { browser, wanted, pull, database, product } = await createPulling(t);
    const file = `${database}.key`;
    await browser.post('/sources', { ...wanted, key: SECRET });
    const kept = readFileSync(file);
    const { length } = product.requests;
    const broken: [() => void, RegExp][] = [
      [() => rmSync(file), /because there is no file .*\.key; enter the key again on the page/],
      [() => writeFileSync(file, 'x'.repeat(43), { mode: 0o600 }), /\.key did not seal it; enter/],
      [() => writeFileSync(file, 'short'), /\.key is not a key file of Memory Gateway; put/],
      [() => chmodSync(file, 0o644), /Other users can open the key file .*; run: chmod 600 /],
    ];
    for (const [damage, says] of broken) {
      damage();
      const { code, stderr } = await pull();
      assert.equal(code, 1);
      assert.match(stderr, says);
      const [shown] = await sourcesOf(browser);
      assert.match(shown?.run?.problem ?? '', says);
      assert.equal((await browser.get('/memories')).status, 200);
    }
    assert.equal(product.requests.length, length, 'nothing is sent without the key');
    rmSync(file);
    assert.equal((await browser.post('/sources', { ...wanted, key: SECRET })).status, 200);
    assert.notDeepEqual(readFileSync(file), kept, 'a new file seals the new key');
    assert.equal((await pull()).code, 0);
  });
});

describe('Sources are guarded', { skip: onlyFiles }, () => {
  it('against other accounts', async (t) => {
    const { browser, wanted, signIn } = await createPulling(t, {
      accounts: 2,
      isTried: false,
    });
    const limitless = { product: 'limitless', every_minutes: 60, key: SECRET };
    assert.equal((await browser.post('/sources', limitless)).status, 200);
    const [shown] = await sourcesOf(browser);
    const bo = await signIn('bo');
    assert.deepEqual(await sourcesOf(bo), []);
    assertFailure(await bo.post(`/sources/${shown?.id}/run`), 404, '', NO_STORE);
    assertFailure(await bo.delete(`/sources/${shown?.id}`), 404, '', NO_STORE);
    const refused = await bo.post('/sources', { ...wanted, key: SECRET });
    assertFailure(refused, 422, '', NO_STORE);
    assert.match(refused.text, /several accounts, so an address in its own network needs/);
    const local = await bo.post('/sources', { product: 'screenpipe', every_minutes: 60 });
    assertFailure(local, 422, '', NO_STORE);
    assert.equal((await sourcesOf(browser)).length, 1);
  });

  it('and go with their account', async (t) => {
    const { browser, wanted, database } = await createPulling(t);
    await browser.post('/sources', { ...wanted, key: SECRET });
    const { code, stderr } = await run([
      'accounts',
      'delete',
      'ana',
      '--yes',
      '--database',
      database,
    ]);
    assert.equal(code, 0, stderr);
    assert.deepEqual(engine.edit(database, 'SELECT * FROM pulls'), []);
  });
});
