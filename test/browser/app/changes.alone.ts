// The changes of an account in a browser: the screen, what is new while it is open, and the looks in between.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import type { Locator, Page } from 'playwright-core';

import { prepareMemory } from '../../../src/store/import/memory-row.ts';
import { withFileWriterSync } from '../../../src/store/sqlite/writer.ts';
import type { FileWriter } from '../../../src/store/sqlite/writer.ts';
import { createLaterChanges } from '../../support/app/later-changes.ts';
import type { ServedApp } from '../../support/world/app.ts';
import { readDetails } from '../../support/world/details.ts';
import { memory } from '../../support/world/world.ts';
import { checkScreen, openReader, serve, signIn, skip } from './page.ts';

const write = (app: ServedApp, work: (own: FileWriter['memories']) => void) =>
  withFileWriterSync(app.database, (writer) => work(writer.memories));

/** Makes the app look for changes now, as it does when the reader comes back to the tab. */
const look = (page: Page) =>
  page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));

/**
 * Waits until the first look of all has ended, and the one after the reader's own changes: what comes before that is
 * taken for seen.
 */
const settled = (page: Page) =>
  page.waitForFunction(() => {
    const visit = localStorage.getItem('memories.visit.mira');
    return visit !== null && !visit.includes('9999-1');
  });

describe('The changes of an account', { skip, timeout: 300_000 }, () => {
  it('are shown latest first with their names, deleted ones by their ids, and those of an import as one', async (t) => {
    const app = await serve(t);
    write(app, (own) => own.delete('mira', '2026-11-18-memo-milk'));
    const reader = await openReader(t);
    const { page, faults } = reader;
    await signIn(reader, app);
    await page.getByRole('link', { name: 'Changes' }).click();
    const rows = page.locator('.change');
    const run = rows.getByRole('button', { name: /^\d+ memories imported$/ });
    await run.waitFor();
    assert.equal(await rows.count(), 2);
    await checkScreen(page, 'changes of an import');
    /** Where a text begins from the left, and the middle of its line from the top. */
    const placeOf = async (text: Locator) => {
      const { x, y, height } = (await text.boundingBox()) ?? { x: 0, y: 0, height: 0 };
      return { x, middle: y + height / 2 };
    };
    const [time, what] = [await placeOf(rows.nth(1).locator('time')), await placeOf(run)];
    assert.ok(Math.abs(time.middle - what.middle) < 2, 'on one line');
    const gap = await run.evaluate((button) => {
      const words = document.createRange();
      words.selectNode(
        document.evaluate('.//text()[contains(., "imported")]', button).iterateNext()!,
      );
      return words.getBoundingClientRect().x - button.getBoundingClientRect().x;
    });
    assert.ok(gap < 30, `the words stand beside their sign, not ${gap} px from it`);
    await run.click();
    await rows.getByRole('link', { name: /Crystal supplier/ }).waitFor();
    assert.ok((await placeOf(rows.nth(2).locator('time'))).x > time.x, 'below their run');
    assert.match(await rows.first().innerText(), /2026-11-18-memo-milk\s+Deleted/);
    assert.equal(
      await page
        .getByRole('main')
        .getByText(/\d+ imported/)
        .count(),
      0,
      'no sums',
    );
    assert.equal(await rows.first().getByRole('link').count(), 0);
    await checkScreen(page, 'changes');
    await page.setViewportSize({ width: 320, height: 640 });
    await checkScreen(page, 'changes, 320 px');
    await rows.getByRole('link', { name: /Crystal supplier/ }).click();
    await page.locator('#L1').waitFor();
    await page.goBack();
    await rows.getByRole('link', { name: /Crystal supplier/ }).waitFor();
    await page.locator('h1').focus();
    await page.keyboard.press('j');
    await page.locator('.change button:focus').waitFor();
    await page.keyboard.press('j');
    await page.locator('.change a:focus').waitFor();
    await page.keyboard.press('o');
    await page.locator('#L1').waitFor();
    await page.goBack();
    await run.click();
    await page.locator('.change a').first().waitFor({ state: 'detached' });
    assert.equal(await rows.count(), 2);
    assert.deepEqual(faults, []);
  });

  it('are counted in the frame, and wait on the screen until they are asked for', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t);
    const { page, faults } = reader;
    await signIn(reader, app);
    await page.getByRole('link', { name: 'Changes' }).click();
    await page.locator('.change').first().waitFor();
    assert.equal(await page.getByRole('link', { name: 'All', exact: true }).count(), 0);
    write(app, (own) => {
      for (let count = 0; count < 500; count++)
        own.put('mira', memory({ id: `new-${count}`, name: `New ${count}` }));
    });
    const rows = await page.locator('.change').count();
    await look(page);
    const show = page.getByRole('button', { name: 'Show 99+ new' });
    await show.waitFor();
    await page.getByRole('link', { name: 'Changes 99+ new' }).waitFor();
    assert.equal(await page.locator('.change').count(), rows, 'nothing moves');
    await show.click();
    await page.getByRole('button', { name: /^5\d\d memories imported$/ }).click();
    await page.getByRole('link', { name: 'New 499' }).waitFor();
    await page.getByRole('link', { name: 'Changes', exact: true }).waitFor();
    assert.equal(await page.locator('.change').count(), 50);
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('link', { name: 'New 402', exact: true }).waitFor();
    assert.equal(await page.locator('.change').count(), 100);
    assert.deepEqual(faults, []);
  });

  it('are seen in every tab once one has shown them', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t);
    const { page, context, faults } = reader;
    await signIn(reader, app);
    await settled(page);
    const other = await context.newPage();
    await other.goto(app.at('calendar'));
    await other.getByRole('link', { name: 'Changes' }).waitFor();
    await page.getByRole('link', { name: /Voice memo/ }).waitFor();
    write(app, (own) => own.put('mira', memory({ id: 'later', name: 'Later' })));
    for (const tab of [page, other]) {
      await look(tab);
      await tab.getByRole('link', { name: 'Changes 1 new' }).waitFor();
    }
    await page.getByRole('link', { name: 'Changes 1 new' }).click();
    await page.locator('.change').first().waitFor();
    await other.getByRole('link', { name: 'Changes', exact: true }).waitFor();
    assert.deepEqual(faults, []);
  });

  it('of an import say from which products it was', async (t) => {
    const app = await serve(t);
    withFileWriterSync(app.database, ({ memories }) => {
      for (const [at, product] of [
        'google-meet',
        'otter',
        'otter',
        'otter',
        'otter',
        null,
      ].entries()) {
        const source = { product, format: null, id: null, url: null };
        const own = memory({ id: `talk-${at}` });
        memories.putReady([prepareMemory('many', own, { read: readDetails({ source }) })]);
      }
    });
    const reader = await openReader(t);
    await signIn(reader, app, { account: 'many', path: 'changes?since=all' });
    const run = reader.page.locator('.change', { hasText: /\d+ memories imported/ });
    await run.getByText('from Otter, Google Meet').waitFor();
    assert.deepEqual(reader.faults, []);
  });

  it('of oneself say what was done, and what is new is marked and counted as the link has counted it', async (t) => {
    const { changes, open } = createLaterChanges(t);
    const app = await serve(t, { app: { changes } });
    open(app.database);
    const reader = await openReader(t);
    const { page, faults } = reader;
    await signIn(reader, app);
    await page.getByRole('link', { name: 'Changes' }).click();
    await page.locator('.change').first().waitFor();
    const { origin } = new URL(app.at());
    const post = async (path: string, data: object) => {
      const response = await page.request.post(app.at(`v1/${path}`), { headers: { origin }, data });
      assert.ok(response.ok(), await response.text());
      return response;
    };
    const [memo, talk] = ['2026-11-18-memo-milk', '2026-11-19-standup'];
    await post('edits', {
      memory_id: talk,
      name: 'Daily',
      speakers: [{ from: 'Sam', to: 'Samira' }],
    });
    await post('deletions', { ids: [memo] });
    await post('deletions/undo', { ids: [memo] });
    write(app, (own) => own.put('mira', memory({ id: 'later', name: 'Later' })));
    await page.goto(app.at());
    const link = page.getByRole('link', { name: 'Changes 3 new' });
    await link.waitFor();
    await link.click();
    const row = (text: string) => page.locator('.change', { hasText: text });
    await row('Daily').getByText('Renamed from “Stand-up: 2.8.3 is out”').waitFor();
    await row('Daily').getByText('Speaker “Sam” → “Samira”').waitFor();
    await row('Voice memo').getByText('Restored').waitFor();
    assert.equal(await row('1 memory deleted').count(), 0, 'its return is told');
    await row('Later').getByText('Imported').waitFor();
    await page.locator('.sum .badge', { hasText: '3 new' }).waitFor();
    assert.equal(await page.locator('.change .badge').count(), 3);
    await checkScreen(page, 'changes of oneself');
    await page.goto(app.at('settings/edits'));
    for (const count of [1, 0]) {
      await page.getByRole('button', { name: 'Undo' }).first().click();
      await page.waitForFunction(
        (rows) => document.querySelectorAll('.items li').length === rows,
        count,
      );
    }
    await page.goto(app.at('changes'));
    await row('Stand-up').getByText('An edit was taken back').waitFor();
    assert.deepEqual(faults, []);
  });

  it('of oneself are no news, also if others are, and after a reload', async (t) => {
    const { changes, open } = createLaterChanges(t);
    const app = await serve(t, { app: { changes } });
    open(app.database);
    const reader = await openReader(t);
    const { page, faults } = reader;
    await signIn(reader, app);
    await settled(page);
    write(app, (own) => own.put('mira', memory({ id: 'later', name: 'Later' })));
    await look(page);
    const one = page.getByRole('link', { name: 'Changes 1 new' });
    await one.waitFor();
    await page.goto(app.at('m/2026-11-18-memo-milk'));
    await one.waitFor();
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('“Voice memo” moved to the bin.').waitFor();
    await settled(page);
    await one.waitFor();
    // It is undone by the key of other programs, and its return is no news as well.
    const restored = page.waitForResponse(/\/deletions\/undo/);
    await page.keyboard.press('Control+z');
    await restored;
    await page.getByText('moved to the bin.').waitFor({ state: 'detached' });
    await settled(page);
    write(app, (own) => own.put('mira', memory({ id: 'last', name: 'Last' })));
    await look(page);
    const link = page.getByRole('link', { name: 'Changes 2 new' });
    await link.waitFor();
    await page.reload();
    await link.click();
    await page.locator('.sum .badge', { hasText: '2 new' }).waitFor();
    // What was restored is between the two. The first of them is among those of an earlier import if that was just before.
    const badges = await page.locator('.change .badge').allInnerTexts();
    assert.deepEqual(
      badges.map((text) => text.replace('1 ', '')),
      ['new', 'new'],
    );
    await page.getByRole('link', { name: 'Changes', exact: true }).waitFor();
    assert.deepEqual(faults, []);
  });

  it('since the last visit are the same after a reload, and none if there are none', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t);
    const { page, faults } = reader;
    await page.clock.install();
    await signIn(reader, app);
    await page.getByRole('link', { name: 'Changes' }).click();
    await page.locator('.change').first().waitFor();
    await page.clock.fastForward('02:00:00');
    await page.reload();
    await page.getByText('Nothing has changed since then.').waitFor();
    await page.getByRole('link', { name: 'All', exact: true }).waitFor();
    write(app, (own) => own.put('mira', memory({ id: 'later', name: 'Later' })));
    for (const _ of ['first', 'again']) {
      await page.goto(app.at('changes?since=visit'));
      await page.getByRole('link', { name: 'Later' }).waitFor();
      assert.equal(await page.locator('.change').count(), 1);
    }
    const kept = await page.evaluate(() => Object.entries(localStorage));
    assert.doesNotMatch(JSON.stringify(kept), /later/i, 'no name and no id of a memory');
    assert.deepEqual(faults, []);
  });

  it('are looked for without bodies while nothing changes, and not at all in a hidden tab or signed out', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t, { expects: /401/ });
    const { page } = reader;
    const session = await reader.context.newCDPSession(page);
    await session.send('Network.enable');
    const statuses: number[] = [];
    session.on('Network.responseReceivedExtraInfo', ({ statusCode, headers }) => {
      if (headers['content-type'] !== undefined || statusCode === 304) statuses.push(statusCode);
    });
    await signIn(reader, app);
    const looked = () => page.waitForResponse(/\/changes\?/);
    statuses.length = 0;
    for (const _ of [1, 2, 3]) {
      const response = looked();
      await look(page);
      await (await response).finished();
    }
    assert.ok(statuses.filter((status) => status === 304).length >= 2, String(statuses));

    const requested = () => reader.requested.filter((url) => url.includes('/changes?')).length;
    await page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
    });
    const count = requested();
    await look(page);
    await page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { value: 'visible' });
    });
    assert.equal(requested(), count);
    await reader.context.clearCookies();
    await look(page);
    await page.getByText('Your session has ended').waitFor();
    const ended = requested();
    await look(page);
    await look(page);
    assert.equal(requested(), ended);
  });
});
