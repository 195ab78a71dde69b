// A memory on paper: long turns go on from one page to the next, and a name stays with its words. Lists have no controls there.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import type { Page } from 'playwright-core';

import { onePageOf } from '../../../src/app/server/one-page.ts';
import { memory } from '../../support/world/world.ts';
import { openReader, put, serve, signIn, skip } from './page.ts';

/** About 30 rows each, more than half of a page. */
const TURNS = Array.from({ length: 10 }, (_, i) => {
  const words = 'the crystal goes back to the supplier on Friday with the milk, and '.repeat(36);
  return `${i % 2 === 0 ? 'Mira' : 'The Acting Chair of the Special Committee on Clocks'}: ${words}${i}.`;
});

/** What ten turns need if they break, and at most one of them is on a page if they do not. */
const MOST_PAGES = 7;

async function pagesOf(page: Page): Promise<number> {
  const pdf = await page.pdf({ format: 'A4', preferCSSPageSize: true });
  return pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;
}

describe('A list on paper', { skip, timeout: 120_000 }, () => {
  it('has its memories, and nothing to press', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t);
    const { page, faults } = reader;
    await signIn(reader, app);
    await page.emulateMedia({ media: 'print' });
    for (const path of [
      '',
      'search?q=fridge',
      'search?person=Mira',
      'people',
      'people/Mira',
      'months/2026-11',
    ]) {
      await page.goto(app.at(path));
      await page.locator(':is(.row, .hit, .named .title, .person-row)').first().waitFor();
      const pressed = page.locator(':is(button, summary, input, .plain, .tabs, .timeline):visible');
      assert.deepEqual(await pressed.allInnerTexts(), [], path);
    }
    assert.deepEqual(faults, []);
  });
});

describe('A memory on paper', { skip, timeout: 120_000 }, () => {
  it('has no page that is nearly blank because the next turn is long', async (t) => {
    const app = await serve(t);
    put(app, memory({ id: 'long', transcript: TURNS.join('\n') }));
    const reader = await openReader(t);
    const { page, faults } = reader;
    await signIn(reader, app, { path: 'm/long' });
    await page.locator('#L10').waitFor();
    const pages = await pagesOf(page);
    assert.ok(pages > 3 && pages <= MOST_PAGES, `${pages} pages`);
    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize({ width: 642, height: 900 }); // what A4 has beside its margins
    const [name, words] = await Promise.all(
      ['#L2 .speaker', '#L2 .said'].map((part) => page.locator(part).boundingBox()),
    );
    assert.ok(name && words && name.x + name.width <= words.x + 1, 'names are in the margin');
    const shown = await page.locator('#L2 .speaker').evaluate(({ scrollHeight, clientHeight }) => ({
      isWhole: scrollHeight <= clientHeight,
      rows: clientHeight / 9,
    }));
    assert.ok(shown.isWhole && shown.rows > 3, 'a long name is whole');
    assert.deepEqual(faults, []);
  });

  it('is as long as a file that was saved', async (t) => {
    const { page } = await openReader(t);
    const about = { title: 'Plan', when: 'Monday', summary: ['About milk.'], first: 1 };
    const total = TURNS.length;
    await page.setContent(onePageOf({ ...about, total, lines: TURNS }, 'Saved today.'));
    const pages = await pagesOf(page);
    assert.ok(pages > 3 && pages <= MOST_PAGES, `${pages} pages`);
  });
});
