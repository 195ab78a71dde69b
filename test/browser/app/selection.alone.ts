// A selection of memories in a browser: all of a list and of a day, stars, and one file.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

import { checkScreen, openReader, serve, signIn, skip } from './page.ts';

describe('A selection in the app', { skip, timeout: 120_000 }, () => {
  it('has all memories of a list, also those that nobody has scrolled to, or those of a day', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t, { locale: 'en-US', viewport: { width: 1200, height: 400 } });
    const { page, faults } = reader;
    await signIn(reader, app);
    await page.locator('.row').first().waitFor();
    await page.getByRole('button', { name: 'Options' }).click();
    await page.getByRole('button', { name: 'Select', exact: true }).click();
    const bar = page.getByRole('region', { name: 'Selection' });
    const all = bar.getByRole('button', { name: 'Select all' });
    await all.waitFor();
    assert.ok(await bar.getByRole('button', { name: 'Star' }).isDisabled());
    await all.click();
    await bar.getByText('17 selected').waitFor();
    await checkScreen(page, 'all are selected');
    // Below the middle of the list, and not of the window.
    const [list, own] = await Promise.all([page.locator('main').boundingBox(), bar.boundingBox()]);
    const middle = (box: typeof own) => (box?.x ?? 0) + (box?.width ?? 0) / 2;
    assert.ok(Math.abs(middle(list) - middle(own)) < 10, 'the bar is in the middle');
    await page.keyboard.press('ControlOrMeta+a');
    await all.waitFor();
    // The calls of 5 November have a box of their own.
    const box = (name: string) => page.locator('label', { has: page.getByLabel(`Select ${name}`) });
    await box('Thursday, November 5, 2026').click();
    await bar.getByText('2 selected').waitFor();
    await box('Call with the Graz audiologist').click();
    await bar.getByText('1 selected').waitFor();
    await page.keyboard.press('ControlOrMeta+a');
    await bar.getByText('17 selected').waitFor();
    await page.keyboard.press('Escape');
    await bar.waitFor({ state: 'detached' });
    assert.deepEqual(faults, []);
  });

  it('is starred, and undone, and saved as one file with the times of the reader', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t, { locale: 'en-US', timezoneId: 'Europe/Berlin' });
    const { page, faults } = reader;
    await signIn(reader, app, { path: 'search?person=Henrik' });
    await page.locator('.row').first().waitFor();
    const total = await page.locator('.row').count();
    const bar = page.getByRole('region', { name: 'Selection' });
    const selectAll = async () => {
      await page.getByRole('button', { name: 'Options' }).click();
      await page.getByRole('button', { name: 'Select', exact: true }).click();
      await bar.getByRole('button', { name: 'Select all' }).click();
      await page
        .locator('li')
        .getByRole('checkbox', { checked: true })
        .nth(total - 1)
        .waitFor();
    };
    await selectAll();
    await bar.getByRole('button', { name: 'Star', exact: true }).click();
    await page.getByText(/^\d+ memories starred\./).waitFor();
    await bar.waitFor({ state: 'detached' });
    await page
      .getByRole('img', { name: 'Starred' })
      .nth(total - 1)
      .waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('img', { name: 'Starred' }).first().waitFor({ state: 'detached' });

    await selectAll();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      bar.getByRole('button', { name: 'Save' }).click(),
    ]);
    assert.match(file.suggestedFilename(), /^\d+ memories\.md$/);
    const text = readFileSync(await file.path(), 'utf8');
    assert.doesNotMatch(text, /^---$/m, 'front matter is for the start of a file');
    const titles = Array.from(text.matchAll(/^# (.+)\n\n(.+)\n/gm), ([, title, when]) => [
      title,
      when,
    ]);
    assert.ok(titles.length >= total, `${titles.length} of ${total}`);
    assert.match(titles.at(-1)?.[1] ?? '', /^Nov \d+, 2026, \d+:\d+/);
    assert.deepEqual(faults, []);
  });
});
