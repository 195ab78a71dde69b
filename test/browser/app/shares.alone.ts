// Shares: marked lines become a page that a stranger reads without a session or a script, until the owner revokes it.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';

import { onePageOf } from '../../../src/app/server/one-page.ts';
import { issued } from '../../support/world/artifacts.ts';
import { checkScreen, openReader, serve, signIn, skip } from './page.ts';

describe('A share', { skip, timeout: 120_000 }, () => {
  it('shows only the lines whose text is selected, also after the dialog has taken the selection away', async (t) => {
    const imports = {} as never; // this app only has to know that it may write
    const app = await serve(t, { app: { shares: true, imports } });
    const owner = await openReader(t);
    await signIn(owner, app, { path: 'm/2026-11-19-standup' });
    const { page } = owner;

    const line = page.locator('#L3 .said, #L3 > :last-child').first();
    await line.click({ clickCount: 3 });
    await page.getByRole('status').getByText('Line 3', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'More' }).click();
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save marked lines as one file' }).click(),
    ]);
    const file = await readFile(await saved.path(), 'utf8');
    assert.equal(file.match(/class="line/g)?.length, 1);
    await line.click({ clickCount: 3 });
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('button', { name: 'Share marked lines' }).click();
    const dialog = page.getByRole('dialog', { name: 'Share' });
    assert.equal(await dialog.getByLabel('line 3 and nothing else').isChecked(), true);
    await dialog.getByRole('button', { name: 'Make a link' }).click();
    await dialog.getByLabel('From').fill('Mira');
    await dialog.getByRole('button', { name: 'Create link' }).click();
    const address = await dialog.getByLabel('Link', { exact: true }).inputValue();
    issued(address.slice(-43));
    await page.goto(address);
    assert.equal(await page.locator('.line').count(), 1);
    assert.deepEqual(owner.faults, []);
  });

  it('is made in the menu of a memory, read by a stranger, and revoked in Settings', async (t) => {
    const imports = {} as never; // this app only has to know that it may write
    const app = await serve(t, { app: { shares: true, imports } });
    const owner = await openReader(t, { locale: 'en-US' });
    await signIn(owner, app, { path: 'm/2026-11-19-standup#L2-3' });
    const { page } = owner;

    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('button', { name: 'Share marked lines' }).click();
    const dialog = page.getByRole('dialog', { name: 'Share' });
    assert.equal(await dialog.getByLabel('lines 2 to 3 and nothing else').isChecked(), true);
    await dialog.getByText('A link works only on this computer').waitFor();
    const overflow = () =>
      page.evaluate(() => getComputedStyle(document.documentElement).overflowY);
    assert.equal(await overflow(), 'hidden', 'what is behind the dialog does not scroll');
    assert.equal(await dialog.locator('button.primary').innerText(), 'Save as one file');
    for (const [what, count] of [
      ['the whole memory', /L1".*L4"/s],
      ['lines 2 to 3', /^(?!.*id="L1").*L3"/s],
    ] as const) {
      await dialog.getByLabel(what).check();
      const saved = page.waitForEvent('download');
      await dialog.getByRole('button', { name: 'Save as one file' }).click();
      const file = await saved;
      assert.match(file.suggestedFilename(), /\.html$/);
      assert.match(await readFile(await file.path(), 'utf8'), count, what);
      await page.getByRole('button', { name: 'More' }).click();
      await page.getByRole('button', { name: 'Share marked lines' }).click();
    }
    // What stands out has the focus, and Enter does it and says so.
    const byEnter = page.waitForEvent('download');
    await page.keyboard.press('Enter');
    const named = (await byEnter).suggestedFilename();
    await page.getByText(`“${named.replaceAll('_', ':')}” saved.`).waitFor();
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('button', { name: 'Share marked lines' }).click();
    // A file has no end and names nobody.
    assert.equal(await dialog.getByLabel(/From|Until/).count(), 0);
    await dialog.getByRole('button', { name: 'Make a link' }).click();
    await dialog.locator('button.primary:focus', { hasText: 'Create link' }).waitFor();
    const week = new Date(Date.now() + 7 * 86_400_000).toLocaleDateString('en-US', {
      dateStyle: 'medium',
    });
    assert.match(await dialog.getByLabel('Until').innerText(), new RegExp(`in 7 days, ${week}`));
    assert.equal(await dialog.getByLabel('From').inputValue(), 'Mira Okafor');
    await checkScreen(page, 'the question');
    await dialog.getByLabel('From').fill('Mira from the lab');
    await dialog.getByRole('button', { name: 'Create link' }).click();
    await dialog.getByText(`It opens only on this computer, until ${week}.`).waitFor();
    await checkScreen(page, 'the link');
    const field = dialog.getByLabel('Link', { exact: true });
    const { hidden, address } = await field.evaluate((element: HTMLTextAreaElement) => ({
      hidden: element.scrollWidth - element.clientWidth + element.scrollTop,
      address: element.value,
    }));
    assert.equal(hidden, 0, 'the address is seen from its start');
    assert.equal(await dialog.locator('button.primary').innerText(), 'Copy');
    const [seen] = await Promise.all([
      owner.context.waitForEvent('page'),
      dialog.getByRole('link', { name: 'See the page' }).click(),
    ]);
    await seen.locator('#L2').waitFor();
    await seen.close();
    assert.match(address, /^http:\/\/[\d.:]+\/s\/[\w-]{43}$/);
    issued(address.slice(-43));
    await page.keyboard.press('Escape');
    await dialog.getByText('You have not copied the link. Close anyway?').waitFor();
    await dialog.getByRole('button', { name: 'Close without copying' }).click();
    await dialog.waitFor({ state: 'detached' });

    const stranger = await openReader(t, {
      viewport: { width: 390, height: 844 },
      colorScheme: 'dark',
      expects: /404|favicon/,
    });
    await stranger.page.goto(address);
    assert.equal(await stranger.page.locator('.line').count(), 2);
    await stranger.page
      .getByText(/^From Mira from the lab\. This page can be opened until \p{L}+ \d+, \d{4}/u)
      .waitFor();
    await stranger.page.getByText(/, November \d+, 2026/).waitFor();
    await checkScreen(stranger.page, 'the page of the link');

    await page.goto(app.at('settings/shares'));
    await page.getByText(/lines 2 to 3 · created .*\d:\d\d [AP]M/u).waitFor();
    await checkScreen(page, 'the list of links');
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog', { name: /^Revoke the link to lines 2 to 3 of “/ }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('No links yet.').waitFor();
    await stranger.page.goto(address);
    await stranger.page.getByText('This link has ended').waitFor();
    assert.deepEqual([...owner.faults, ...stranger.faults], []);
  });

  it('marks in its contents and on its strip where a reader is, as the heading at its top says', async (t) => {
    const lines = Array.from(
      { length: 300 },
      (_, i) => `${i % 2 ? 'Mira' : 'Tomas'}: word ${i + 1}`,
    );
    const texts = ['Milk', 'Bread', 'Tea'];
    const places = texts.map((text, i) => ({ text, line: 50 + i * 90 }));
    const html = onePageOf(
      { title: 'Shopping', when: 'Monday', summary: [], first: 1, total: 300, lines, places },
      'Saved.',
    );
    const { page, faults } = await openReader(t, { viewport: { width: 1280, height: 860 } });
    await page.setContent(html);
    const marked = () =>
      page.evaluate(() => ({
        contents: Array.from(
          document.querySelectorAll('nav a:target-current'),
          (a) => a.textContent,
        ),
        strip: document.querySelectorAll('.score a:target-current').length,
        // What sticks below the strip.
        heading: document.elementFromPoint(500, 58)?.closest('h3')?.textContent ?? '',
      }));
    await page.waitForFunction(() => document.querySelector('nav a:target-current') !== null);
    assert.deepEqual(await marked(), { contents: ['Beginning'], strip: 1, heading: '' });
    for (const text of [...texts, 'Bread']) {
      await page.locator('nav').getByRole('link', { name: text }).click();
      await page.waitForFunction(
        (name) => document.querySelector('nav a:target-current')?.textContent === name,
        text,
      );
      assert.deepEqual(await marked(), { contents: [text], strip: 1, heading: text });
    }
    const name = await page.locator('#L200 b').boundingBox();
    const line = await page.locator('#L200').boundingBox();
    assert.ok(name && line && name.x + name.width < line.x, 'the name is in the margin');
    await checkScreen(page, 'a long page');
    assert.deepEqual(faults, []);
  });
});
