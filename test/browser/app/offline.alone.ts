// The pages of the app without a connection: what has been read stays readable, and the rest says why it is not there.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { hueOf } from '../../../src/text/hues.ts';
import { createLaterChanges } from '../../support/app/later-changes.ts';
import type { ServedApp } from '../../support/world/app.ts';
import { lastIfShort } from '../../support/world/thorough.ts';
import { memory } from '../../support/world/world.ts';
import { checkScreen, openReader, put, serve, signIn, skip, type Reader } from './page.ts';

const HOUR_MS = 3_600_000;

/** How a connection ends and comes back. */
const LOSSES: readonly {
  readonly name: string;
  readonly lose: (reader: Reader, app: ServedApp) => Promise<void>;
  readonly find: (reader: Reader, app: ServedApp) => Promise<void>;
}[] = [
  {
    name: 'the computer is offline',
    lose: ({ context }) => context.setOffline(true),
    find: ({ context }) => context.setOffline(false),
  },
  {
    name: 'the gateway is stopped',
    lose: (_, app) => app.stop(),
    find: (_, app) => app.restart(),
  },
];

/** Returns whether the browser has cached a response for the session that it has now. */
async function isKept(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { cache: 'only-if-cached', mode: 'same-origin' });
    return (await response.text()) !== '';
  } catch {
    return false;
  }
}

describe('The app without a connection', { skip, timeout: 300_000 }, () => {
  it('says so at once, and shows a screen whose script was not loaded as soon as it is back', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t, { expects: /ERR_/ });
    const { page, context, faults } = reader;
    const scripts = /\/reader-screen-[^/]*\.js$/;
    await context.route(scripts, (route) => route.abort());
    await signIn(reader, app);
    const row = page.getByRole('link', { name: /Voice memo/ });
    await row.waitFor();
    await context.setOffline(true);
    const bar = page.getByText('No connection. Trying again');
    await bar.waitFor();
    await row.click();
    await page.getByRole('heading', { name: 'This page cannot be loaded' }).waitFor();
    await context.unroute(scripts);
    await context.setOffline(false);
    await page.locator('#L1').waitFor();
    await bar.waitFor({ state: 'hidden' });
    assert.deepEqual(faults, []);
  });

  it('waits for the gateway if only a script shows that there is no connection', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t, { expects: /ERR_/ });
    const { page, faults } = reader;
    await reader.context.route(/\/reader-screen-[^/]*\.js$/, (route) => route.abort());
    await signIn(reader, app);
    const row = page.getByRole('link', { name: /Voice memo/ });
    await row.waitFor();
    await app.stop();
    await reader.context.unrouteAll();
    await row.click();
    await page.getByText('No connection. Trying again').waitFor();
    await app.restart();
    await page.locator('#L1').waitFor({ timeout: 60_000 });
    assert.deepEqual(faults, []);
  });

  it('says of what was pressed that it was not done, moves nothing, and does it when it is pressed again', async (t) => {
    const { changes, open } = createLaterChanges(t);
    const app = await serve(t, { app: { changes } });
    open(app.database);
    const reader = await openReader(t, { expects: /ERR_/ });
    const { page, faults } = reader;
    await signIn(reader, app);
    const row = page.getByRole('link', { name: /Voice memo/ });
    await row.click();
    await page.locator('#L1').waitFor();
    const bar = page.locator('.reader-bar');
    const height = await bar.evaluate((element) => element.clientHeight);
    const rename = async (name: string) => {
      await bar.getByRole('button', { name: 'More' }).click();
      await page.getByRole('button', { name: 'Rename' }).click();
      await page.getByRole('textbox', { name: 'Name' }).fill(name);
      await page.getByRole('button', { name: 'Save' }).click();
    };
    await rename('Milk');
    const undo = page.getByRole('button', { name: 'Undo' });
    await undo.waitFor();
    await app.stop();

    const refusal = page.getByText('This was not done, because there is no connection.');
    const star = bar.getByRole('button', { name: 'Star' });
    await star.click();
    await refusal.waitFor();
    assert.equal(await star.getAttribute('aria-pressed'), 'false');
    assert.equal(await bar.evaluate((element) => element.clientHeight), height);
    await checkScreen(page, 'an action that was not done');
    await undo.click();
    await refusal.waitFor();
    await bar.getByRole('button', { name: 'More' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('Deleting…').waitFor({ state: 'hidden' });
    await refusal.waitFor();
    await page.getByText('Memory changed.').waitFor(); // it can still be undone
    await page.getByRole('heading', { name: 'Milk', level: 1 }).waitFor();
    await rename('Oat milk');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('This was not done').waitFor();

    await app.restart();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Oat milk', level: 1 }).waitFor();
    await star.click();
    await bar.locator('[aria-pressed=true]').waitFor();
    assert.equal(await refusal.count(), 0);
    await undo.click();
    await page.getByRole('heading', { name: 'Milk', level: 1 }).waitFor();
    assert.deepEqual(faults, []);
  });

  it('says of a memory that is back from the bin that it opens later, and not that it was deleted', async (t) => {
    const { changes, open } = createLaterChanges(t);
    const app = await serve(t, { app: { changes } });
    open(app.database);
    const reader = await openReader(t, { expects: /ERR_|status of 404/ });
    const { page, faults } = reader;
    await signIn(reader, app, { path: 'm/2026-11-18-memo-milk' });
    await page.locator('#L1').waitFor();
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('“Voice memo” moved to the bin.').waitFor();
    await page.goto(app.at('m/2026-11-18-memo-milk'));
    await page.getByText('In the bin until').waitFor();
    await page.getByRole('link', { name: 'bin', exact: true }).click();
    await page.getByRole('button', { name: 'Restore', exact: true }).click();
    await page.getByRole('link', { name: 'Memories' }).first().click();
    const row = page.locator('a[href$="2026-11-18-memo-milk"]').first();
    await row.waitFor();
    await app.stop();
    await page.locator('.row.pale', { hasText: 'Voice memo' }).waitFor();
    await row.click();
    await page.getByText('This opens when the connection is back.').waitFor();
    await page.getByRole('heading', { name: 'Voice memo', level: 1 }).waitFor();
    assert.deepEqual(faults, []);
  });

  it('says of a change only that there was one, until the log is there to say which', async (t) => {
    const { changes, open } = createLaterChanges(t);
    const app = await serve(t, { app: { changes } });
    open(app.database);
    const reader = await openReader(t, { expects: /ERR_/ });
    const { page, faults } = reader;
    await signIn(reader, app, { path: 'm/2026-11-18-memo-milk' });
    await page.locator('#L1').waitFor();
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Milk');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    const toChanges = () => page.getByRole('link', { name: /^Changes/ }).click();
    await toChanges();
    const renamed = page.locator('.change', { hasText: 'Renamed from “Voice memo”' });
    await renamed.waitFor();
    await page.goto(app.at());
    await page.locator('.row').first().waitFor();
    await app.stop();
    await toChanges();
    await page.getByRole('button', { name: /^\d+ memories changed$/ }).waitFor();
    assert.doesNotMatch(await page.locator('.changes').innerText(), /imported|renamed/i);
    await app.restart();
    await renamed.waitFor({ timeout: 60_000 });
    assert.deepEqual(faults, []);
  });

  for (const { prefix, theme } of lastIfShort([
    { prefix: '', theme: 'light' },
    { prefix: '/some/prefix', theme: 'dark' },
  ] as const))
    it(`opens with what its session has read, and otherwise as a page in ${theme} colours that comes back by itself, at ${prefix}/app/`, async (t) => {
      const app = await serve(t, { prefix });
      const reader = await openReader(t, { expects: /ERR_|status of 503/ });
      const { page, faults } = reader;
      await signIn(reader, app, { path: 'settings/reading' });
      await page.getByLabel(theme === 'dark' ? 'Dark' : 'Light').check();
      // By the name alone it is another colour: that one belongs to somebody in more memories.
      put(app, memory({ id: 'lucia', transcript: 'Lucía: Yes.' }));
      await page.goto(app.at('m/lucia'));
      await page.locator('#L1').waitFor();
      const hue = () => page.locator('.speaker').getAttribute('class');
      const before = await hue();
      assert.notEqual(before, `speaker hue-${hueOf('Lucía')}`);
      await page.goto(app.at('m/2026-11-19-standup?q=milk#L2'));
      await page.locator('#L2').waitFor();
      const scope = await page.evaluate(async () => (await navigator.serviceWorker.ready).scope);
      assert.equal(scope, app.at());
      await page.reload();
      await page.locator('#L2').waitFor();
      while (!(await page.evaluate(isKept, app.at()))) await page.waitForTimeout(100);
      await app.stop();
      await page.reload();
      await page.locator('#L2').waitFor();
      await page.getByText('No connection. Trying again').waitFor();
      await page.goto(app.at('m/2026-11-18-memo-milk')); // was never opened
      await page.getByText('This opens when the connection is back.').waitFor();
      await page.goto(app.at('m/lucia'));
      await page.locator('#L1').waitFor();
      assert.equal(await hue(), before);
      await page.goto(app.at('settings/devices'));
      await page.getByText('This opens when the connection is back.').waitFor();
      await page.getByRole('heading', { name: 'Devices', level: 1 }).waitFor();
      await page.getByText('Mira Okafor', { exact: true }).waitFor();
      await page.getByRole('link', { name: 'API access' }).waitFor();
      await page.goto(app.at('settings/reading')); // it is of this browser alone
      await page.getByRole('heading', { name: 'Reading', level: 1 }).waitFor();
      assert.ok(await page.getByLabel(theme === 'dark' ? 'Dark' : 'Light').isChecked());
      await page.goto(app.at('m/2026-11-19-standup?q=milk#L2'));
      await page.locator('#L2').waitFor();
      // Another session, also of another account, gets nothing of that, neither does nobody.
      const { context } = reader;
      const session = (await context.cookies()).find(({ name }) => /^memories_\d+$/.test(name));
      assert.ok(session !== undefined);
      const isCached = () => page.evaluate(isKept, app.at('v1/memories/2026-11-19-standup'));
      assert.equal(await isCached(), true);
      await context.addCookies([{ ...session, value: 'a'.repeat(43) }]);
      assert.equal(await isCached(), false);
      await context.clearCookies({ name: session.name });
      assert.equal(await isCached(), false);
      await page.reload();
      const heading = page.getByRole('heading', { name: 'No connection', level: 1 });
      await heading.waitFor();
      await checkScreen(page, 'the page without a connection');
      const scheme = await page.evaluate(
        () => getComputedStyle(document.documentElement).colorScheme,
      );
      assert.equal(scheme, theme);
      await page.getByRole('button', { name: 'Try again' }).click();
      await heading.waitFor();
      assert.equal(page.url(), app.at('m/2026-11-19-standup?q=milk#L2'));
      assert.deepEqual(await page.evaluate(() => caches.keys()), [], 'nothing is stored');
      // Neither responses of the API nor other pages of the gateway are the worker's.
      const others = ['/app/v1/memories', '/v1/memories', '/docs', '/s/none'];
      const other = await reader.context.newPage();
      for (const path of others)
        await assert.rejects(other.goto(new URL(`..${path}`, app.at()).href), /ERR_/, path);
      await context.addCookies([session]);
      await app.restart();
      await page.locator('#L2').waitFor(); // without a click
      await page.getByRole('link', { name: 'Memories' }).first().click();
      await page.getByRole('link', { name: /Voice memo/ }).waitFor();
      assert.deepEqual(faults, []);
    });

  it('has no such page where the browser has no service worker, and misses nothing', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t);
    const host = `memories.lan:${app.port}`;
    await signIn(reader, app, { host });
    assert.equal(await reader.page.evaluate(() => 'serviceWorker' in navigator), false);
    await reader.page.waitForTimeout(6000);
    assert.deepEqual(reader.faults, []);
  });

  it('leads back to the row of a memory that was opened far down the list', async (t) => {
    const app = await serve(t);
    const starts = Array.from(
      { length: 90 },
      (_, i) => Date.UTC(2026, 9, 30, 12) - i * 8 * HOUR_MS,
    );
    put(
      app,
      ...starts.map((start, i) =>
        memory({ id: `far-${i}`, name: `Far ${i}`, started_at: new Date(start).toISOString() }),
      ),
    );
    const reader = await openReader(t, { expects: /ERR_/ });
    const { page, faults } = reader;
    await signIn(reader, app, { path: 'm/far-70' });
    await page.locator('#L1').waitFor();
    await page.goto(app.at());
    const row = page.getByRole('link', { name: /Far 70\b/ });
    await page.mouse.move(500, 500);
    while ((await row.count()) === 0) {
      await page.mouse.wheel(0, 800);
      await page.waitForTimeout(50);
    }
    await page.evaluate(async () => (await navigator.serviceWorker.ready).scope);
    while (!(await page.evaluate(isKept, app.at()))) await page.waitForTimeout(100);
    await app.stop();
    await row.click();
    await page.locator('#L1').waitFor();
    for (const reload of [false, true]) {
      await page.goBack();
      await row.waitFor();
      if (reload) await page.reload();
      await row.waitFor();
      await page.goForward();
      await page.locator('#L1').waitFor();
    }
    assert.deepEqual(faults, []);
  });

  for (const { name, lose, find } of LOSSES)
    it(`shows what has been read, also before a reload, if ${name}`, async (t) => {
      const app = await serve(t);
      const reader = await openReader(t, { expects: /ERR_/ });
      const { page, faults } = reader;
      await signIn(reader, app);
      await page.getByRole('link', { name: 'Changes' }).click();
      await page.locator('.change').first().waitFor();
      await page.getByRole('link', { name: 'Memories' }).click();
      const row = page.getByRole('link', { name: /Voice memo/ });
      await row.click();
      await page.locator('#L1').waitFor();
      await page.goBack();
      await row.waitFor();
      await page.reload();
      await row.waitFor();

      await lose(reader, app);
      await row.click();
      await page.locator('#L1').waitFor();
      await page.getByText('No connection. Trying again').waitFor();
      await checkScreen(page, 'a memory without a connection');
      await page.goBack();
      await row.waitFor();
      const unread = page.getByRole('link', { name: /one line and a fridge/ });
      await page.locator('.row.pale', { hasText: 'one line and a fridge' }).waitFor();
      assert.equal(await unread.getAttribute('title'), 'Opens when the connection is back');
      assert.doesNotMatch((await row.getAttribute('class')) ?? '', /pale/);
      await unread.click();
      await page.getByText('This opens when the connection is back.').waitFor();
      await page.goBack();
      await row.waitFor();
      await page.goBack();
      await page.locator('.change').first().waitFor();
      await page.goForward();
      await row.waitFor();
      await page.goForward();
      await page.getByText('This opens when the connection is back.').waitFor();

      await find(reader, app);
      await page.locator('#L1').waitFor({ timeout: 60_000 }); // without a click
      await page.getByText('No connection. Trying again').waitFor({ state: 'hidden' });
      assert.deepEqual(faults, []);
    });
});
