// Action items in a browser: those of all memories, and those of one with its chapters.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { checkScreen, openReader, serve, signIn, skip } from './page.ts';

describe('Action items in the app', { skip, timeout: 300_000 }, () => {
  it('are under their memories with state, owner and due date, and lead to their lines', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t, { locale: 'en-US' });
    const { page, faults } = reader;
    await signIn(reader, app);
    await page.getByRole('link', { name: 'Action items' }).click();
    const fridge = page.getByRole('link', { name: /^Open Buy a fridge Henrik$/ });
    await fridge.waitFor();
    assert.equal(await page.locator('.action-item').count(), 3, 'what is to be done is first');
    assert.equal(await page.locator('.action-item:not(.open)').count(), 0);
    assert.equal(await page.getByText('A ring').count(), 0, 'without one');
    await page.getByRole('link', { name: 'All', exact: true }).click();
    await page
      .getByRole('link', { name: /^Done Bring Sam's graph .*Mira · due Nov 20, 2026$/ })
      .waitFor();
    await page.getByRole('link', { name: /^Not known whether done Take the second/ }).waitFor();
    await page.locator('section ~ .note', { hasText: 'A ring: not known' }).waitFor();
    const names = await page.locator('section h2 bdi').allTextContents();
    assert.equal(names[0], 'Stand-up: 2.8.3 is out', 'the newest memory is first');
    await fridge.click();
    await page.locator('#L16.marked').waitFor();
    await page.getByRole('link', { name: '← Action items' }).waitFor();
    assert.deepEqual(faults, []);
  });

  it('are those of one owner, until the chip is removed by the keyboard', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t, { locale: 'en-US' });
    const { page, faults } = reader;
    await signIn(reader, app);
    await page.goto(app.at('people/Henrik'));
    await page.locator('.list').getByRole('link', { name: 'Action items' }).click();
    await page.waitForFunction(() => document.querySelectorAll('.action-item').length === 1);
    await page.getByRole('link', { name: 'Owner Henrik Remove' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/actions$/);
    await page.locator('.action-item').nth(2).waitFor();
    await page.getByRole('link', { name: 'Henrik', exact: true }).click();
    await page.waitForURL(/actions\?owner=Henrik$/);
    await page.waitForFunction(() => document.querySelectorAll('.action-item').length === 1);
    await page.goto(app.at('actions?owner=Nobody'));
    await page.getByRole('link', { name: 'see all' }).click();
    await page.waitForURL(/actions\?show=all&owner=Nobody$/);
    await page.goto(app.at('actions?show=done&owner=Nobody'));
    await page.getByText('Nothing of theirs is marked as done.').waitFor();
    await checkScreen(page, 'no such items');
    assert.deepEqual(faults, []);
  });

  it('say that the gateway makes none up, in an account without any', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t);
    const { page, faults } = reader;
    await signIn(reader, app, { account: 'many' });
    await page.goto(app.at('actions'));
    await page.getByText('Nothing to do').waitFor();
    await checkScreen(page, 'no action items');
    assert.deepEqual(faults, []);
  });

  it('are in the reader as well, with the chapters in the outline, and move nothing that is read', async (t) => {
    const app = await serve(t);
    for (const width of [390, 1600]) {
      const reader = await openReader(t, { viewport: { width, height: 780 } });
      const { page, context, faults } = reader;
      await signIn(reader, app);
      const release = Promise.withResolvers<undefined>();
      await context.route(/\/details$/, async (route) => {
        await release.promise;
        await route.continue();
      });
      await page.goto(app.at('m/2026-11-19-standup#L12'));
      const line = page.locator('#L12.marked');
      await line.waitFor();
      const before = await line.boundingBox();
      release.resolve(undefined);
      const chapter = page.getByRole('link', { name: 'The capacitors' });
      await chapter.waitFor();
      const after = await line.boundingBox();
      assert.ok(Math.abs((after?.y ?? 0) - (before?.y ?? 0)) <= 1, `${width} px: it stays`);
      await checkScreen(page, `chapters, ${width} px`);
      await page.getByRole('link', { name: /Buy a fridge/ }).click();
      await page.locator('#L16.marked').waitFor();
      await chapter.click();
      await page.locator('#L10.marked').waitFor();
      assert.deepEqual(faults, []);
    }
  });
});
