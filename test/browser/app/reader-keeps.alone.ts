// What the reader keeps and gives away in Chromium: the place where somebody has stopped, one speaker alone, a file, and rich text.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it, type TestContext } from 'node:test';

import type { Page } from 'playwright-core';

import type { Memory } from '../../../src/contract/schemas/memory.ts';
import { prepareMemory } from '../../../src/store/import/memory-row.ts';
import { withFileWriterSync } from '../../../src/store/sqlite/writer.ts';
import { fullDetails } from '../../support/world/details.ts';
import { memory } from '../../support/world/world.ts';
import { checkScreen, openReader, put, redeem, serve, skip } from './page.ts';

const LINES = Array.from(
  { length: 600 },
  (_, i) => `${i % 3 === 0 ? 'Mira' : 'Tomas'}: turn ${i + 1} about <b>milk</b>.`,
);

async function open(t: TestContext) {
  const app = await serve(t);
  const summary = { quick_summary: 'About milk.', key_takeaways: [] };
  put(app, memory({ id: 'plan', name: 'Plan', transcript: LINES.join('\n'), summary }));
  const permissions = ['clipboard-read', 'clipboard-write'];
  const reader = await openReader(t, { timezoneId: 'UTC', permissions });
  await redeem(reader, await app.link());
  return { app, ...reader };
}

/** Longer than the pause before a place is kept. */
const PAUSE_MS = 1500;

/** Reads on, and returns to where somebody was. */
async function readThere(page: Page): Promise<void> {
  await page.waitForTimeout(PAUSE_MS);
  for (const by of [700, -700]) {
    await page.mouse.wheel(0, by);
    await page.waitForTimeout(PAUSE_MS);
  }
}

describe('The reader', { skip, timeout: 300_000 }, () => {
  it('goes on where it was left, and the list says how far that is', async (t) => {
    const { page, app, faults } = await open(t);
    const row = page.getByRole('link', { name: /Plan/ });
    await page.goto(app.at('m/plan#L300'));
    await page.locator('#L300.marked').waitFor();
    await page.waitForTimeout(PAUSE_MS);
    await page.getByRole('link', { name: '← Memories' }).click();
    await row.waitFor();
    assert.doesNotMatch((await row.textContent()) ?? '', /%/, 'a link alone is not read');
    await page.goto(app.at('m/plan#L300'));
    await page.locator('#L300.marked').waitFor();
    await readThere(page);
    await page.getByRole('link', { name: '← Memories' }).click();
    await row.waitFor();
    assert.match((await row.textContent()) ?? '', /4\d\s%/);
    await row.click();
    await page.locator('#L1').waitFor();
    assert.equal(await page.evaluate(() => scrollY), 0);
    await checkScreen(page, 'a memory that was left');
    await page.getByRole('button', { name: /^Continue at 4\d\s%$/ }).click();
    const isThere = () => {
      const { top = -1 } = document.getElementById('L300')?.getBoundingClientRect() ?? {};
      return top > 0 && top < innerHeight;
    };
    await page.waitForFunction(isThere);
    await page.keyboard.press('End');
    await page.locator('.progress').getByText('100 %').waitFor();
    await page.getByRole('link', { name: '← Memories' }).click();
    await row.getByRole('img', { name: 'Read', exact: true }).waitFor();
    assert.deepEqual(faults, []);
  });

  it('keeps the place of who looks up a line, or what one speaker says', async (t) => {
    const { page, app, faults } = await open(t);
    const row = page.getByRole('link', { name: /Plan/ });
    const left = async () => {
      await page.getByRole('link', { name: '← Memories' }).click();
      await row.waitFor();
      return /\d+\s%/.exec((await row.textContent()) ?? '')?.[0];
    };
    await page.goto(app.at('m/plan#L300'));
    await page.locator('#L300.marked').waitFor();
    await readThere(page);
    const kept = await left();
    assert.match(String(kept), /^4\d\s%$/);
    await page.goto(app.at('m/plan#L500'));
    await page.locator('#L500.marked').waitFor();
    assert.equal(await left(), kept, 'a link to a line');
    await row.click();
    await page.locator('#L5 .speaker').click();
    await page.locator('#L4').waitFor({ state: 'detached' });
    await page.mouse.wheel(0, 3000);
    await page.waitForFunction(() => scrollY > 1000);
    assert.equal(await left(), kept, 'one speaker');
    await page.goto(app.at('m/plan#L400'));
    await page.locator('#L400.marked').waitFor();
    await page.mouse.wheel(0, 3000);
    await page.waitForFunction(
      () => (document.getElementById('L400')?.getBoundingClientRect().top ?? 0) < -1000,
    );
    assert.match(String(await left()), /^[67]\d\s%$/, 'who reads on from there');
    assert.deepEqual(faults, []);
  });

  it('shows one speaker alone after a click on the name, and goes from turn to turn', async (t) => {
    const { page, app, faults } = await open(t);
    await page.goto(app.at('m/plan'));
    await page.locator('#L4 .speaker').click();
    await page.getByText('Only Mira · 2 of 200').waitFor();
    const shown = () => page.locator('.line').evaluateAll((all) => all.map(({ id }) => id));
    assert.deepEqual((await shown()).slice(0, 3), ['L1', 'L4', 'L7']);
    assert.equal((await shown()).length, 200);
    await page.locator('#L4 a').focus();
    await page.getByRole('button', { name: 'Next turn' }).click();
    await checkScreen(page, 'one speaker alone');
    await page.mouse.move(600, 500);
    await page.mouse.wheel(0, 1500);
    await page.getByText(/^Only Mira · [2-9]\d\sof\s200$/).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('#L2').waitFor();
    assert.equal((await shown()).length, 600);
    // A link to a line of somebody else shows all.
    await page.getByRole('button', { name: /^Mira/ }).click();
    await page.locator('#L2').waitFor({ state: 'detached' });
    await page.evaluate(() => {
      location.hash = 'L302';
    });
    await page.locator('#L302.marked').waitFor();
    assert.equal((await shown()).length, 600);
    assert.deepEqual(faults, []);
  });

  it('goes to the first turn of a speaker from where somebody reads, and numbers a line on a phone when it is tapped', async (t) => {
    const { page, app, faults } = await open(t);
    await page.setViewportSize({ width: 390, height: 800 });
    const isAtThird = (id: string) =>
      page.waitForFunction(
        (each) =>
          Math.abs((document.getElementById(each)?.getBoundingClientRect().top ?? 0) - 800 / 3) < 3,
        id,
      );
    await page.goto(app.at('m/plan'));
    const number = page.locator('#L1 .number');
    await number.waitFor();
    assert.equal(await number.evaluate((each) => getComputedStyle(each).opacity), '0');
    await page.locator('#L1 .said').click();
    await page.mouse.move(0, 0);
    assert.equal(await number.evaluate((each) => getComputedStyle(each).opacity), '1');
    await page.locator('#L2 .said').click();
    await page.mouse.move(0, 0);
    assert.equal(await number.evaluate((each) => getComputedStyle(each).opacity), '0');
    await page.goto(app.at('m/plan#L300'));
    await page.locator('#L300.marked').waitFor();
    await page.evaluate(() => scrollTo(0, 0));
    const mira = page.getByRole('button', { name: /^Mira/ });
    await mira.click();
    await isAtThird('L1');
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.goto(app.at('m/plan#L299'));
    await page.locator('#L299.marked').waitFor();
    const top = async () => (await page.locator('#L299').boundingBox())?.y ?? 0;
    const before = await top();
    await page.locator('#L299 .speaker').click();
    await page.locator('#L301').waitFor({ state: 'detached' });
    assert.ok(Math.abs((await top()) - before) <= 1, 'a turn whose name is clicked stays');
    assert.deepEqual(faults, []);
  });

  it('saves a memory, or the marked lines, as one file that shows them without anything else', async (t) => {
    const { page, app, context, faults } = await open(t);
    await page.goto(app.at('m/plan'));
    await page.locator('#L1').waitFor();
    const save = async (name: string) => {
      await page.getByRole('button', { name: 'More' }).click();
      const downloading = page.waitForEvent('download');
      await page.getByRole('button', { name }).click();
      const download = await downloading;
      assert.equal(download.suggestedFilename(), 'Plan.html');
      return readFileSync(await download.path(), 'utf8');
    };
    const shown = await context.newPage();
    await shown.setContent(await save('Save as one file'));
    assert.equal(await shown.locator('h1').textContent(), 'Plan');
    assert.equal(await shown.locator('.line').count(), 600);
    assert.match(
      (await shown.locator('#L2').textContent()) ?? '',
      /^Tomasturn 2 about <b>milk<\/b>\.2$/,
    );
    await checkScreen(shown, 'the file');
    await page.goto(app.at('m/plan#L2-3'));
    await page.locator('#L3.marked').waitFor();
    await shown.setContent(await save('Save marked lines as one file'));
    assert.deepEqual(await shown.locator('.line').evaluateAll((all) => all.map(({ id }) => id)), [
      'L2',
      'L3',
    ]);
    assert.deepEqual(faults, []);
  });

  it('saves a memory as plain text, and as the JSON that the API gives, both with the action items', async (t) => {
    const { page, app, faults } = await open(t);
    const item = { text: 'Buy tea', owner: 'Mira', due: null, done: null, line: 1 };
    const talk = memory({
      id: 'talk',
      name: 'Talk',
      started_at: '2026-11-19T09:00:00.000Z',
      summary: { quick_summary: 'About tea.', key_takeaways: ['Tea is good.'] },
      transcript: 'Mira: Tea.',
    });
    withFileWriterSync(app.database, (writer) => {
      writer.memories.putReady([
        prepareMemory('mira', talk, fullDetails({ action_items: [item] })),
      ]);
    });
    await page.goto(app.at('m/talk'));
    await page.locator('#L1').waitFor();
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByText('Other files').click();
    await checkScreen(page, 'the other files');
    const save = async (name: string) => {
      const downloading = page.waitForEvent('download');
      await page.getByRole('button', { name, exact: true }).click();
      return readFileSync(await (await downloading).path(), 'utf8');
    };
    const json = await page.request.get(app.at('v1/memories/talk'));
    const stored = (await json.json()) as Memory;
    const text = await save('Plain text');
    assert.match(text, /^Talk\nThursday,? (?:19 November|November 19)/);
    const { summary, transcript } = stored;
    assert.ok(
      text.includes(
        `\n\n${summary.quick_summary}\n- ${summary.key_takeaways[0]}\n- [ ] Buy tea (Mira)\n`,
      ),
    );
    assert.ok(text.endsWith(`\n\n${transcript}\n`));
    await page.getByRole('button', { name: 'More' }).click();
    const { details, ...rest } = JSON.parse(await save('JSON'));
    assert.deepEqual(rest, stored);
    assert.deepEqual(details.action_items, [item]);
    assert.deepEqual(faults, []);
  });

  it('copies a quote as rich text, with the name as the link', async (t) => {
    const { page, app, faults } = await open(t);
    await page.goto(app.at('m/plan#L2'));
    await page.locator('#L2.marked').waitFor();
    await page.keyboard.press('c');
    await page.getByText('Quote copied').waitFor();
    const html = await page.evaluate(async () => {
      const [item] = await navigator.clipboard.read();
      return (await item?.getType('text/html'))?.text();
    });
    assert.match(html ?? '', /“Tomas: turn 2 about &lt;b&gt;milk&lt;\/b&gt;\.”/);
    assert.match(html ?? '', /<a href="http:[^"]*\/app\/m\/plan#L2~\w{4}"[^>]*>Plan<\/a>/);
    assert.deepEqual(faults, []);
  });
});
