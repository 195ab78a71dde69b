// Action items that are ticked in a browser: on their page and in the reader, undone, and after another import.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { prepareMemory } from '../../../src/store/import/memory-row.ts';
import { withFileWriterSync } from '../../../src/store/sqlite/writer.ts';
import { fullDetails } from '../../support/world/details.ts';
import { memory } from '../../support/world/world.ts';
import { checkScreen, openReader, serve, signIn, skip } from './page.ts';

describe('Action items', { skip, timeout: 300_000 }, () => {
  it('are ticked by mouse or keyboard, stay under the pointer, and move to Done afterwards', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t, { locale: 'en-US' });
    const { page, faults } = reader;
    await signIn(reader, app, { path: 'actions' });
    const box = (name: RegExp) => page.getByRole('checkbox', { name });
    const fridge = box(/^Done: Buy a fridge/);
    const counts = page.locator('nav.names, summary').locator('.note');
    await fridge.waitFor();
    const before = await counts.allInnerTexts();
    await fridge.click();
    await page.getByText('Marked as done.').waitFor();
    const after = await counts.allInnerTexts();
    assert.equal(Number(after[0]), Number(before[0]) - 1, 'the counts follow at once');
    assert.equal(Number(after.at(-1)), Number(before.at(-1)) + 1);
    assert.equal(await fridge.isChecked(), true);
    const section = page.locator('section', { hasText: 'Buy a fridge' });
    await page.waitForTimeout(4000);
    assert.equal(await section.count(), 1, 'it stays where the pointer is');
    await page.mouse.move(2, 2);
    await section.waitFor({ state: 'detached' });
    await checkScreen(page, 'a ticked action item');
    await page.locator('summary', { hasText: 'Done 7' }).click();
    assert.equal(await fridge.isChecked(), true);
    const theirs = page.locator('li', { hasText: 'Bring Sam' });
    await theirs.getByRole('img', { name: 'Done' }).waitFor();
    assert.equal(await theirs.getByRole('checkbox').count(), 0, 'its source says so');

    const undo = page.getByRole('button', { name: 'Undo' });
    assert.equal(await undo.getAttribute('title'), 'Undo (z)');
    await undo.click();
    await section.waitFor();
    assert.equal(await fridge.isChecked(), false);

    await page.keyboard.press('j');
    const first = page.locator('section .action-item').first();
    const text = (await first.locator('.what').textContent()) ?? '';
    await page.keyboard.press('Space');
    const ticked = page.locator('li.done:has(:focus)');
    await ticked.waitFor();
    assert.equal(await page.evaluate(() => scrollY), 0, 'the space bar does not scroll');
    await page.keyboard.press('Space');
    await ticked.waitFor({ state: 'detached' });
    await page.keyboard.press('Space');
    await ticked.waitFor();
    await page.reload();
    const own = page.locator('details li', { hasText: text });
    await own.locator(':checked').waitFor({ state: 'attached' });
    assert.deepEqual(faults, []);
  });

  it('are ticked in the reader as well, in all memories with the same one, and stay so when it is imported again', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t, { locale: 'en-US' });
    const { page, faults } = reader;
    const put = (id: string, text: string) => {
      const talk = memory({ id, name: `Talk ${id}`, transcript: 'Ann: Hello.' });
      const item = { text, owner: 'Ann', due: null, done: false, line: 1 };
      withFileWriterSync(app.database, (writer) => {
        writer.memories.putReady([
          prepareMemory('mira', talk, fullDetails({ action_items: [item] })),
        ]);
      });
    };
    put('a', 'Paint the shed');
    put('b', 'paint the shed.');
    await signIn(reader, app, { path: 'actions' });
    const shed = page.getByRole('checkbox', { name: /paint the shed/i });
    await shed.click();
    await page.getByText('Marked as done.').waitFor();
    for (const id of ['a', 'b']) {
      put(id, 'Paint the SHED');
      await page.goto(app.at(`m/${id}`));
      await shed.and(page.locator(':checked')).waitFor();
    }
    await checkScreen(page, 'a ticked action item in the reader');
    await shed.click();
    await page.getByText('Marked as open.').waitFor();
    await page.goto(app.at('actions'));
    const open = page.locator('section li', { hasText: 'Paint the SHED' });
    await open.waitFor();
    assert.equal(await open.getByRole('checkbox').isChecked(), false, 'that of b is open');
    await page.goto(app.at('starred'));
    await page.getByText('Nothing yet').waitFor();
    assert.deepEqual(faults, []);
  });

  it('say that an item could not be ticked, and leave its box empty', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t, { locale: 'en-US', expects: /503/ });
    const { page, context, faults } = reader;
    await signIn(reader, app, { path: 'actions' });
    await context.route(/\/bookmarks\/./, (route) =>
      route.fulfill({ status: 503, json: { status: 503, detail: 'Not now.' } }),
    );
    const fridge = page.getByRole('checkbox', { name: /Buy a fridge/ });
    await fridge.click();
    await page.getByText('Not now.').waitFor();
    assert.equal(await fridge.isChecked(), false);
    assert.deepEqual(faults, []);
  });
});
