// A long meeting in Chromium: landmarks if its source made no chapters, and a summary that is one line when it was read.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';

import type { Page } from 'playwright-core';

import type { ReadDetails } from '../../../src/contract/schemas/details.ts';
import { prepareMemory } from '../../../src/store/import/memory-row.ts';
import { withFileWriterSync } from '../../../src/store/sqlite/writer.ts';
import { readDetails } from '../../support/world/details.ts';
import { lastIfShort } from '../../support/world/thorough.ts';
import { memory } from '../../support/world/world.ts';
import { checkColours, checkScreen, openReader, redeem, serve, skip } from './page.ts';

/** Two hours: a turn every 20 seconds, and every 45th says what is spoken of. */
const LINES = Array.from({ length: 360 }, (_, i) =>
  i % 45 === 20
    ? `Mira: We speak of topic${i + 1} today. ${`topic${i + 1}, which takes long, `.repeat(30)}`
    : `${i % 2 ? 'Tomas' : 'Ana'}: turn ${i + 1}. ${'Let us talk about the milk. '.repeat(6)}`,
);

const SUMMARY = {
  quick_summary: 'About the milk that everybody forgets to buy. '.repeat(18),
  key_takeaways: Array.from({ length: 12 }, (_, i) => `Takeaway ${i + 1}: somebody buys the milk.`),
};

const NO_SUMMARY = { quick_summary: '', key_takeaways: [] };

interface Meeting extends Partial<ReadDetails> {
  readonly width: number;
  readonly summary?: { readonly quick_summary: string; readonly key_takeaways: string[] };
  readonly colorScheme?: 'light' | 'dark';
}

async function open(
  t: TestContext,
  { width, colorScheme = 'light', summary = SUMMARY, ...details }: Meeting,
) {
  const app = await serve(t);
  withFileWriterSync(app.database, (writer) => {
    const plan = memory({ id: 'plan', name: 'Plan', transcript: LINES.join('\n'), summary });
    writer.memories.putReady([prepareMemory('mira', plan, { read: readDetails(details) })]);
  });
  const reader = await openReader(t, {
    viewport: { width, height: 800 },
    colorScheme,
    hasTouch: width < 400,
    isMobile: width < 400,
  });
  await redeem(reader, await app.link());
  const visit = async (path = 'm/plan') => {
    await reader.page.goto(app.at());
    await reader.page.locator('a.row[href$="/plan"]').waitFor();
    await reader.page.goto(app.at(path));
    await reader.page.locator('#L1').waitFor();
  };
  await visit();
  return { ...reader, visit };
}

/** Reads on beyond the summary, until the place is kept. */
async function readOn(page: Page) {
  await page.evaluate(() => scrollTo(0, 6000));
  await page.waitForFunction(() => localStorage.getItem('memories.places.mira') !== null);
}

const landmarks = (page: Page) =>
  page.getByRole('list', { name: 'Landmarks by this app', includeHidden: true });

describe('A long meeting', { skip, timeout: 300_000 }, () => {
  it('has landmarks in the margin, which lead to what is spoken of and say where the reader is', async (t) => {
    const { page, faults } = await open(t, { width: 1280 });
    const links = landmarks(page).getByRole('link');
    await links.first().waitFor();
    assert.equal(await links.count(), 8);
    assert.match((await links.nth(2).textContent()) ?? '', /^We speak of topic111 today\.$/);
    await checkScreen(page, 'landmarks');
    const margins = () =>
      page
        .locator('.outline-page, .strip')
        .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().y));
    const before = await margins();
    await links.nth(2).click();
    await page.locator('#L111.marked').waitFor();
    assert.deepEqual(await margins(), before, 'the same landmark is under the pointer');
    await landmarks(page).locator('[aria-current]').getByText('We speak of topic111').waitFor();
    assert.equal(await landmarks(page).locator('[aria-current]').count(), 1);
    assert.deepEqual(faults, []);
  });

  it('has landmarks by time if its lines have times', async (t) => {
    const line_starts_ms = LINES.map((_, i) => i * 20_000);
    const { page, faults } = await open(t, { width: 1280, line_starts_ms });
    const links = landmarks(page).getByRole('link');
    await links.first().waitFor();
    const texts = await links.allTextContents();
    assert.deepEqual(
      texts.map((text) => text.split(' ·')[0]),
      ['22 min', '40 min', '1 h', '1 h 22 min', '1 h 40 min'],
    );
    await links.nth(1).click();
    await page.locator('#L121.marked').waitFor();
    assert.deepEqual(faults, []);
  });

  it('has, with one speaker alone, the landmarks of that one', async (t) => {
    const { page, faults } = await open(t, { width: 1280 });
    const links = landmarks(page).getByRole('link');
    await links.first().waitFor();
    await page.locator('#L1 .speaker').click();
    const only = page.locator('.only');
    await only.waitFor();
    const lines = (await links.evaluateAll((all) => all.map((a) => a.getAttribute('href')))).map(
      (href) => Number(/^#L(\d+)/.exec(String(href))?.[1]),
    );
    assert.ok(lines.length < 8);
    for (const line of lines) assert.match(String(LINES[line - 1]), /^Ana:/);
    assert.deepEqual(faults, []);
  });

  it('begins in the upper half of a phone, with its length, if it has nothing but its talk', async (t) => {
    const { page, faults } = await open(t, { width: 390, summary: NO_SUMMARY });
    await page.locator('summary', { hasText: 'Landmarks by this app' }).waitFor();
    assert.match((await page.locator('.when').textContent()) ?? '', / ·\u00a0[\d,]+\u00a0words$/);
    assert.equal(await page.getByRole('heading', { name: 'Transcript' }).count(), 0);
    const top = await page.locator('#L1').evaluate((line) => line.getBoundingClientRect().top);
    assert.ok(top <= 340, `the talk begins at ${top} px`);
    const links = page.getByRole('navigation', { name: 'Main' });
    assert.ok(await links.isHidden(), 'the bar has the way back');
    assert.deepEqual(faults, []);
  });

  it('has no landmarks beside the chapters of its source', async (t) => {
    const chapters = [{ title: 'The supplier', line: 40 }];
    const { page, faults } = await open(t, { width: 1280, chapters });
    await page.getByRole('list', { name: 'Chapters' }).getByText('The supplier').waitFor();
    assert.equal(await landmarks(page).count(), 0);
    assert.deepEqual(faults, []);
  });

  it('begins with its talk when its summary was read, which opens by a click and by a key', async (t) => {
    for (const width of lastIfShort([1280, 390])) {
      const { page, faults, visit } = await open(t, {
        width,
        colorScheme: width === 390 ? 'dark' : 'light',
      });
      const lead = page.locator('.lead');
      const fold = page.getByText('Summary · 12 takeaways');
      await landmarks(page).waitFor({ state: 'attached' });
      assert.equal(await lead.isVisible(), true, 'whole at the first visit');
      assert.equal(await fold.isVisible(), false);
      assert.equal(await landmarks(page).isVisible(), width === 1280);
      await readOn(page);

      await visit();
      await fold.waitFor();
      assert.equal(await lead.isVisible(), false);
      const marks = page.locator('summary', { hasText: 'Landmarks by this app' });
      await marks.waitFor();
      assert.equal(await landmarks(page).isVisible(), width === 1280, 'above the text, a line');
      const top = await page.locator('#L1').evaluate((line) => line.getBoundingClientRect().top);
      assert.ok(top < 800, `${width} px: the talk begins at ${top} px`);
      await checkScreen(page, `a summary that was read, ${width} px`);
      await checkColours(page, `a summary that was read, ${width} px`);
      if (width === 390) {
        await marks.click();
        assert.equal(await landmarks(page).isVisible(), true);
      }
      await fold.click();
      assert.equal(await lead.isVisible(), true);
      await page.keyboard.press('Enter');
      assert.equal(await lead.isVisible(), false, 'the focus is on it');
      await page.emulateMedia({ media: 'print' });
      assert.equal(await lead.isVisible(), true, 'paper has it');
      assert.equal(await fold.isVisible(), false);
      await page.emulateMedia({ media: 'screen' });

      // Who comes from a search may have found it there.
      await visit('m/plan?q=everybody');
      await lead.waitFor();
      assert.equal(await fold.isVisible(), false);
      assert.deepEqual(faults, []);
    }
  });
});
