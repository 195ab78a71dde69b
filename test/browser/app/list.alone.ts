// The list in a browser: 100,000 memories (or fewer, higher ones), jumps, Back to the same row, news, filters, damage and odd names.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';

import Database from 'better-sqlite3';
import type { Page } from 'playwright-core';

import { prepareMemory } from '../../../src/store/import/memory-row.ts';
import { createDatabase, withFileWriterSync } from '../../../src/store/sqlite/writer.ts';
import { newFolder } from '../../support/world/artifacts.ts';
import { person, readDetails } from '../../support/world/details.ts';
import { sized } from '../../support/world/thorough.ts';
import { memory } from '../../support/world/world.ts';
import { checkScreen, openReader, put, serve, signIn, skip } from './page.ts';

const END = Date.UTC(2026, 10, 20, 18);
const DAY_MS = 86_400_000;
const FIVE_YEARS_MS = 5 * 365.25 * DAY_MS;

interface Account {
  readonly id: string;
  readonly count: number;
  readonly startOf: (index: number) => number;
}

const COUNT = sized(100_000, 25_000);
/** At this size of the text, all of them are too high for a page. */
const LARGE_PX = sized(30, 120);

const YEARS: Account = {
  id: 'mira',
  count: COUNT,
  startOf: (index) => END - Math.floor((index * FIVE_YEARS_MS) / COUNT),
};
/** 8,000 memories on one day, of which 3,000 start at the same moment. */
const ONE_DAY: Account = {
  id: 'day',
  count: 8000,
  startOf: (index) => Date.UTC(2026, 10, 18) + (index < 3000 ? 0 : index * 10_000),
};

function createDatabaseOf(...accounts: readonly Account[]): string {
  const database = join(newFolder(), 'app.db');
  createDatabase(database);
  withFileWriterSync(database, (writer) => {
    for (const { id, count, startOf } of accounts) {
      writer.accounts.create({ id, name: `Account ${id}`, created_by: 'seed' });
      const all = Array.from({ length: count }, (_, index) =>
        memory({ id: `m${index}`, started_at: new Date(startOf(index)).toISOString() }),
      );
      for (let from = 0; from < count; from += 1000)
        writer.memories.putAll(id, all.slice(from, from + 1000));
    }
  });
  return database;
}

/** Waits until a row has the focus, and returns where it is. */
async function focusedRow(page: Page) {
  await page.waitForFunction(() => document.activeElement?.matches('.row') === true);
  return page.evaluate(() => {
    const row = document.activeElement;
    return {
      address: row?.getAttribute('href'),
      day: row?.closest('section')?.querySelector('time')?.dateTime,
      top: row?.getBoundingClientRect().top,
    };
  });
}

type FocusedRow = Awaited<ReturnType<typeof focusedRow>>;

/** Browsers scroll by whole pixels, and rows of 3.75 rem do not end on them. */
function assertSame(now: FocusedRow, earlier: FocusedRow): void {
  assert.deepEqual({ ...now, top: 0 }, { ...earlier, top: 0 });
  assert.ok(Math.abs((now.top ?? 0) - (earlier.top ?? 0)) < 1, `${now.top} is not ${earlier.top}`);
}

/** Looks for changes at once, as the app does when its tab is shown again. */
const lookNow = (page: Page) =>
  page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));

const MOST_ROWS = 60;

describe('The list of the app', { skip, timeout: 600_000 }, () => {
  async function open(t: TestContext, database: string | undefined, account = 'mira') {
    const app = await serve(t, database === undefined ? {} : { database });
    const reader = await openReader(t, { timezoneId: 'Europe/Berlin', expects: /500/ });
    await signIn(reader, app, { account });
    await reader.page.locator('a.row').first().waitFor();
    return { app, reader, page: reader.page };
  }

  it('fills by itself as long as it is empty, and then offers what is new', async (t) => {
    const app = await serve(t);
    const write = (id: string) =>
      withFileWriterSync(app.database, (writer) => writer.memories.putAll('ben', [memory({ id })]));
    withFileWriterSync(app.database, (writer) =>
      writer.accounts.create({ id: 'ben', name: 'Ben', created_by: 'seed' }),
    );
    const reader = await openReader(t);
    await signIn(reader, app, { account: 'ben' });
    await reader.page.getByText('No memories yet').waitFor();
    const filter = reader.page.getByRole('link', { name: 'Filter' });
    assert.equal(await filter.count(), 0, 'there is nothing to filter');
    write('first');
    await lookNow(reader.page);
    await reader.page.locator('a.row').waitFor();
    await filter.waitFor();
    assert.equal(await reader.page.getByText('No memories yet').count(), 0);
    write('second');
    await lookNow(reader.page);
    await reader.page.getByRole('button', { name: '1 new' }).waitFor();
    assert.deepEqual(reader.faults, []);
  });

  it(`of ${COUNT} memories jumps to any year, and Back returns to the same row and focus`, async (t) => {
    const { app, reader, page } = await open(t, createDatabaseOf(YEARS));
    const throttle = await reader.context.newCDPSession(page);
    await throttle.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    await page.goto(app.at('settings/about'));
    await page.goto(app.at());
    await page.locator('a.row').first().waitFor();
    const openedMs = await page.evaluate(() => performance.now());
    t.diagnostic(`open on a CPU throttled 4x: ${Math.round(openedMs)} ms`);
    await throttle.send('Emulation.setCPUThrottlingRate', { rate: 1 });
    await page.evaluate(() => {
      new PerformanceObserver((seen) => {
        const longest = Math.max(...seen.getEntries().map(({ duration }) => duration));
        const { dataset } = document.documentElement;
        dataset['longest'] = String(Math.max(longest, Number(dataset['longest'] ?? 0)));
      }).observe({ type: 'longtask' });
    });

    await page.getByRole('button', { name: /^2022/ }).press('Enter');
    assert.equal((await focusedRow(page)).day, '2022-12-31');
    for (let step = 0; step < 40; step += 1) await page.keyboard.press('j');
    await page.keyboard.press('k');
    const longest = await page.evaluate(() => document.documentElement.dataset['longest']);
    t.diagnostic(`longest task: ${longest ?? 'none over 50'} ms`);
    const rows = await page.locator('[data-row]').count();
    assert.ok(rows > 10 && rows < MOST_ROWS, `${rows} rows are rendered`);
    const there = await focusedRow(page);

    await page.keyboard.press('Enter');
    await page.locator('#L1').waitFor();
    await page.goBack();
    assertSame(await focusedRow(page), there);
    await page.keyboard.press('o');
    await page.locator('#L1').waitFor();
    await page.reload();
    await page.locator('#L1').waitFor();
    withFileWriterSync(app.database, (writer) =>
      writer.memories.putAll('mira', [
        memory({ id: 'new', started_at: new Date(END + DAY_MS).toISOString() }),
      ]),
    );
    await page.goBack();
    // After a reload, and with a new memory above.
    assertSame(await focusedRow(page), there);

    await page.keyboard.press('End');
    await page.locator(`a.row[href$="/m${COUNT - 1}"]:focus`).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('d');
    await page.locator('a.row[href$="/new"]:focus').waitFor();

    // If all years are too high for a page, each is shown alone.
    await page.addInitScript((pixels) => {
      addEventListener('DOMContentLoaded', () => {
        document.documentElement.style.fontSize = `${pixels}px`;
      });
    }, LARGE_PX);
    await page.goto(app.at());
    await page.locator('a.row').first().waitFor();
    await page.getByRole('button', { name: /^2023/ }).press('Enter');
    await page.locator('section:has(time[datetime="2023-12-31"]) a.row:focus').waitFor();
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    assert.ok(height > 1_000_000 && height < 8_000_000, `${height} pixels`);
    await page.keyboard.press('End');
    await page.locator('section:has(time[datetime="2023-01-01"]) a.row:focus').waitFor();
    await page.keyboard.press('Enter');
    await page.locator('#L1').waitFor();
    await page.goBack();
    await page.locator('section:has(time[datetime="2023-01-01"]) a.row:focus').waitFor();
    assert.deepEqual(reader.faults, []);
  });

  it('of thousands of memories on one day reads what is near the window', async (t) => {
    const { reader, page } = await open(t, createDatabaseOf(ONE_DAY), 'day');
    await page.keyboard.press('End');
    assert.equal((await focusedRow(page)).day, '2026-11-18');
    for (const part of [0.5, 0.9, 0.1]) {
      await page.evaluate((share) => scrollTo(0, document.body.scrollHeight * share), part);
      await page.waitForFunction(() => {
        const row = document.elementFromPoint(innerWidth / 2, innerHeight / 2);
        return row?.closest('a.row') !== null;
      });
      const rows = await page.locator('[data-row]').count();
      assert.ok(rows > 10 && rows < MOST_ROWS, `${rows} rows are rendered`);
    }
    assert.deepEqual(reader.faults, []);
  });

  it('says that memories are new without moving what is read, and refreshes what changed', async (t) => {
    const { app, reader, page } = await open(t, undefined, 'many');
    await page.waitForResponse(/changes/).catch(() => undefined);
    for (let step = 0; step < 30; step += 1) await page.keyboard.press('ArrowDown');
    const there = await focusedRow(page);
    const id = there.address?.split('/').at(-1) ?? '';
    const started_at = await page.locator(`a[href$="${id}"] time`).getAttribute('datetime');
    withFileWriterSync(app.database, (writer) => {
      const added = Array.from({ length: 500 }, (_, index) =>
        memory({ id: `new${index}`, started_at: new Date(END + index).toISOString() }),
      );
      writer.memories.putAll('many', added);
      writer.memories.putAll('many', [
        memory({ id, name: 'Another name', started_at: started_at ?? '' }),
      ]);
    });
    await lookNow(page);
    await page.getByRole('button', { name: '500 new' }).waitFor();
    await page.getByRole('link', { name: /Another name/ }).waitFor();
    assertSame(await focusedRow(page), there);
    await checkScreen(page, 'news');
    await page.getByRole('button', { name: '500 new' }).click();
    await page.getByRole('button', { name: '500 new' }).waitFor({ state: 'detached' });
    const row = page.getByRole('link', { name: /Another name/ });
    const top = await row.evaluate((link) => link.getBoundingClientRect().top);
    assertSame({ ...there, top }, there);
    await page.locator('h1:focus').waitFor(); // the button had it
    await page.keyboard.press('Home');
    await page.locator('a.row[href$="/new499"]:focus').waitFor();
    assert.deepEqual(reader.faults, []);
  });

  it('begins with whole sentences, and tells with whom the owner was this week, what is new, and how long it is', async (t) => {
    const app = await serve(t, { app: { startCommand: 'npm start' } });
    const now = new Date().toISOString();
    const talk = memory({ id: 'now', started_at: now, ended_at: now, duration_seconds: 0 });
    const people = [person('Ann', { words: 1800 }), person('Ben', { words: 40 })];
    withFileWriterSync(app.database, (writer) => {
      writer.memories.putReady([prepareMemory('mira', talk, { read: readDetails({ people }) })]);
    });
    const reader = await openReader(t);
    await signIn(reader, app);
    const note = reader.page.locator('.notice');
    await note.waitFor();
    assert.match(await note.innerText(), /stop it and run npm start\.$/);
    await reader.page.getByText('This week: 1 memory with Ann, Ben').waitFor();
    await reader.page.getByRole('link', { name: 'This week: 1 memory' }).click();
    await reader.page.waitForURL(/\/weeks\//);
    await reader.page.goBack();
    const row = reader.page.locator('a.row').first();
    await row.getByText('1.8k words').waitFor();
    await row.getByTitle('Not opened yet').waitFor();
    await row.getByTitle('Ann, Ben').waitFor();
    // What is older than a week and comes by an import is no news.
    const weights = await reader.page
      .locator('.row .title')
      .evaluateAll((all) => all.map((title) => getComputedStyle(title).fontWeight));
    assert.deepEqual([weights[0], new Set(weights.slice(1))], ['600', new Set(['500'])]);
    assert.deepEqual(reader.faults, []);
  });

  it('has rows whose ring is beside their texts, and a menu that stands before the account is known', async (t) => {
    const { reader, page } = await open(t, undefined);
    await page.keyboard.press('j');
    await page.locator('a.row:focus').waitFor();
    const free = await page.locator('a.row:focus').evaluate((row) => {
      const box = (part: string) => row.querySelector(part)?.getBoundingClientRect();
      const { left, right } = row.getBoundingClientRect();
      return [(box('.at')?.left ?? 0) - left, right - (box('.length')?.right ?? 0)];
    });
    for (const pixels of free) assert.ok(pixels >= 4, String(free));
    // As it was the last time, until the gateway has answered.
    const told = Promise.withResolvers<void>();
    await page.route('**/app/v1/me', async (route) => {
      await told.promise;
      await route.continue();
    });
    await page.evaluate(() => localStorage.setItem('memories.rights', 'import change bin'));
    await page.reload();
    for (const name of ['Import', 'Bin'])
      await page.getByRole('link', { name, exact: true }).waitFor();
    await page.getByText('Mira Okafor', { exact: true }).waitFor();
    told.resolve();
    // It is read-only. The name of the account was there before the answer.
    await page.getByRole('link', { name: 'Import', exact: true }).waitFor({ state: 'detached' });
    const rights = await page.evaluate(() => localStorage.getItem('memories.rights'));
    assert.doesNotMatch(rights ?? '', /import|change|bin/);
    assert.deepEqual(reader.faults, []);
  });

  it('is filtered by limits of a search, also from an address of the list', async (t) => {
    const { app, reader, page } = await open(t, undefined);
    await page.getByRole('link', { name: 'Filter' }).click();
    await page.locator('summary', { hasText: 'Filter' }).waitFor();
    await page.getByRole('heading', { name: 'Memories', level: 1 }).waitFor();
    await page.getByLabel('State').selectOption('processing');
    await page.getByRole('link', { name: /Crystal supplier/ }).waitFor();
    assert.equal(await page.locator('a.row').count(), 1);
    const shown = page.getByRole('navigation').locator('[aria-current=page]');
    assert.deepEqual(await shown.allInnerTexts(), ['Memories'], 'the list is where a filter is');
    await page.getByLabel('From').fill('2026-11-21');
    await page.getByText('Nothing from ').waitFor();
    await checkScreen(page, 'nothing passes');
    await page.getByRole('link', { name: /^from / }).click();
    await page.getByRole('link', { name: /Crystal supplier/ }).waitFor();
    await page.goto(app.at('?q=fridge'));
    await page.waitForURL(/search\?q=fridge&sort=newest$/);
    await page.getByText('Found in 3 of 17 memories').waitFor();
    await page.goto(app.at('?q=fridge&person=Nobody'));
    await page.getByText('Nothing says “fridge” within these limits.').waitFor();
    await page.getByRole('link', { name: /^with Nobody/ }).click();
    await page.getByText('Found in 3 of 17 memories').waitFor();
    await page.goto(app.at('?person=Henrik&person=Mira'));
    await page.getByText('34 days without such memories').waitFor();
    await page.goto(app.at('people/Henrik'));
    await page.getByText('34 days without Henrik').waitFor();
    await page.getByRole('link', { name: 'Memories' }).click();
    await page.getByText('25 days without memories').waitFor();
    assert.deepEqual(reader.faults, []);
  });

  it('shows one damaged memory as such, and all others', async (t) => {
    const { app, reader, page } = await open(t, undefined, 'many');
    const db = new Database(app.database);
    db.exec(`UPDATE memories SET slim_sha256 = hex(zeroblob(32)) WHERE id = 'm100'`);
    db.close();
    await page.reload();
    await page.getByText('This memory is damaged').waitFor();
    await checkScreen(page, 'a damaged memory in the list');
    for (let step = 0; step < 22; step += 1) await page.keyboard.press('j');
    await page.locator('a.row[href$="/m098"]:focus').waitFor();
    assert.deepEqual(reader.faults, []);
  });

  it('shows in small who spoke how much, and names them where nothing else is known', async (t) => {
    const app = await serve(t);
    const at = '2026-11-22T10:00:00.000Z';
    const talk = { id: 'talk', name: 'Talk', started_at: at, ended_at: at, duration_seconds: 4 };
    const people = [person('Ann', { words: 30 }), person('Ben', { words: 10 })];
    const summary = { quick_summary: '', key_takeaways: [] };
    withFileWriterSync(app.database, (writer) => {
      const details = { read: readDetails({ people }) };
      writer.memories.putReady([prepareMemory('mira', memory({ ...talk, summary }), details)]);
    });
    const reader = await openReader(t);
    const { page, faults } = reader;
    await signIn(reader, app);
    const row = page.locator('a.row[href$="/talk"]');
    await row.getByText('Ann, Ben').waitFor();
    const widths = await row
      .locator('.share-bar span')
      .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().width));
    const [ann = 0, ben = 0] = widths;
    assert.equal(widths.length, 2);
    assert.ok(Math.abs(ann / ben - 3) < 0.1, widths.join());
    // A length ends where all others do, also if it is shorter than the score.
    const ends = await page.locator('.row .length').evaluateAll((all) =>
      all.map((length) => {
        const range = new Range();
        range.selectNodeContents(length.lastChild ?? length);
        return Math.round(range.getBoundingClientRect().right);
      }),
    );
    assert.equal(new Set(ends).size, 1, ends.join());
    // One person alone has no score.
    const memo = page.locator('a.row', { hasText: 'Voice memo' });
    assert.equal(await memo.locator('.share-bar').count(), 0);
    assert.deepEqual(faults, []);
  });

  it('has in every row two lines, and on a phone days that nothing cuts', async (t) => {
    const app = await serve(t);
    const day = (id: string, started_at: string, transcript: string) =>
      memory({ id, started_at, transcript, summary: { quick_summary: '', key_takeaways: [] } });
    put(
      app,
      day('words', '2026-11-22T10:00:00.000Z', 'I was thinking of the balcony.'),
      day('empty', '2026-11-23T10:00:00.000Z', ''),
      day('again', '2026-11-23T11:00:00.000Z', ''),
      day('old', '2019-05-30T10:00:00.000Z', ''),
      {
        ...day('long', '2026-11-23T12:00:00.000Z', 'I was thinking of the balcony.'),
        name: 'Interview: Wanjiru M., embedded engineer',
      },
    );
    const reader = await openReader(t);
    const { page, faults } = reader;
    await signIn(reader, app);
    const gist = (id: string) => page.locator(`a.row[href$="/${id}"] .gist`);
    await gist('words').getByText('I was thinking of the balcony.').waitFor();
    await gist('empty').getByText('No transcript').waitFor();
    const two = page.locator('.window h2', { has: page.locator('[datetime="2026-11-23"]') });
    assert.match((await two.textContent()) ?? '', /23(?:\sNov)?$/, 'no number without its length');
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 640 });
      await page.keyboard.press('Home');
      const long = await page.locator('a.row[href$="/long"]').evaluate((row) =>
        ['.title', '.gist'].map((part) => {
          const { scrollHeight = 0, clientHeight = 0 } = row.querySelector(part) ?? {};
          return [scrollHeight <= clientHeight, clientHeight > 0];
        }),
      );
      // On a narrow phone the end of this name is cut.
      assert.deepEqual(long, [
        [width === 390, true],
        [false, false],
      ]);
      const cut = () =>
        page.locator('.window h2').evaluateAll((all) =>
          all.flatMap((heading) => {
            const range = new Range();
            range.selectNodeContents(heading);
            const { right, bottom } = range.getBoundingClientRect();
            const box = heading.getBoundingClientRect();
            return right > box.right || bottom > box.bottom ? heading.textContent : [];
          }),
        );
      assert.deepEqual(await cut(), [], `${width} px`);
      await page.keyboard.press('End');
      await page.locator('a.row[href$="/old"]:focus').waitFor();
      assert.deepEqual(await cut(), [], `${width} px, another year`);
    }
    assert.deepEqual(faults, []);
  });

  it('keeps its rows until it is read again', async (t) => {
    const { reader, page } = await open(t, undefined);
    const read = Promise.withResolvers<void>();
    await page.route('**/v1/days?*', async (route) => {
      await read.promise;
      await route.continue();
    });
    const asked = page.waitForRequest('**/v1/days?*');
    await page.getByRole('link', { name: 'Memories', exact: true }).click();
    await asked;
    assert.ok((await page.locator('a.row').count()) > 5);
    assert.equal(await page.locator('.loading').count(), 0);
    read.resolve();
    await page.locator('a.row').first().waitFor();
    assert.deepEqual(reader.faults, []);
  });

  it('takes at most 52 pixels for a day with one memory', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t);
    const { page, faults } = reader;
    await signIn(reader, app);
    await page.locator('a.row').first().waitFor();
    const heights = await page.locator('.window section').evaluateAll((days) =>
      days
        .filter((day) => day.querySelector('.gap') === null)
        .filter((day) => day.querySelectorAll('.row').length === 1)
        .map((day) => day.getBoundingClientRect().height),
    );
    assert.ok(heights.length > 2);
    assert.ok(Math.max(...heights) <= 52, heights.join());
    assert.deepEqual(faults, []);
  });

  it('shows every name as text, in a row of the same height', async (t) => {
    const names = {
      html: '<img src=x onerror=alert(1)><b>bold</b>',
      bidi: 'report \u202Egnp.exe',
      invisible: '\u200B\u2060\u3164',
      long: 'long '.repeat(2000).trim(),
    };
    const { app, reader, page } = await open(t, undefined);
    withFileWriterSync(app.database, (writer) =>
      writer.memories.putAll(
        'mira',
        Object.entries(names).map(([id, name]) =>
          memory({ id, name, started_at: '2026-11-21T09:00:00.000Z' }),
        ),
      ),
    );
    await page.reload();
    const row = (id: string) => page.locator(`a[href$="/m/${id}"]`);
    await row('html').waitFor();
    assert.equal(await row('html').locator('.title').textContent(), names.html);
    assert.match((await row('invisible').textContent()) ?? '', /Untitled/);
    // A name is shown up to 300 characters.
    const shown = `${'long '.repeat(60)}…`;
    assert.equal(await page.getByRole('link', { name: shown }).count(), 1);
    assert.equal(await page.getByRole('link', { name: names.long }).count(), 0);
    const heights = await page
      .locator('.rows > li')
      .evaluateAll((all) => [...new Set(all.map((each) => each.getBoundingClientRect().height))]);
    assert.equal(heights.length, 1, `rows of ${heights.join(' and ')}`);
    await page.setViewportSize({ width: 320, height: 640 });
    await checkScreen(page, 'odd names, 320 px');
    assert.deepEqual(reader.faults, []);
  });
});
