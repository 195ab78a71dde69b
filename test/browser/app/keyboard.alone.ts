// The app by keyboard alone: a walk through its screens, the list of the keys, and what belongs to fields and to the browser.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import type { Page } from 'playwright-core';

import { checkScreen, openReader, serve, signIn, skip } from './page.ts';

const path = (page: Page) => new URL(page.url()).pathname.replace(/^.*\/app\//, '');

/** Presses Tab until something has the focus. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let count = 0; count < 80; count++) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const active = document.activeElement;
      const label = active instanceof HTMLInputElement ? active.labels?.[0]?.textContent : null;
      return label ?? active?.textContent ?? '';
    });
    if (name.test(focused)) return;
  }
  assert.fail(`Tab does not lead to ${name}`);
}

describe('The app by keyboard', { skip, timeout: 300_000 }, () => {
  it('goes through a menu by the arrows, Home and End, and leaves it by Escape', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t);
    const { page, faults } = reader;
    const { keyboard } = page;
    await signIn(reader, app, { path: 'm/2026-11-19-standup' });
    await page.locator('#L1').waitFor();
    const more = page.locator('.reader-bar').getByRole('button', { name: 'More' });
    await more.focus();
    await keyboard.press('Enter');
    const items = page.locator('.menu:popover-open').locator('a, button, summary');
    await items.first().waitFor();
    const names = (await items.filter({ visible: true }).allInnerTexts()).map((name) =>
      name.trim(),
    );
    assert.ok(names.length > 3);
    const focused = () =>
      page.evaluate(() => (document.activeElement as HTMLElement).innerText.trim());
    const expected: readonly (readonly [key: string, name: string | undefined])[] = [
      ['ArrowDown', names[0]],
      ['ArrowDown', names[1]],
      ['ArrowUp', names[0]],
      ['ArrowUp', names.at(-1)],
      ['ArrowDown', names[0]],
      ['End', names.at(-1)],
      ['Home', names[0]],
    ];
    const scrolled = await page.evaluate(() => scrollY);
    for (const [key, name] of expected) {
      await keyboard.press(key);
      assert.equal(await focused(), name, key);
    }
    assert.equal(await page.evaluate(() => scrollY), scrolled, 'the page stays');
    await keyboard.press('Escape');
    await items.first().waitFor({ state: 'hidden' });
    assert.ok(await more.evaluate((button) => button === document.activeElement));
    assert.deepEqual(faults, []);
  });

  it('leads through list, memory, changes, settings and the list of the keys', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t);
    const { page, faults } = reader;
    const { keyboard } = page;
    await page.goto(await app.link());
    await page.getByRole('button', { name: /^Sign in as/ }).waitFor();
    await tabTo(page, /^Sign in as/);
    await keyboard.press('Enter');
    await page.getByRole('link', { name: /Voice memo/ }).waitFor();

    await tabTo(page, /Voice memo/);
    await keyboard.press('Enter');
    await page.locator('#L1').waitFor();
    await keyboard.press('u');
    await page.getByRole('link', { name: /Voice memo/ }).waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
    assert.match(await focused(), /Voice memo/, 'Back leads to the same row');

    await tabTo(page, /^Filter/);
    await keyboard.press('g');
    await keyboard.press('s');
    await page.getByRole('heading', { name: 'Reading', level: 1 }).waitFor();
    await keyboard.press('?');
    const sheet = page.getByRole('dialog', { name: 'Keyboard' });
    await sheet.waitFor();
    await checkScreen(page, 'the list of the keys');
    assert.match(await sheet.innerText(), /Everywhere[\s\S]*g\s*s\s+Settings/);
    await keyboard.press('g');
    await keyboard.press('l');
    assert.equal(path(page), 'settings/reading', 'a dialog has keys of its own');
    await keyboard.press('Escape');
    await sheet.waitFor({ state: 'hidden' });
    assert.equal(path(page), 'settings/reading', 'Escape closes the dialog only');

    await tabTo(page, /^Changes/);
    await keyboard.press('Enter');
    await page.getByRole('button', { name: /\d memories imported$/ }).click();
    await page.getByRole('link', { name: /Crystal supplier/ }).waitFor();
    await page.waitForLoadState('networkidle'); // all names are there
    await keyboard.press('j');
    const first = await focused();
    await keyboard.press('ArrowDown');
    assert.notEqual(await focused(), first);
    await keyboard.press('k');
    assert.equal(await focused(), first);
    await keyboard.press('?');
    assert.match(await sheet.innerText(), /On this screen\s+j\s+or\s+↓\s+Next row/);
    await keyboard.press('Escape');
    await sheet.waitFor({ state: 'hidden' });
    assert.equal(await focused(), first, 'the dialog gives the focus back');
    await keyboard.press('Enter');
    await page.locator('#L1').waitFor();
    await keyboard.press('Escape');
    await page.locator('.change').first().waitFor();
    assert.equal(await focused(), first, 'Back leads to the same row');
    await keyboard.press('g');
    await keyboard.press('l');
    await page.getByRole('link', { name: /Voice memo/ }).waitFor();
    assert.deepEqual(faults, []);
  });

  it('has no letters if they are switched off, and a button for the list of the keys', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t);
    const { page, faults } = reader;
    const { keyboard } = page;
    await signIn(reader, app, { path: 'settings/reading' });
    await tabTo(page, /^Single-letter keys$/);
    await keyboard.press('Space');
    await page.reload();
    assert.ok(!(await page.getByLabel('Single-letter keys').isChecked()), 'it is kept');
    await keyboard.press('?');
    await keyboard.press('g');
    await keyboard.press('l');
    assert.equal(path(page), 'settings/reading');
    assert.equal(await page.getByRole('dialog').count(), 0);
    await page.getByRole('button', { name: 'Keyboard' }).click();
    const sheet = page.getByRole('dialog', { name: 'Keyboard' });
    await sheet.getByText('Single-letter keys are off').waitFor();
    assert.deepEqual(await sheet.locator('kbd').allInnerTexts(), ['Esc', 'Ctrl+K']);
    await checkScreen(page, 'the list of the keys without letters');
    await keyboard.press('Escape');
    await sheet.waitFor({ state: 'hidden' });
    await tabTo(page, /^Single-letter keys$/);
    await keyboard.press('Space');
    await keyboard.press('?');
    await sheet.waitFor(); // though the choice has the focus
    assert.deepEqual(faults, []);
  });

  it('leaves fields, modifiers and Enter on a button to the browser', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t);
    const { page, faults } = reader;
    const { keyboard } = page;
    await signIn(reader, app, { path: 'settings/access' });
    await page.getByText('No keys yet').waitFor();
    await page.getByLabel('Base address').focus();
    for (const key of ['g', 'l', 'u', '?']) await keyboard.press(key);
    assert.equal(path(page), 'settings/access');
    assert.equal(await page.getByRole('dialog').count(), 0);

    // What was typed in a field does not begin a pair.
    await keyboard.press('g');
    await page.getByRole('button', { name: 'New key' }).focus();
    await keyboard.press('s');
    assert.equal(path(page), 'settings/access');
    await keyboard.press('Control+g');
    await keyboard.press('Alt+s');
    assert.equal(path(page), 'settings/access');
    await keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'New key' }).waitFor();
    await keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    assert.equal(path(page), 'settings/access');

    // A key that is held down goes back once.
    await page.getByRole('link', { name: 'About' }).click();
    await page.getByText('Imported from').waitFor();
    await keyboard.down('u');
    await page.getByText('No keys yet').waitFor();
    for (const _ of [1, 2, 3]) await keyboard.down('u');
    await keyboard.up('u');
    assert.equal(path(page), 'settings/access');
    assert.deepEqual(faults, []);
  });
});
