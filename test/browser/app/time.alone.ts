// Time in the app: the strip of all years, and the pages of a week and of a month, as somebody uses them who looks for a day.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';

import { memory } from '../../support/world/world.ts';
import { checkScreen, openReader, put, serve, signIn, skip } from './page.ts';

const DAY_MS = 86_400_000;

/** A week in Porto in June 2023, and a memory of each month of the years around it. */
const YEARS = [
  ...Array.from({ length: 48 }, (_, at) =>
    memory({
      id: `month${at}`,
      name: `Choir ${at}`,
      started_at: new Date(Date.UTC(2022, at, 15, 12)).toISOString(),
    }),
  ),
  ...Array.from({ length: 7 }, (_, at) =>
    memory({
      id: `porto${at}`,
      name: `Porto, day ${at + 1}`,
      started_at: new Date(Date.UTC(2023, 5, 10 + at, 12)).toISOString(),
      transcript: 'Mira: This is the bridge of Porto.',
    }),
  ),
];

describe('Somebody who looks for a time', { skip, timeout: 300_000 }, () => {
  async function open(t: TestContext) {
    const app = await serve(t);
    const reader = await openReader(t, { timezoneId: 'UTC', locale: 'en-GB' });
    return { app, reader, page: reader.page };
  }

  it('asks for last Tuesday, on which there was nothing, and sees the week around it', async (t) => {
    const { app, reader, page } = await open(t);
    const today = Date.parse(new Date().toISOString().slice(0, 10));
    const ago = (new Date(today).getUTCDay() - 2 + 7) % 7 || 7;
    // Weeks start on Sunday or Monday, so this day is in the week of the Tuesday anywhere.
    const monday = new Date(today - (ago + 1) * DAY_MS + DAY_MS / 2);
    put(app, memory({ id: 'monday', name: 'Choir', started_at: monday.toISOString() }));
    await signIn(reader, app);
    await page.keyboard.press('/');
    await page.keyboard.type('last tuesday');
    await page.getByRole('link', { name: /^on .*Remove$/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText(/^Nothing on Tue,? (?:\d+ )?\w{3,4}/).waitFor();
    await page.getByRole('link', { name: 'See that week' }).click();
    await page.getByRole('link', { name: /Choir/ }).waitFor();
    await checkScreen(page, 'a week');
    assert.deepEqual(reader.faults, []);
  });

  it('sees a week in Porto at a glance among four years, and goes there with a click', async (t) => {
    const { app, reader, page } = await open(t);
    const summary = { quick_summary: '', key_takeaways: [] };
    const inSpring = ['2022-03-20', '2022-04-20', '2022-05-20'].map((date) =>
      memory({
        id: date,
        name: 'An oboe',
        started_at: `${date}T12:00:00.000Z`,
        is_processing: true,
        summary,
      }),
    );
    put(app, ...YEARS, ...inSpring);
    await signIn(reader, app, { path: 'search?q=porto' });
    const lit = page.locator('.timeline i[title$=": 7 of 8 memories"]');
    await lit.first().waitFor();
    assert.deepEqual(await lit.evaluateAll((bars) => bars.map((bar) => bar.dataset['month'])), [
      '2023-06',
    ]);
    // The first page has 20 of the 48 in the years around it, and the strip has them all.
    await page.goto(app.at('search?q=choir'));
    await page.getByText('Found in 48 of').waitFor();
    const hits = page.locator('.timeline i[title*=": 1 of "]');
    await hits.first().waitFor();
    assert.equal(await hits.count(), 48);
    assert.ok((await page.locator('main section').count()) < 48);
    const height = (title: string) =>
      page
        .locator(`.timeline i[title$="${title}"]`)
        .first()
        .evaluate((bar) => Number(bar.style.getPropertyValue('--lit')));
    assert.ok((await height(': 1 of 1 memory')) >= 1);
    assert.ok((await height(': 1 of 8 memories')) < 0.3);
    await page.goBack();
    await lit.first().waitFor();
    await checkScreen(page, 'hits among the years');
    // Months and years without hits lead nowhere. A year leads to its last month with hits.
    await page.locator('i[title="Jul 2023: 0 of 1 memory"]').click();
    assert.match(page.url(), /search\?q=porto$/);
    const year = (name: string) => page.getByRole('button', { name });
    assert.ok(await year('2024: 0 of 12 memories').isDisabled());
    assert.equal(
      await page.locator('i[title="Jul 2023: 0 of 1 memory"]').evaluate((bar) => {
        const { cursor, backgroundColor } = getComputedStyle(bar);
        return `${bar.matches(':hover')} ${cursor} ${backgroundColor}`;
      }),
      'true default rgba(0, 0, 0, 0)',
    );
    await year('2023: 7 of 19 memories').press('Enter');
    await page.waitForURL(/search\?q=porto&from=2023-06-01&to=2023-06-30$/);
    // Also the bars behind the hits are only of memories in the state that is looked for.
    await page.goto(app.at('search?q=oboe&state=processing'));
    await page.locator('.timeline i[title="Mar 2022: 1 of 1 memory"]').waitFor();
    await page.goto(app.at('search?q=oboe&state=ready'));
    await page.getByText('Nothing says “oboe”').waitFor();
    // A month can be left for another one, also if it has nothing.
    await page.goto(app.at('search?q=choir&from=2023-06-01&to=2023-06-30'));
    await page.locator('[data-month="2022-02"]').click();
    await page.getByRole('link', { name: 'in Feb 2022 Remove' }).waitFor();
    await page.goto(app.at('search?q=porto&from=2022-02-01&to=2022-02-28'));
    await page.getByText('Nothing says “porto”').waitFor();
    // With a person, the bars are only of memories with this person, as the sentence is.
    const days = page.waitForRequest((request) => /\/days\?.*person=Mira/.test(request.url()));
    await page.goto(app.at('search?q=porto&person=Mira&from=2023-06-01&to=2023-06-30'));
    assert.doesNotMatch((await days).url(), /started/);
    await page.goto(app.at('search?q=porto+in+june+2023'));
    await page.getByRole('link', { name: 'in Jun 2023 Remove' }).waitFor();
    await page.goto(app.at('search?q=porto'));
    await lit.click();
    await page.waitForURL(/search\?q=porto&from=2023-06-01&to=2023-06-30$/);
    await page.getByRole('link', { name: 'Newest' }).click();
    await page.getByText('Found in 7 of ').waitFor();
    const names = await page.locator('main section h2 a').allTextContents();
    assert.deepEqual(
      names,
      [7, 6, 5, 4, 3, 2, 1].map((day) => `Porto, day ${day}`),
    );
    assert.deepEqual(reader.faults, []);
  });

  it('jumps in the list to any month by the strip, which shows what is read', async (t) => {
    const { app, reader, page } = await open(t);
    put(app, ...YEARS);
    await signIn(reader, app);
    const strip = page.locator('.timeline');
    const before = await strip.boundingBox();
    await page.locator('[data-month="2023-06"]').click();
    await page.locator('a.row[href$="/porto6"]:focus').waitFor();
    // What is under the pointer is the same month, and its heading is whole.
    const { y = 0, height = 0 } = (await strip.boundingBox()) ?? {};
    assert.ok(Math.abs(y - (before?.y ?? 0)) <= 1, `${before?.y} and ${y}`);
    assert.ok(y + height <= 860);
    const heading = await page.getByText('June 2023', { exact: true }).boundingBox();
    assert.ok((heading?.y ?? -1) >= 0, `${heading?.y}`);
    await page.locator('.timeline i.here[data-month="2023-06"]').waitFor();
    assert.equal(await page.locator('.timeline i.here').count(), 1);
    await page.getByRole('button', { name: '2022: 12 memories' }).press('Enter');
    await page.locator('a.row[href$="/month11"]:focus').waitFor();
    // Also the oldest month, which no scrolling brings to the top of the window.
    await page.reload();
    await page.locator('a.row').first().waitFor();
    await page.locator('.timeline i.here').first().waitFor();
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await page.locator('.timeline button:last-child i.here').waitFor();
    await page.setViewportSize({ width: 390, height: 800 });
    await page.locator('.timeline').waitFor({ state: 'hidden' });
    assert.deepEqual(reader.faults, []);
  });

  it('opens a day from the list, its week with the people who were there, then its month', async (t) => {
    const { app, reader, page } = await open(t);
    const now = new Date().toISOString();
    put(app, memory({ id: 'now', name: 'Choir', started_at: now, transcript: 'Zoë: La, la.' }));
    await signIn(reader, app);
    await page.getByRole('link', { name: /Choir/ }).waitFor();
    await page.locator('.window h2 a').first().click();
    const days = page.getByRole('navigation', { name: 'Days' });
    await days.getByRole('link', { name: 'Week' }).click();
    await page.waitForURL(/\/weeks\//);
    await page.getByRole('link', { name: /Choir/ }).waitFor();
    await days.getByRole('link', { name: 'Month' }).click();
    await page.waitForURL(/\/months\//);
    await page.locator('.months').getByRole('link', { name: 'Choir' }).waitFor();
    await checkScreen(page, 'a month');
    // From each to each, and from the month to a day of it that has memories.
    await days.getByRole('link', { name: 'Day' }).click();
    await page.waitForURL(`**/days/${now.slice(0, 10)}`);
    await page.getByRole('link', { name: /Choir/ }).waitFor();
    for (const unit of ['Day', 'Week', 'Month']) {
      await days.getByRole('link', { name: unit }).click();
      await days.locator('[aria-current=page]', { hasText: unit }).waitFor();
      assert.deepEqual(await days.getByRole('link').allTextContents(), [
        'Day',
        'Week',
        'Month',
        'Year',
      ]);
    }
    // What leads to nothing newer keeps its place.
    for (const unit of ['day', 'week', 'month']) {
      await days.getByRole('link', { name: unit }).click();
      const next = page.getByRole('link', { name: `Next ${unit}`, disabled: true });
      await next.waitFor();
      assert.equal(await next.getAttribute('href'), null);
    }
    await days.getByRole('link', { name: 'Year' }).click();
    await page.getByRole('heading', { name: `Calendar ${now.slice(0, 4)}` }).waitFor();
    await page.goto(app.at('weeks/2026-11-16'));
    await page.getByRole('heading', { name: /^16\s?–\s?22 Nov 2026$/ }).waitFor();
    const names = page.locator('.names a');
    const rest = page.getByRole('button', { name: /^and \d+ others$/ });
    await rest.waitFor();
    assert.equal(await names.count(), 3, 'the memories are not pushed away by names');
    const others = Number(/\d+/.exec(await rest.innerText())?.[0]);
    await rest.click();
    const dialog = page.getByRole('dialog', { name: 'With' });
    await dialog.getByRole('link', { name: 'Henrik' }).waitFor();
    assert.equal(await dialog.getByRole('link').count(), 3 + others);
    assert.equal(
      await dialog.getByText('Mira', { exact: true }).count(),
      0,
      'the reader was there',
    );
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await rest.click();
    await dialog.getByLabel('Find a name').fill('henr');
    await page.keyboard.press('Enter');
    // Of the week, not of all years.
    await page.getByRole('link', { name: 'with Henrik Remove' }).waitFor();
    await page.getByRole('link', { name: /^from (?:Mon,? 16 Nov|16 Nov 2026) Remove$/ }).waitFor();
    await page.goBack();
    await rest.waitFor();
    assert.deepEqual(
      await page
        .locator('.named li:has(.title) .day')
        .evaluateAll((all) => all.map((each) => each.id)),
      ['2026-11-16', '2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20'],
    );
    await page.getByRole('link', { name: /^Previous week: / }).click();
    await page.getByRole('link', { name: /the left ear goes missing/ }).waitFor();
    assert.deepEqual(reader.faults, []);
  });
});
