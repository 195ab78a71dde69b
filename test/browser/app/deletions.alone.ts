// Deletions in a browser: from the reader and by a selection, undo within a minute, the bin, the keyboard and a phone.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';

import type { Page } from 'playwright-core';

import { createLaterChanges, type LaterChangesOptions } from '../../support/app/later-changes.ts';
import { memory } from '../../support/world/world.ts';
import { checkScreen, openReader, put, serve, signIn, skip } from './page.ts';

/** Begins a selection by the menu of the list. */
async function beginSelection(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Options' }).click();
  await page.getByRole('button', { name: 'Select', exact: true }).click();
}

/** A gateway whose app deletes. */
async function serveDeleting(t: TestContext, options?: LaterChangesOptions) {
  const { changes, open } = createLaterChanges(t, options);
  const app = await serve(t, { app: { changes } });
  open(app.database);
  return app;
}

describe('Deletions in the app', { skip, timeout: 300_000 }, () => {
  it('go from the reader to the list, and are undone there', async (t) => {
    const app = await serveDeleting(t);
    const reader = await openReader(t, { locale: 'en-US' });
    const { page, faults } = reader;
    await signIn(reader, app);
    await page
      .getByRole('link', { name: /Voice memo/ })
      .first()
      .click();
    const bar = page.locator('.reader-bar');
    await bar.getByRole('button', { name: 'More' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('“Voice memo” moved to the bin.').waitFor();
    await page.getByRole('heading', { name: 'Memories', level: 1 }).waitFor();
    await page.waitForFunction(() => !/2026-11-18-memo-milk/.test(document.body.innerHTML));
    await checkScreen(page, 'a notice with Undo');
    await page.emulateMedia({ media: 'print' });
    assert.ok(
      !(await page.getByText('“Voice memo” moved to the bin.').isVisible()),
      'not on paper',
    );
    await page.emulateMedia({ media: 'screen' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.locator('a[href$="2026-11-18-memo-milk"]').waitFor();
    assert.equal(await page.getByText('“Voice memo” moved to the bin.').count(), 0);
    assert.deepEqual(faults, []);
  });

  it('leave the rows of the list where they are until it is read again, and are no news to their reader', async (t) => {
    const app = await serveDeleting(t);
    const reader = await openReader(t);
    const { page, faults } = reader;
    await signIn(reader, app);
    const milk = page.locator('a[href$="2026-11-18-memo-milk"]');
    await milk.first().waitFor();
    await page.route(/\/memories\?/, async (route) => {
      await setTimeout(400);
      await route.continue();
    });
    await page.evaluate(() => {
      const look = () => {
        const rows = document.querySelectorAll('.row').length;
        document.body.dataset['least'] = String(
          Math.min(rows, Number(document.body.dataset['least'] ?? rows)),
        );
        requestAnimationFrame(look);
      };
      look();
    });
    const before = await page.locator('.row').count();
    const deleteIt = async () => {
      await beginSelection(page);
      await page
        .locator('label', { has: page.getByLabel('Select Voice memo') })
        .first()
        .click();
      await page.getByRole('button', { name: 'Delete' }).click();
    };
    await deleteIt();
    await page.waitForFunction(() => !/2026-11-18-memo-milk/.test(document.body.innerHTML));
    await page.locator('.row').first().waitFor();
    const least = Number(await page.evaluate(() => document.body.dataset['least']));
    assert.ok(least >= before - 3, `${least} of ${before} rows`);
    const news = () => page.getByRole('link', { name: /^Changes/ }).innerText();
    assert.equal(await news(), 'Changes');
    await page.getByRole('button', { name: 'Undo' }).click();
    await milk.first().waitFor();
    assert.equal(await news(), 'Changes');
    // Also if the page is left before it has read what it changed.
    await page.route(/\/changes\?/, () => {});
    await deleteIt();
    await page.getByText('moved to the bin.').waitFor();
    await page.goto('about:blank'); // a request that is held goes on when its route ends
    await page.unrouteAll();
    await Promise.all([page.waitForResponse(/\/changes\?/), page.goto(app.at())]);
    await page.locator('.row').first().waitFor();
    put(app, memory({ id: 'another', name: 'Of another program' }));
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await page.getByRole('link', { name: 'Changes 1 new' }).waitFor();
    assert.deepEqual(faults, []);
  });

  it('are among the results of a search no more when the reader comes back to it', async (t) => {
    const app = await serveDeleting(t);
    const reader = await openReader(t);
    const { page, faults } = reader;
    await signIn(reader, app, { path: 'search?q=fridge+' });
    await page.getByText('Found in 3 of 17 memories').waitFor();
    // A year in which nothing is found has no border, as the others.
    put(app, memory({ id: 'old', started_at: '2021-05-01T09:00:00.000Z' }));
    await page.reload();
    const borders = page
      .locator('.timeline button')
      .evaluateAll((all) => all.map((year) => getComputedStyle(year).borderBlockStartColor));
    await page.locator('.timeline button:disabled').waitFor();
    for (const color of await borders) assert.equal(color, 'rgba(0, 0, 0, 0)');
    const href = await page.locator('.hit h2 a').first().getAttribute('href');
    await page.locator('.hit h2 a').first().click();
    await page.locator('.reader-bar').getByRole('button', { name: 'More' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('moved to the bin.').waitFor();
    if (!page.url().includes('/search?')) await page.goBack();
    await page.getByText('Found in 2 of 17 memories').waitFor();
    assert.equal(await page.locator(`.hit h2 a[href="${href}"]`).count(), 0);
    assert.equal(await page.getByText('Memories have changed').count(), 0);
    assert.deepEqual(faults, []);
  });

  it('are selected and deleted by keyboard alone, wait in the bin, and are erased there', async (t) => {
    const app = await serveDeleting(t);
    const reader = await openReader(t, { locale: 'en-US', viewport: { width: 390, height: 700 } });
    const { page, faults } = reader;
    await signIn(reader, app);
    await page.locator('.row').first().waitFor();
    for (const key of ['j', 'x', 'j', 'x', 'j', 'x', 'x']) await page.keyboard.press(key);
    await page.getByText('2 selected').waitFor();
    assert.equal(await page.locator('li').getByRole('checkbox', { checked: true }).count(), 2);
    await checkScreen(page, 'a selection');
    // While somebody is selecting, a row is as large as its box.
    for (const count of [3, 2]) {
      const { x = 0, y = 0 } = (await page.locator('.row .title').nth(4).boundingBox()) ?? {};
      await page.mouse.click(x + 5, y + 5);
      await page.getByText(`${count} selected`).waitFor();
    }
    await page.keyboard.press('Delete');
    await page.getByText('2 memories moved to the bin.').waitFor();
    assert.equal(await page.getByRole('checkbox').count(), 0);

    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('link', { name: 'Bin' }).click();
    await page.getByRole('heading', { name: 'Bin', level: 1 }).waitFor();
    await page.locator('.items li').nth(1).waitFor();
    await checkScreen(page, 'the bin');
    const rows = page.locator('.items li');
    const place = await rows.nth(1).boundingBox();
    await rows.getByRole('button', { name: 'Restore' }).first().click();
    await rows.first().getByText('restored').waitFor();
    assert.equal((await rows.nth(1).boundingBox())?.y, place?.y, 'the next one stays where it is');
    for (const dead of await rows.first().getByRole('button').all())
      assert.equal(await dead.evaluate((button) => getComputedStyle(button).opacity), '0.5');
    await rows.nth(1).getByRole('button', { name: 'Erase' }).click();
    await page.getByText('no way back except a backup').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Erase all' }).click();
    await checkScreen(page, 'the question before the bin is emptied');
    await page.getByRole('dialog').getByRole('button', { name: 'Erase' }).click();
    await page.getByText('The bin is empty now.').waitFor();
    await rows.first().getByRole('link').click();
    await page.locator('#L1').waitFor();
    assert.equal(await page.getByText('” restored.').count(), 0, 'nothing says the opposite');
    await page.goto(app.at('settings/devices'));
    await page.getByText('1 memory erased').waitFor();
    await page.getByText('1 memory restored').waitFor();
    await page.getByText('2 memories deleted').waitFor();
    assert.deepEqual(faults, []);
  });

  it('say that they go on, and take the notice of an earlier change away when they begin', async (t) => {
    const { changes, open } = createLaterChanges(t);
    const gate = Promise.withResolvers<void>();
    const make: typeof changes.make = async (change, check) => {
      if (change.does === 'delete') await gate.promise;
      await changes.make(change, check);
    };
    const app = await serve(t, { app: { changes: { ...changes, make } } });
    open(app.database);
    const reader = await openReader(t, { locale: 'en-US' });
    const { page, faults } = reader;
    await signIn(reader, app, { path: 'm/2026-11-18-memo-milk' });
    const choose = async (name: string) => {
      await page.locator('.reader-bar').getByRole('button', { name: 'More' }).click();
      await page.getByRole('button', { name, exact: true }).click();
    };
    await choose('Rename');
    await page.getByRole('dialog').getByLabel('Name').fill('Milk');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('Memory changed.').waitFor();
    await choose('Delete');
    await page.getByText('Deleting…').waitFor();
    const ground = (element: Element) => getComputedStyle(element).borderTopWidth;
    assert.equal(await page.locator('.undo').evaluate(ground), '1px', 'it has a box');
    assert.equal(await page.getByText('Memory changed.').count(), 0);
    assert.equal(await page.getByRole('button', { name: 'Undo' }).count(), 0);
    gate.resolve();
    await page.getByText('“Milk” moved to the bin.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    assert.deepEqual(faults, []);
  });

  it('come back all at once, or are erased one by one', async (t) => {
    const app = await serveDeleting(t);
    const reader = await openReader(t);
    const { page, faults } = reader;
    await signIn(reader, app);
    await page.locator('.row').first().waitFor();
    for (const key of ['j', 'x', 'j', 'x', 'j', 'x']) await page.keyboard.press(key);
    await page.getByText('3 selected').waitFor();
    await page.keyboard.press('Delete');
    await page.getByText('3 memories moved to the bin.').waitFor();
    await page.goto(app.at('changes?since=all'));
    const gone = page.locator('.change', { hasText: 'In the bin' });
    await gone.nth(2).waitFor();
    await gone.getByRole('link').first().click();
    const rows = page.locator('.items li');
    await rows.nth(2).waitFor();
    await rows.first().getByRole('button', { name: 'Erase' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Erase' }).click();
    await page.waitForFunction(() => document.querySelectorAll('.items li').length === 2);
    assert.equal(await page.locator('button.danger').count(), 0, 'red is for the question');
    await page.getByRole('button', { name: 'Restore all' }).click();
    await page.getByText('Restoring…').waitFor();
    await page.getByText('The bin is empty.').waitFor();
    await page.getByText('2 memories restored.').waitFor();
    await page.goto(app.at('settings/devices'));
    await page.getByText('1 memory erased').waitFor();
    await page.getByText('2 memories restored').waitFor();
    assert.deepEqual(faults, []);
  });

  it('are told at the address of a memory, and lead back from there', async (t) => {
    const app = await serveDeleting(t);
    put(app, memory({ id: 'Stand-up~2037.txt', name: 'Stand-up 37' }));
    const reader = await openReader(t, { locale: 'en-US', expects: /status of 404/ });
    const { page } = reader;
    await signIn(reader, app, { path: 'm/Stand-up~2037.txt' });
    await page.locator('#L1').waitFor();
    await page.locator('.reader-bar').getByRole('button', { name: 'More' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('“Stand-up 37” moved to the bin.').waitFor();
    await page.goto(app.at('m/Stand-up~2037.txt'));
    await page.getByText(/^In the bin until \w+, \w+ \d+\.$/).waitFor();
    await page.getByRole('heading', { name: 'Stand-up 37', level: 1 }).waitFor();
    await page.locator('#L1').waitFor(); // it can be looked at
    await checkScreen(page, 'a memory in the bin');
    await page.goto(app.at('bin'));
    await page.getByRole('link', { name: 'Stand-up 37' }).click();
    await page.locator('#L1').waitFor();
    for (const known of [/^Monday, November 16, 2026, /, 'With Mira'])
      await page.getByText(known).waitFor();
    await page.getByRole('link', { name: '← Bin' }).click();
    await page.getByRole('link', { name: 'Stand-up 37' }).click();
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.locator('.reader-bar').getByRole('button', { name: 'More' }).waitFor();
    await page.locator('#L1').waitFor();
    await page.goto(app.at('m/Stand-up~2038.txt'));
    await page.getByRole('link', { name: 'Search for “Stand”' }).waitFor();
  });

  it('are selected up to a row with Shift, which paints no text, and their bar stays in sight', async (t) => {
    const app = await serveDeleting(t);
    const reader = await openReader(t, { locale: 'en-US' });
    const { page, faults } = reader;
    await page.setViewportSize({ width: 1280, height: 500 });
    await signIn(reader, app);
    await beginSelection(page);
    const boxes = page.locator('li .pick');
    await boxes.nth(1).click();
    await boxes.nth(4).click({ modifiers: ['Shift'] });
    await page.getByText('4 selected').waitFor();
    assert.equal(await page.evaluate(() => String(getSelection())), '');
    assert.equal(await page.locator('li').getByRole('checkbox', { checked: true }).count(), 4);
    await boxes.nth(2).click({ modifiers: ['Shift'] });
    await page.getByText('4 selected').waitFor();
    assert.equal(await page.locator('li').getByRole('checkbox', { checked: true }).count(), 4);
    await boxes.nth(3).click();
    await page.getByText('3 selected').waitFor();
    await page.mouse.wheel(0, 600);
    await page.waitForFunction(() => scrollY > 100);
    const top = await page.getByText('3 selected').evaluate((bar) => {
      const { x, y } = bar.getBoundingClientRect();
      return document.elementFromPoint(x + 5, y + 5) === bar ? y : -1;
    });
    assert.ok(top >= 0, 'nothing covers it');
    await checkScreen(page, 'a selection in a list that is scrolled');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.locator('.pick').first().waitFor({ state: 'detached' });
    assert.deepEqual(faults, []);
  });

  it('ask first without a bin, and are not offered where the app is read-only', async (t) => {
    const app = await serveDeleting(t, { hasBin: false });
    const reader = await openReader(t, { locale: 'en-US' });
    const { page, faults } = reader;
    await signIn(reader, app);
    await beginSelection(page);
    await page
      .locator('label', { has: page.getByRole('checkbox') })
      .first()
      .click();
    await page
      .getByRole('region', { name: 'Selection' })
      .getByRole('button', { name: 'Delete' })
      .click();
    await page.getByRole('dialog').getByText('no way back').waitFor();
    await checkScreen(page, 'the question without a bin');
    await page.getByRole('button', { name: 'Cancel' }).last().click();
    await page.getByText('1 selected').waitFor();
    await page
      .getByRole('region', { name: 'Selection' })
      .getByRole('button', { name: 'Delete' })
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.locator('.pick').first().waitFor({ state: 'detached' });
    assert.equal(await page.getByRole('button', { name: 'Undo' }).count(), 0);
    assert.deepEqual(faults, []);

    const readOnly = await serve(t);
    const other = await openReader(t, { locale: 'en-US' });
    await signIn(other, readOnly);
    await other.page.locator('.row').first().waitFor();
    await beginSelection(other.page);
    await other.page.getByRole('button', { name: 'Save' }).waitFor();
    assert.equal(await other.page.getByRole('button', { name: 'Delete' }).count(), 0);
  });
});
