// Action items in a browser: those of all memories, and those of one with its chapters.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { checkScreen, openReader, serve, signIn, skip } from './page.ts';

describe('Action items in the app', { skip, timeout: 300_000 }, () => {
  it('are in groups by when they are due, with owner and memory, and lead to their lines', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t, { locale: 'en-US' });
    const { page, context, faults } = reader;
    await context.clock.setFixedTime('2026-11-18T12:00:00Z');
    await signIn(reader, app);
    await page.getByRole('link', { name: 'Action items' }).click();
    const late = page.getByRole('region', { name: 'Overdue' });
    await late
      .getByRole('link', {
        name: /^Write the change note .*Mira · due Tue, Nov 17 · Stand-up: one /,
      })
      .waitFor();
    const rest = page.getByRole('region', { name: 'No date' });
    const fridge = rest.getByRole('link', { name: /^Buy a fridge Henrik · Stand-up: 2.8.3/ });
    await fridge.waitFor();
    await page
      .getByRole('region', { name: 'Maybe done' })
      .getByRole('link', { name: /^Take the second/ })
      .waitFor();
    const done = page.getByRole('link', { name: /^Bring Sam's graph .*due Fri, Nov 20/ });
    assert.equal(await done.isVisible(), false, 'what is done is folded');
    await page.locator('summary', { hasText: 'Done 6' }).click();
    await done.waitFor();
    const days = await page.locator('[open] .done time').allTextContents();
    assert.match(days[0] ?? '', /Nov 20|Nov 19/, 'the newest first');
    await checkScreen(page, 'action items');
    await fridge.click();
    await page.locator('#L16.marked').waitFor();
    await page.getByRole('link', { name: '← Action items' }).waitFor();
    assert.deepEqual(faults, []);
  });

  it('are due in the next week or later, in the order of their dates, and once if two memories have them', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t, { locale: 'en-US' });
    const { page, context, faults } = reader;
    await context.clock.setFixedTime('2026-11-10T12:00:00Z');
    const items = [
      { text: 'Later', due: '2026-11-18' },
      { text: 'second', due: null },
      { text: 'Second', due: '2026-11-17T09:00:00+01:00' },
      { text: 'Second.', due: null },
      { text: 'First', due: '2026-11-10' },
      { text: 'Somewhen', due: 'after the holidays' },
    ].map((item) => ({ ...item, owner: null, done: false, line: null }));
    await context.route(/\/v1\/action_items\?/, (route) =>
      route.fulfill({
        json: items.map((item) => ({
          memory_id: '2026-11-19-standup',
          name: 'Stand-up',
          started_at: '2026-11-09T09:00:00.000Z',
          ...item,
        })),
      }),
    );
    await signIn(reader, app, { path: 'actions' });
    await page.getByRole('region', { name: 'Next 7 days' }).waitFor();
    const groups = await page
      .locator('section')
      .evaluateAll((all) =>
        all.map((each) => [
          each.getAttribute('aria-label'),
          ...Array.from(each.querySelectorAll('.what'), (what) => what.textContent),
        ]),
      );
    assert.deepEqual(groups, [
      ['Next 7 days', 'First', 'Second'],
      ['Later', 'Later'],
      ['No date', 'Somewhen'],
    ]);
    assert.deepEqual(faults, []);
  });

  it('are those of one owner, of another by one click, or of nobody', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t, { locale: 'en-US' });
    const { page, faults } = reader;
    await signIn(reader, app);
    const shown = (count: number) =>
      page.waitForFunction(
        (wanted) => document.querySelectorAll('section .action-item').length === wanted,
        count,
      );
    await page.goto(app.at('people/Henrik'));
    await page.locator('.list').getByRole('link', { name: '1 action item' }).click();
    await shown(1);
    const owners = page.getByRole('navigation', { name: 'Owner' });
    assert.equal(await owners.locator('[aria-current]').textContent(), 'Henrik 1');
    assert.match(
      (await owners.getByRole('link').nth(1).textContent()) ?? '',
      /^Mira/,
      'the reader',
    );
    await owners.getByRole('link', { name: /^Lucía/ }).click();
    await page.waitForURL(/actions\?owner=Luc/);
    await page.getByRole('link', { name: /^Make the fixture/ }).waitFor();
    await owners.getByRole('link', { name: /^No owner/ }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: /^Take the second/ }).waitFor();
    await shown(1);
    await owners.getByRole('link', { name: 'Everyone 5' }).click();
    await shown(5);
    await page.goto(app.at('people/Mr%20Tanaka'));
    await page.locator('.list [data-row] .row').first().waitFor();
    const link = page.locator('.list').getByRole('link', { name: /action item/ });
    assert.equal(await link.count(), 0, 'nobody has given him any');
    await page.goto(app.at('actions?owner=Nobody'));
    await page.getByText('Nothing is open.').waitFor();
    await checkScreen(page, 'no such items');
    assert.deepEqual(faults, []);
  });

  it('say that the gateway makes none up, in an account without any', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t);
    const { page, faults } = reader;
    await signIn(reader, app, { account: 'many', path: 'actions' });
    await page.getByText('Nothing to do').waitFor();
    const owners = page.getByRole('navigation', { name: 'Owner' });
    assert.equal(await owners.count(), 0);
    await page.goto(app.at('actions?owner=Mira'));
    await owners.getByRole('link', { name: 'Everyone' }).waitFor();
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
      // On a phone they are a line that opens.
      const fold = page.locator('summary', { hasText: 'Chapters' });
      await (width === 390 ? fold : chapter).waitFor();
      const after = await line.boundingBox();
      assert.ok(Math.abs((after?.y ?? 0) - (before?.y ?? 0)) <= 1, `${width} px: it stays`);
      await checkScreen(page, `chapters, ${width} px`);
      await page.getByRole('link', { name: /Buy a fridge/ }).click();
      await page.locator('#L16.marked').waitFor();
      if (width === 390) await fold.click();
      await chapter.click();
      await page.locator('#L10.marked').waitFor();
      assert.deepEqual(faults, []);
    }
  });
});
