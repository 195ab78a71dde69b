// Quotes in Chromium: from the passage that was found to the words that are pasted, they name who said them.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it, type TestContext } from 'node:test';

import type { Page } from 'playwright-core';

import { memory } from '../../support/world/world.ts';
import { openReader, pasted, put, redeem, serve, skip } from './page.ts';

const LINES = [
  ...Array.from({ length: 12 }, (_, i) => `Tomas: turn ${i + 1} about milk.`),
  'Mira: Okay, but the samovar is full.',
  'Lucía: Then buy a second one.',
  'It fits beside the door.',
  "Henrik: I'll buy a samovar.",
  'Tomas: The end.',
];

async function open(t: TestContext, transcript = LINES.join('\n')) {
  const app = await serve(t);
  put(app, memory({ id: 'standup', name: 'Stand-up', transcript }));
  const reader = await openReader(t, { timezoneId: 'UTC', permissions: ['clipboard-write'] });
  await redeem(reader, await app.link());
  return { app, ...reader };
}

/** A text in a line. */
type Part = readonly [line: number, text: string];

/** Selects a part of the transcript, as by dragging. */
function select(page: Page, [from, start]: Part, [to, end]: Part) {
  return page.evaluate(
    ([first, begin, last, stop]) => {
      const point = (number: number, text: string) => {
        const said = document.querySelector(`#L${number} .said`)?.lastChild;
        return [said, said?.textContent?.indexOf(text) ?? -1] as const;
      };
      const [a, at] = point(first, begin);
      const [b, until] = point(last, stop);
      if (a && b) getSelection()?.setBaseAndExtent(a, at, b, until + stop.length);
    },
    [from, start, to, end] as const,
  );
}

describe('A quote', { skip, timeout: 300_000 }, () => {
  it('is of the line of the passage that was clicked, not of another person in the passage', async (t) => {
    const { page, app, faults } = await open(t);
    await page.goto(app.at('search?q=samovar'));
    await page.getByRole('link', { name: /I'll buy a samovar/ }).click();
    await page.locator('#L16.marked').waitFor();
    assert.match(page.url(), /#L16$/);
    await page.keyboard.press('c');
    await page.getByText('Quote copied').waitFor();
    const quote = await pasted(page);
    assert.ok(quote.startsWith("“Henrik: I'll buy a samovar.”\n— Stand-up, Nov 16, 2026\n"), quote);
    assert.match(quote, /#L16~[0-9a-z]{4}$/);
    await page.goBack();
    await page.getByRole('link', { name: /the samovar is full/ }).click();
    await page.locator('#L13.marked').waitFor();
    assert.deepEqual(faults, []);
  });

  it('is saved as a picture, which is another one for other words and says so if it is shortened', async (t) => {
    const long = `Zoë: ${'word '.repeat(1000)}`;
    const { page, app, faults } = await open(t, [...LINES, long].join('\n'));
    const save = async (line: number) => {
      await page.goto(app.at(`m/standup#L${line}`));
      await page.locator(`#L${line}.marked`).waitFor();
      await page.locator(`#L${line} .number`).click();
      const arrives = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Picture' }).click();
      const file = await arrives;
      const png = readFileSync(await file.path());
      assert.equal(png.subarray(1, 4).toString(), 'PNG');
      return {
        name: file.suggestedFilename(),
        width: png.readUInt32BE(16),
        height: png.readUInt32BE(20),
        png,
      };
    };
    const one = await save(14);
    await page.getByText('Picture saved', { exact: true }).waitFor();
    const other = await save(16);
    assert.deepEqual([one.name, one.width], ['Stand-up, line 14.png', 1200]);
    assert.ok(one.height > 300 && one.height < 700, String(one.height));
    assert.ok(!one.png.equals(other.png));
    const { height } = await save(18);
    assert.ok(height > 2000 && height < 3000, String(height));
    await page.getByText('Picture saved with the beginning of this long quote').waitFor();
    assert.deepEqual(faults, []);
  });

  it('of selected words has the speaker, also of several turns and of a line without one', async (t) => {
    const { page, app, faults } = await open(t);
    await page.goto(app.at('m/standup'));
    await page.locator('#L17').waitFor();
    const quoteOf = async (from: Part, to: Part) => {
      await select(page, from, to);
      await page
        .getByText(from[0] === to[0] ? `Line ${from[0]}` : `Lines ${from[0]} to ${to[0]}`, {
          exact: true,
        })
        .waitFor();
      await page.keyboard.press('c');
      await page.getByText('Quote copied').waitFor();
      const [, quote] = /^“(.*)”\n— /s.exec(await pasted(page)) ?? [];
      return quote;
    };
    assert.equal(await quoteOf([14, 'buy'], [14, 'second']), 'Lucía: buy a second');
    assert.equal(await quoteOf([15, 'fits'], [15, 'door']), 'Lucía: fits beside the door');
    assert.equal(
      await quoteOf([13, 'the samovar'], [14, 'buy']),
      'Mira: the samovar is full.\nLucía: Then buy',
    );
    // Others read it, to whom the owner is not "You".
    put(app, memory({ id: 'own', name: 'Own', transcript: 'User: My words.\nIfe: Yours.' }));
    await page.goto(app.at('m/own'));
    await page.locator('#L1 .speaker', { hasText: 'You' }).waitFor();
    assert.equal(await quoteOf([1, 'My'], [2, 'Yours']), 'Mira Okafor: My words.\nIfe: Yours');
    await page.goto(app.at('m/standup'));
    // A triple click selects up to the next line.
    await page.locator('#L14 .said').click({ clickCount: 3, position: { x: 30, y: 12 } });
    await page.getByText('Line 14', { exact: true }).waitFor();
    assert.deepEqual(faults, []);
  });

  it('can be given up with Escape, which leaves the memory only when nothing is selected', async (t) => {
    const { page, app, faults } = await open(t);
    await page.goto(app.at('m/standup'));
    await page.locator('#L14 .said').dblclick({ position: { x: 30, y: 12 } });
    await page.getByText('Line 14', { exact: true }).waitFor();
    await select(page, [14, ' '], [14, ' ']);
    await page.getByText('Line 14', { exact: true }).waitFor({ state: 'detached' }); // a space says nothing
    await page.locator('#L14 .said').dblclick({ position: { x: 30, y: 12 } });
    await page.getByText('Line 14', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('Line 14', { exact: true }).waitFor({ state: 'detached' });
    assert.equal(await page.evaluate(() => String(getSelection())), '');
    assert.match(page.url(), /\/m\/standup$/);
    await page.keyboard.press('ArrowDown'); // an Escape right after another leaves nothing
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'Memories', level: 1 }).waitFor();
    assert.deepEqual(faults, []);
  });

  it('is looked for in a memory that leads back to the search, or to the day, that led to it', async (t) => {
    const { page, app, faults } = await open(t);
    await page.goto(app.at('search?q=samovar'));
    await page.getByRole('link', { name: /I'll buy a samovar/ }).click();
    await page.locator('#L16.marked').waitFor();
    await page.getByRole('link', { name: '← Search: samovar' }).click();
    await page.getByText('Found in').waitFor();
    assert.match(
      String(await page.locator(':focus').getAttribute('href')),
      /#L16$/,
      'as it was left',
    );
    await page.goto(app.at('days/2026-11-16'));
    await page
      .getByRole('link', { name: /Stand-up/ })
      .first()
      .click();
    await page.getByRole('link', { name: '← Nov 16, 2026' }).click();
    await page.getByRole('heading', { name: /November 16/ }).waitFor();
    // Somebody else got the address.
    await page.goto(app.at('m/standup?q=samovar#L16'));
    await page.getByRole('link', { name: '← Search: samovar' }).click();
    await page.getByText('Found in').waitFor();
    await page.goto(app.at('m/standup'));
    await page.getByRole('link', { name: '← Memories' }).click();
    await page.getByRole('heading', { name: 'Memories', level: 1 }).waitFor();
    assert.deepEqual(faults, []);
  });
});
