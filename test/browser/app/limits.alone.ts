// Limits of a search in a browser: phrases become chips, chips are removed by mouse and keyboard, and the address has them.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { prepareMemory } from '../../../src/store/import/memory-row.ts';
import { withFileWriterSync } from '../../../src/store/sqlite/writer.ts';
import { person, readDetails } from '../../support/world/details.ts';
import { memory } from '../../support/world/world.ts';
import { checkScreen, openReader, put, serve, signIn, skip } from './page.ts';

describe('A search in the app', { skip, timeout: 300_000 }, () => {
  it('takes "with Henrik" and "in november" as limits while they are typed, and gives them up one by one', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t, { locale: 'en-US' });
    const { page, faults } = reader;
    await signIn(reader, app);
    const box = page.getByRole('searchbox', { name: 'Search' });
    await box.fill('fridge with henrik in november 2026');
    const days = page.getByRole('link', { name: 'in Nov 2026 Remove' });
    await days.waitFor();
    const henrik = page.getByRole('link', { name: 'with Henrik Remove' });
    await henrik.waitFor();
    assert.equal(await box.inputValue(), 'fridge with henrik in november 2026');
    await page.getByText("I'll buy a fridge").waitFor();
    const names = await page.locator('section h2 bdi').allTextContents();
    assert.ok(names.includes('Stand-up: 2.8.3 is out'));
    // With a person as well, the months are shown, and what has none of the words is no result.
    await page.locator('.timeline button').waitFor();
    const context = page.locator('.passage', { hasText: 'Short one today' });
    assert.equal(await context.locator('.said.note').count(), 1);
    assert.equal(await page.locator('.passage.found:not(:has(mark))').count(), 0);
    const middles = await page
      .locator('.chip, .understood[role=status], .filters > summary')
      .evaluateAll((all) =>
        all.map((each) => {
          const { top, bottom } = each.getBoundingClientRect();
          return (top + bottom) / 2;
        }),
      );
    assert.ok(
      Math.max(...middles) - Math.min(...middles) < 1.5,
      `${middles.join(' ')} are on one line`,
    );
    await checkScreen(page, 'limits');

    await page.reload();
    await henrik.waitFor();
    await henrik.focus();
    await page.keyboard.press('Enter');
    await henrik.waitFor({ state: 'detached' });
    assert.equal(await box.inputValue(), 'fridge in november 2026');
    await days.click();
    await page.waitForURL(/search\?q=fridge$/);
    await page.getByText(/Found in \d+ of 17 memories/).waitFor();
    assert.deepEqual(faults, []);
  });

  it('gives up the limits that were typed with their words, also after a reload, and keeps those of the fields', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t, { locale: 'en-US' });
    const { page, faults } = reader;
    await signIn(reader, app, { path: 'search?from=2026-11-01&to=2026-11-30' });
    const box = page.getByRole('searchbox', { name: 'Search' });
    const month = page.getByRole('link', { name: 'in Nov 2026 Remove' });
    await month.waitFor();
    await box.fill('fridge with henrik');
    const henrik = page.getByRole('link', { name: 'with Henrik Remove' });
    await henrik.waitFor();
    await page.reload();
    await henrik.waitFor();
    await box.fill('milk');
    await henrik.waitFor({ state: 'detached' });
    assert.ok(await month.isVisible());
    await page.waitForURL(/from=2026-11-01&to=2026-11-30&q=milk$/);
    // A month that is typed is meant instead of that of the fields.
    await box.fill('milk in october 2026');
    await page.getByRole('link', { name: 'in Oct 2026 Remove' }).waitFor();
    assert.equal(await month.count(), 0);
    assert.deepEqual(faults, []);
  });

  it('can be limited by fields as well, each with the names that there are', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t);
    const { page, faults } = reader;
    await signIn(reader, app, { path: 'search?q=fridge' });
    const toggle = page.getByText('Filter', { exact: true });
    const corner = async () => {
      const { x, y } = (await toggle.boundingBox())!;
      return [x, y];
    };
    const closed = await corner();
    await toggle.click();
    await page.getByLabel('Tag').waitFor();
    assert.deepEqual(await corner(), closed, 'a second click closes it again');
    const options = await page.getByLabel('Tag').locator('option').allTextContents();
    const counts = options.slice(1).map((text) => Number(/ · (\d+)$/.exec(text)?.[1]));
    assert.ok(counts.length > 1);
    assert.deepEqual(
      counts,
      counts.toSorted((a, b) => b - a),
    );
    await page.getByLabel('Tag').selectOption('Work');
    await page.getByRole('link', { name: 'tag Work Remove' }).waitFor();
    await page.getByLabel('With', { exact: true }).fill('Henrik');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'with Henrik Remove' }).waitFor();
    assert.match(page.url(), /search\?q=fridge&tag=Work&person=Henrik$/);
    await page.getByText("I'll buy a fridge").waitFor();
    await checkScreen(page, 'fields');
    assert.deepEqual(faults, []);
  });

  it('takes the only name that completes what is typed, offers several, keeps a name of nobody, and counts what passes', async (t) => {
    const app = await serve(t);
    const people = ['Uma Alt', 'Uma Berg', 'Uma Alt & Uma Berg'].map((name) => person(name));
    withFileWriterSync(app.database, (writer) => {
      const details = { read: readDetails({ people }) };
      const older = memory({ id: 'uma', started_at: '2020-01-01T09:00:00.000Z' });
      writer.memories.putReady([prepareMemory('mira', older, details)]);
    });
    const reader = await openReader(t);
    const { page, faults } = reader;
    await signIn(reader, app);
    await page.getByRole('link', { name: 'Filter' }).click();
    await page.locator('#from:focus').waitFor();
    await page.getByText('18 memories', { exact: true }).waitFor();
    assert.equal(await page.getByLabel('Source').count(), 0, 'all are of one source');
    const field = page.getByLabel('With', { exact: true });
    await field.fill('Hexe');
    await field.press('Enter');
    await page.getByText('Nobody is called “Hexe”').waitFor();
    assert.equal(await field.inputValue(), 'Hexe');
    assert.equal(await page.locator('.chip').count(), 0);
    await checkScreen(page, 'a name of nobody');
    await field.fill('Hen');
    assert.equal(await page.getByText('Nobody is called').count(), 0);
    await field.press('Enter');
    await page.getByRole('link', { name: 'with Henrik Remove' }).waitFor();
    await page.getByText('6 of 18 memories', { exact: true }).waitFor();
    await page.getByRole('heading', { name: 'Memories', level: 1 }).waitFor();
    assert.equal(await field.inputValue(), '');

    // The fields lie above the list, which keeps its place, and close when somebody goes on there.
    const top = () => page.locator('.window').evaluate((each) => each.getBoundingClientRect().top);
    const open = await top();
    await page.locator('h1').click();
    await page.locator('.filters:not([open])').waitFor();
    assert.equal(await top(), open);
    await page.locator('summary', { hasText: 'Filter' }).click();
    await page.getByLabel('Tag').waitFor();
    assert.equal(await top(), open);

    // Several people of a name are offered, below fields that stay where they are.
    const tops = () =>
      page
        .locator('.filters label > *')
        .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().top));
    const before = await tops();
    assert.ok(new Set(before).size <= 2, `${before.join(' ')} are on two lines at most`);
    await field.fill('Uma');
    await field.press('Enter');
    await page.getByText('Who is meant by “Uma”?').waitFor();
    assert.deepEqual(await tops(), before);
    const offered = page.locator('.filters .chips button');
    assert.deepEqual(await offered.allTextContents(), ['Uma Alt 1', 'Uma Berg 1']);
    await checkScreen(page, 'people of a name');
    await page.getByRole('button', { name: 'Uma Berg' }).click();
    await page.getByRole('link', { name: 'with Uma Berg Remove' }).click();
    await offered.first().waitFor({ state: 'detached' });

    // On a phone the fields fold, so that what passes is on the screen.
    await page.setViewportSize({ width: 390, height: 800 });
    await page.getByLabel('Tag').selectOption('Work');
    await page.locator('.filters:not([open])').waitFor();
    await page.locator('.filters summary:focus').waitFor();

    // Escape folds them as well, and leaves a filter without limits.
    await page.keyboard.press('Enter');
    // Its choices come once the app knows that it is open, which a browser says after it has opened.
    await page.getByLabel('Tag').locator('option').nth(1).waitFor({ state: 'attached' });
    await page.getByLabel('From').press('Escape');
    await page.locator('.filters:not([open]) summary:focus').waitFor();
    await page.goto(app.at());
    await page.getByRole('link', { name: 'Filter' }).click();
    await page.getByLabel('From').press('Escape');
    await page.getByRole('link', { name: 'Filter' }).waitFor();
    assert.deepEqual(faults, []);
  });

  it('without words lists the memories of a day, such as last Tuesday', async (t) => {
    const app = await serve(t);
    const now = new Date();
    const ago = (now.getUTCDay() - 2 + 7) % 7 || 7;
    const tuesday = new Date(
      Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() - ago, 12),
    );
    put(app, memory({ id: 'tuesday', name: 'Choir', started_at: tuesday.toISOString() }));
    const reader = await openReader(t, { timezoneId: 'UTC' });
    const { page, faults } = reader;
    await signIn(reader, app);
    const box = page.getByRole('searchbox', { name: 'Search' });
    await box.fill('last tuesday');
    const day = page.getByRole('link', { name: /^on .* Remove$/ });
    await day.waitFor();
    await page.getByRole('link', { name: /Choir/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('h1:focus').waitFor();
    await page.reload();
    await day.waitFor();
    assert.equal(await box.inputValue(), 'last tuesday ');
    await page.getByRole('link', { name: /Choir/ }).click();
    await page.getByRole('heading', { name: 'Choir' }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: /Choir/ }).waitFor();
    await checkScreen(page, 'memories of a day');
    // Its words can be looked for instead.
    await page.getByRole('link', { name: 'Search as typed' }).click();
    await page.getByText('Nothing says “last tuesday”').waitFor();
    await page.goBack();
    await box.fill('last tuesday');
    await day.click();
    // Without its only limit, all memories are meant.
    await page.waitForURL(/\/app\/$/);
    // For a word that is a month as well, the month is offered.
    await box.fill('may');
    await page.getByRole('link', { name: /^All in May \d{4}$/ }).click();
    await page.getByRole('link', { name: /^in May \d{4} Remove$/ }).waitFor();
    await page.waitForURL(/search\?from=\d{4}-05-01&to=\d{4}-05-31$/);
    assert.deepEqual(faults, []);
  });

  it('shows the passages of the newest memories first, and says if there are none', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t);
    const { page, faults } = reader;
    await signIn(reader, app, { path: 'search?q=fridge' });
    const status = page.getByText('Found in 3 of 17 memories');
    await status.waitFor();
    await page.getByText('Filter', { exact: true }).click();
    await page.locator('.filters[open]').waitFor();
    await page.getByRole('link', { name: 'Newest' }).click();
    await page.waitForURL(/search\?q=fridge&sort=newest$/);
    const sections = page.locator('main section');
    await sections.first().getByText('2.8.3 is out').waitFor();
    await status.waitFor();
    assert.equal(await page.locator('.filters[open]').count(), 0, 'folded again');
    await checkScreen(page, 'newest first');
    const times = await sections
      .locator('h2 time')
      .evaluateAll((all) => all.map((each) => each.getAttribute('datetime')));
    assert.equal(times.length, 3);
    for (const section of await sections.all())
      assert.ok((await section.locator('.said mark', { hasText: /fridge/i }).count()) > 0);
    assert.equal(await page.locator('h2 mark').innerText(), 'fridge');
    await page.locator('.timeline [data-month="2026-11"]').waitFor();
    assert.deepEqual(
      times,
      times.toSorted((a, b) => String(b).localeCompare(String(a))),
    );
    await page.goto(app.at('search?from=2020-01-01&to=2020-01-02'));
    await page.getByText('Nothing from ').waitFor();
    await checkScreen(page, 'no such memories');
    await page.goto(app.at('search?tag=work'));
    await page.getByRole('link', { name: /Crystal supplier/ }).waitFor();
    assert.equal(await page.locator('a.row').count(), 8, 'the folder Work');
    assert.deepEqual(faults, []);
  });
});

describe('The first screen of the app', { skip, timeout: 300_000 }, () => {
  it('leads back to where somebody stopped, and to this day a year ago', async (t) => {
    const app = await serve(t);
    const now = new Date();
    const past = new Date(
      Date.UTC(now.getUTCFullYear() - 1, now.getUTCMonth(), now.getUTCDate(), 9),
    );
    put(app, memory({ id: 'past', name: 'First snow', started_at: past.toISOString() }));
    const reader = await openReader(t, {
      timezoneId: 'UTC',
      viewport: { width: 900, height: 500 },
    });
    const { page, faults } = reader;
    await signIn(reader, app);
    await page.getByRole('link', { name: 'A year ago today' }).waitFor();
    await page.locator('.card').getByText('First snow').waitFor();
    assert.equal(await page.getByText(/^Continue at/).count(), 0);
    await page.goto(app.at('m/2026-11-17-standup#L12'));
    await page.locator('#L12.marked').waitFor();
    // Who has looked for a second does not want to go on there.
    await page.mouse.wheel(0, 40);
    await page.waitForFunction(() => localStorage.getItem('memories.places.mira') !== null);
    await page.getByRole('link', { name: '← Memories' }).click();
    await page.getByRole('link', { name: 'A year ago today' }).waitFor();
    assert.equal(await page.getByText(/^Continue at/).count(), 0);
    await page.goto(app.at('m/2026-11-17-standup'));
    await page.locator('#L12').waitFor();
    await page.mouse.wheel(0, 600);
    await page
      .getByText(/^\d+\s%$/)
      .first()
      .waitFor();
    // The reader counts from when all lines are there, which nothing shows: the clock goes on until enough time has passed.
    const isRead = () =>
      page.evaluate(() => localStorage.getItem('memories.places.mira')?.includes('true') === true);
    for (let minutes = 1; !(await isRead()); minutes++) {
      await page.clock.setFixedTime(Date.now() + minutes * 60_000);
      await page.mouse.wheel(0, minutes % 2 === 0 ? 20 : -20);
      await page.waitForTimeout(200);
    }
    await page.goto(app.at());
    const card = page.getByRole('link', { name: /^Continue at \d+\s%$/ });
    await card.waitFor();
    await page.locator('.card').getByText('Stand-up: one line').waitFor();
    await checkScreen(page, 'the first screen');
    await page.setViewportSize({ width: 390, height: 500 });
    const date = page.locator('.card', { has: card }).locator('.note');
    assert.match(await date.innerText(), /\s% · Tue,? (?:17 )?Nov/);
    assert.ok(await date.isVisible(), 'memories of one name are told apart, also on a phone');
    await page.setViewportSize({ width: 900, height: 500 });
    await card.click();
    await page.waitForFunction(() => scrollY > 0);
    assert.equal(await page.locator('.marked').count(), 0, 'nothing is chosen');
    assert.deepEqual(faults, []);
  });
});
