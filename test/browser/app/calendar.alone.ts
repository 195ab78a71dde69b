// The calendar in a browser: by keyboard alone, in several time zones, on days of 23 and 25 hours, and without memories.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';

import type { Page } from 'playwright-core';

import { withFileWriterSync } from '../../../src/store/sqlite/writer.ts';
import type { ServedApp } from '../../support/world/app.ts';
import { isShort } from '../../support/world/thorough.ts';
import { memory } from '../../support/world/world.ts';
import {
  checkColours,
  checkScreen,
  checkWidth,
  openReader,
  serve,
  signIn,
  signOut,
  skip,
  type Reader,
} from './page.ts';

/** When the memories of the account `clocks` start. Each takes half an hour. */
const STARTS: Readonly<Record<string, string>> = {
  'old one': '2019-06-01T12:00:00.000Z',
  'in the hour that is skipped': '2026-03-29T01:15:00.000Z',
  'before Europe sets its clocks back': '2026-10-25T00:30:00.000Z',
  'after Europe has set its clocks back': '2026-10-25T01:30:00.000Z',
  'last half hour of the long day': '2026-10-25T22:30:00.000Z',
  'before midnight': '2026-11-18T22:30:00.000Z',
  'at noon': '2026-11-18T11:00:00.000Z',
};

/** Serves the app with an account of memories around changes of the clocks, and one without memories. */
async function serveClocks(t: TestContext): Promise<ServedApp> {
  const app = await serve(t);
  withFileWriterSync(app.database, (writer) => {
    for (const id of ['clocks', 'nobody'])
      writer.accounts.create({ id, name: id, created_by: 'seed' });
    const all = Object.entries(STARTS).map(([name, started_at], index) => {
      const ended_at = new Date(Date.parse(started_at) + 1_800_000).toISOString();
      return memory({ id: `c${index}`, name, started_at, ended_at, duration_seconds: 1800 });
    });
    writer.memories.putAll('clocks', all);
  });
  return app;
}

async function focused(page: Page): Promise<string | null> {
  return page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? null);
}

async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

const row = (page: Page, name: string) => page.getByRole('link', { name: new RegExp(name) });
const day = (page: Page, name: string | RegExp) => page.locator('.months').getByLabel(name);

describe('The calendar', { skip, timeout: 600_000 }, () => {
  const open = async (t: TestContext, options: Parameters<typeof openReader>[1] = {}) => {
    const app = await serveClocks(t);
    const reader = await openReader(t, {
      locale: 'en-GB',
      timezoneId: 'Europe/Berlin',
      ...options,
    });
    return { app, ...reader };
  };
  const enter = async (reader: Reader, app: ServedApp, account: string) => {
    await signIn(reader, app, { account });
    await reader.page.getByRole('link', { name: 'Calendar', exact: true }).click();
    await reader.page.locator('.months').waitFor();
  };

  it('is read by keyboard alone: days, weeks, months, other years, a day and back', async (t) => {
    const { app, page, faults, ...rest } = await open(t);
    await signIn({ page, faults, ...rest }, app, { account: 'clocks' });
    await page.mouse.move(0, 0); // a pointer over the days names another one
    await page.getByRole('link', { name: 'Calendar', exact: true }).focus();
    await press(page, 'Enter');
    await page.getByRole('heading', { name: 'Calendar 2026' }).waitFor();
    await page.getByText('6 memories, 3 h', { exact: true }).waitFor();
    // The head is that of a day, a week and a month. Then there is one stop for all days.
    await page.getByRole('link', { name: 'Today', disabled: true }).waitFor();
    await page.getByRole('link', { name: 'Previous year: 2019' }).focus();
    await press(page, 'Tab');
    assert.match(String(await focused(page)), /^\w{3},? \d+ \w+: /);
    await press(page, 'Tab');
    assert.equal(await page.evaluate(() => document.activeElement?.closest('.months')), null);

    await day(page, 'Wed 18 Nov: 2 memories, 1 h').focus();
    const leads = async (key: string, to: string) => {
      await press(page, key);
      await page.waitForFunction(
        (label) => document.activeElement?.getAttribute('aria-label') === label,
        to,
      );
      await page.locator('.pointed span', { hasText: to }).waitFor();
    };
    await leads('ArrowLeft', 'Tue 17 Nov: no memories');
    await leads('ArrowUp', 'Tue 10 Nov: no memories');
    await leads('ArrowRight', 'Wed 11 Nov: no memories');
    await leads('ArrowDown', 'Wed 18 Nov: 2 memories, 1 h');
    await leads('Home', 'Mon 16 Nov: no memories');
    await leads('End', 'Sun 22 Nov: no memories');
    await leads('PageUp', 'Thu 22 Oct: no memories');
    await leads('ArrowDown', 'Thu 29 Oct: no memories');
    await leads('PageDown', 'Sun 29 Nov: no memories');
    await leads('PageDown', 'Tue 29 Dec: no memories');
    await leads('PageDown', 'Fri 29 Jan: no memories');
    await page.getByRole('heading', { name: 'Calendar 2027' }).waitFor();
    await leads('PageUp', 'Tue 29 Dec: no memories');
    await page.getByRole('heading', { name: 'Calendar 2026' }).waitFor();
    assert.equal(await page.locator('.months [tabindex="0"]').count(), 1, 'one tab stop');
    await press(page, '?');
    const keys = page.getByRole('dialog', { name: 'Keyboard' });
    await keys.getByText('The month before').waitFor();
    await press(page, 'Escape');

    await day(page, /^Wed 18 Nov/).focus();
    await press(page, 'Enter');
    await page.getByRole('heading', { name: 'Wednesday, 18 November 2026' }).waitFor();
    await row(page, 'at noon').waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Calendar 2026' }).waitFor();
    await page.waitForFunction(() => document.activeElement?.id === '2026-11-18');

    await press(page, 'Enter');
    await row(page, 'at noon').waitFor();
    await press(page, 'p');
    await page.getByRole('heading', { name: 'Sunday, 25 October 2026' }).waitFor();
    await press(page, 'n');
    await page.getByRole('heading', { name: 'Wednesday, 18 November 2026' }).waitFor();
    await press(page, 't');
    const today = new Intl.DateTimeFormat('en-GB', {
      dateStyle: 'full',
      timeZone: 'Europe/Berlin',
    }).format();
    await page
      .getByRole('heading', { level: 1, name: today.replace(',', '') })
      .or(page.getByRole('heading', { level: 1, name: today }))
      .waitFor();
    assert.deepEqual(faults, []);
  });

  it('leads from before to today, says where, and to no day that is still to come', async (t) => {
    const { app, page, faults, ...rest } = await open(t);
    await signIn({ page, faults, ...rest }, app, { account: 'clocks' });
    await page.clock.setFixedTime('2026-12-10T12:00:00Z');
    await page.goto(app.at('weeks/2026-11-16'));
    await page.getByRole('link', { name: /^Previous week: 19\s?–\s?25 Oct 2026$/ }).waitFor();
    await page.getByRole('link', { name: /^Next week: 7\s?–\s?13 Dec 2026$/ }).click();
    await page.getByRole('heading', { name: /^7\s?–\s?13 Dec 2026$/ }).waitFor();
    for (const name of ['Today', 'Next week']) {
      const dead = page.getByRole('link', { name, disabled: true });
      assert.equal(await dead.evaluate((link) => getComputedStyle(link).opacity), '0.5', name);
    }
    await page.goto(app.at('months/2026-03'));
    await page.getByRole('link', { name: 'Next month: October 2026' }).waitFor();
    await page.getByRole('link', { name: 'Today' }).click();
    await page.getByRole('heading', { name: 'December 2026' }).waitFor();
    await page.goto(app.at('days/2026-11-18'));
    await page.getByRole('link', { name: 'Next day: 10 Dec 2026' }).waitFor();
    await page.goto(app.at('calendar/2026'));
    await day(page, 'Thu 10 Dec: no memories').waitFor();
    assert.equal(await page.locator('.months section:last-child ol a').count(), 10);
    assert.deepEqual(faults, []);
  });

  it('reads a day, a week and a month forwards, from a date to its day, and says what is near an empty one', async (t) => {
    const { app, page, faults, ...rest } = await open(t);
    await signIn({ page, faults, ...rest }, app, { account: 'clocks' });
    const titles = (of: string) => page.locator(`${of} .title`).allInnerTexts();
    await page.goto(app.at('days/2026-11-18'));
    await page.locator('a.row', { hasText: 'before midnight' }).waitFor();
    assert.deepEqual(await titles('a.row'), ['at noon', 'before midnight']);
    // A week has all seven days, and what each had at what time.
    await page.goto(app.at('weeks/2026-11-16'));
    await page.locator('.named .title', { hasText: 'before midnight' }).waitFor();
    assert.deepEqual(
      (await titles('.named')).map((title) => title.replaceAll(/\s+/g, ' ')),
      ['12:00 · 30 min at noon', '23:30 · 30 min before midnight'],
    );
    assert.equal(await page.locator('.months li').count(), 7);
    await day(page, 'Tue 17 Nov: no memories').waitFor();
    await checkScreen(page, 'a week');
    await day(page, /^Wed 18 Nov/).focus();
    await press(page, 'ArrowUp');
    await page.waitForFunction(() => document.activeElement?.id === '2026-11-11');
    assert.match(page.url(), /weeks\/2026-11-09$/);
    await page.goto(app.at('weeks/2026-10-19'));
    await page.locator('.named .title', { hasText: 'last half hour' }).waitFor();
    assert.deepEqual(
      (await page.locator('.named bdi').allInnerTexts()).map((title) => title.split(' ')[0]),
      ['before', 'after', 'last'],
    );
    await day(page, /^Sun 25 Oct: 3 memories/).click();
    await page.getByRole('heading', { name: 'Sunday, 25 October 2026' }).waitFor();
    await page.goto(app.at('weeks/2026-11-02'));
    await page.getByText('No memories in this week. Nearest: 19').waitFor();
    await page.goto(app.at('days/2026-11-01'));
    await page.getByText('No memories on this day.').waitFor();
    await page.getByRole('link', { name: '18 Nov 2026', exact: true }).click();
    await page.getByRole('heading', { name: 'Wednesday, 18 November 2026' }).waitFor();
    // The way to the days around keeps its place, whatever they are called.
    const places = () =>
      page
        .locator('.sides > *')
        .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().x));
    const before = await places();
    await page.getByRole('link', { name: 'Previous day: 25 Oct 2026' }).click();
    await page.getByRole('heading', { name: 'Sunday, 25 October 2026' }).waitFor();
    assert.deepEqual(await places(), before);
    await page.setViewportSize({ width: 390, height: 800 });
    const [title, menu] = await Promise.all([
      page.locator('h1').boundingBox(),
      page.getByRole('button', { name: 'Options' }).boundingBox(),
    ]);
    const bottom = (title?.y ?? 0) + (title?.height ?? 0);
    assert.ok((menu?.y ?? 999) < bottom, 'the menu is beside a title of two lines');
    assert.match(await page.locator('h1').innerText(), /25\u00a0October/, 'on one of them');
    assert.deepEqual(faults, []);
  });

  it('shows a month as a grid of names that open their memories, by keyboard as well, and as days above a list on a phone', async (t) => {
    const { app, page, faults, ...rest } = await open(t);
    await signIn({ page, faults, ...rest }, app, { account: 'clocks' });
    const starts = '2026-11-18T12:00:00.000Z';
    withFileWriterSync(app.database, (writer) =>
      writer.memories.putAll(
        'clocks',
        ['afternoon', 'tea', 'walk', 'call'].map((name) =>
          memory({ id: name, name, started_at: starts, ended_at: starts, duration_seconds: 0 }),
        ),
      ),
    );
    await page.goto(app.at('months/2026-11'));
    const full = page.locator('[id="2026-11-18"]');
    const cell = page.locator('.months li', { has: full });
    const lines = cell.getByRole('link');
    const colourOf = (date: string) =>
      page.locator(`[id="${date}"]`).evaluate((each) => getComputedStyle(each).backgroundColor);
    await cell.getByText('2 more').waitFor();
    const [busy, none] = [await colourOf('2026-11-18'), await colourOf('2026-11-17')];
    assert.notEqual(busy, none, 'a day with memories is seen at a glance');
    const today = page.locator('.months [aria-current]');
    const [back, ink] = await today.evaluate((each) => {
      const body = getComputedStyle(document.body).color;
      return [getComputedStyle(each).backgroundColor, body];
    });
    assert.equal(back, ink, 'today is filled');
    assert.equal(await lines.count(), 6, 'the number, as many names as fit, and the rest');
    await day(page, 'Wed 18 Nov: 6 memories').waitFor(); // without a length that one may lack
    await day(page, 'Tue 17 Nov: no memories').waitFor();
    await page.getByText('6 memories', { exact: true }).waitFor();
    assert.equal(await cell.locator('span').count(), 0);
    assert.equal(await page.locator('a.row').count(), 0, 'the list is not there twice');
    await cell.getByRole('link', { name: 'at noon' }).click();
    await page.getByRole('heading', { name: 'at noon', level: 1 }).waitFor();
    await page.goBack();
    await cell.getByText('2 more').click();
    await page.getByRole('heading', { name: 'Wednesday, 18 November 2026' }).waitFor();
    await page.goBack();
    await full.waitFor();
    assert.equal(await page.locator('.months section').count(), 1);
    assert.equal(await page.locator('.months li').count(), 30);
    await checkScreen(page, 'a month');
    await full.focus();
    await press(page, 'ArrowUp');
    await page.waitForFunction(() => document.activeElement?.id === '2026-11-11');
    await press(page, 'Home');
    await page.waitForFunction(() => document.activeElement?.id === '2026-11-09');
    await press(page, 'PageUp');
    await page.getByRole('heading', { name: 'October 2026', level: 1 }).waitFor();
    await page.waitForFunction(() => document.activeElement?.id === '2026-10-09');
    const known = page.locator('.named li', { has: page.locator('[id="2026-10-25"]') });
    await known.getByText('1 h 30 min').waitFor();
    await page.goBack();
    await page.setViewportSize({ width: 390, height: 800 });
    await page.goto(app.at('months/2026-11'));
    await full.waitFor();
    assert.ok(((await full.boundingBox())?.height ?? 99) < 50, 'its names have no room');
    await page.locator('a.row', { hasText: 'before midnight' }).waitFor();
    assert.equal(await lines.count(), 1);
    // From its first day on, as a week and a day are.
    await page.locator('a.row').first().getByText('at noon').waitFor();
    await checkScreen(page, 'a month on a phone');
    await page.goto(app.at('weeks/2026-11-16'));
    // Its list goes forwards, and its seven days are above.
    await page.locator('a.row', { hasText: 'before midnight' }).waitFor();
    assert.equal(await page.locator('.months li').count(), 7);
    await page.locator('a.row').first().getByText('at noon').waitFor();
    const sides = page.locator('.sides a');
    await page.getByRole('link', { name: /^Previous week: 19\s?–\s?25 Oct 2026$/ }).waitFor();
    const tops = await sides.evaluateAll((all) =>
      all.map((each) => each.getBoundingClientRect().y),
    );
    assert.equal(new Set(tops).size, 1, 'the way to other weeks is one line');
    assert.deepEqual(faults, []);
  });

  it('moves a memory of 23:30 to another day with the zone, and keeps the zone', async (t) => {
    const { app, page, faults, ...rest } = await open(t);
    await enter({ page, faults, ...rest }, app, 'clocks');
    const zone = page.getByRole('combobox', { name: 'Time zone' });
    await page.getByRole('button', { name: 'Options' }).click();
    assert.equal(await zone.inputValue(), 'Europe/Berlin');
    await day(page, 'Wed 18 Nov: 2 memories, 1 h').waitFor();
    await zone.focus();
    // What was shown stays until the days of the other zone are there.
    const read = Promise.withResolvers<void>();
    await page.route('**/v1/days?*', async (route) => {
      await read.promise;
      await route.continue();
    });
    const asked = page.waitForRequest('**/v1/days?*');
    await zone.selectOption('Asia/Tokyo');
    await asked;
    await day(page, 'Wed 18 Nov: 2 memories, 1 h').waitFor();
    read.resolve();
    await day(page, 'Wed 18 Nov: 1 memory, 30 min').waitFor();
    await press(page, 'Escape');
    await day(page, 'Thu 19 Nov: 1 memory, 30 min').click();
    await page.getByRole('heading', { name: 'Thursday, 19 November 2026' }).waitFor();
    assert.match(String(await row(page, 'before midnight').textContent()), /^7:30/);
    assert.equal(await row(page, 'at noon').count(), 0);
    const choice = page.getByRole('combobox', { name: 'Time zone' });
    await page.getByRole('button', { name: 'Options' }).click();
    await choice.focus();
    await choice.selectOption('Europe/Berlin');
    await page.getByText('No memories on this day.').waitFor();
    assert.ok(
      await choice.evaluate((element) => element === document.activeElement),
      'the focus stays where the reader is',
    );
    await press(page, 'Escape');
    await page.getByRole('link', { name: 'Previous day: 18 Nov 2026' }).click();
    assert.match(String(await row(page, 'before midnight').textContent()), /^23:30/);
    await page.goto(app.at('settings/reading'));
    await page.getByRole('combobox', { name: 'Time zone' }).selectOption('America/New_York');
    await page.goto(app.at('days/2026-11-18'));
    assert.match(String(await row(page, 'before midnight').textContent()), /^17:30/);
    assert.deepEqual(faults, []);
  });

  it('has days of 23, 25 and 24½ hours, and a day that a zone skips', async (t) => {
    const { app, page, faults, ...rest } = await open(t);
    await enter({ page, faults, ...rest }, app, 'clocks');
    await day(page, 'Sun 25 Oct: 3 memories, 1 h 30 min').click();
    await page.getByText('This day has 25 hours in Europe/Berlin').waitFor();
    await page.locator('.row').first().waitFor();
    const times = await page.locator('.row .at').allTextContents();
    assert.deepEqual(times, ['02:30 CEST', '02:30 CET', '23:30 CET'], 'as the day went');
    await page.getByRole('link', { name: 'Previous day: 29 Mar 2026' }).click();
    await page.getByText('This day has 23 hours in Europe/Berlin').waitFor();
    await page.locator('.row').first().waitFor();
    assert.deepEqual(await page.locator('.row .at').allTextContents(), ['03:15 CEST']);
    const zone = page.getByRole('combobox', { name: 'Time zone' });
    await page.getByRole('button', { name: 'Options' }).click();
    await zone.selectOption('Australia/Lord_Howe');
    await page.goto(app.at('days/2026-04-05'));
    await page.getByText('This day has 24.5 hours in Australia/Lord_Howe').waitFor();
    await page.getByRole('button', { name: 'Options' }).click();
    await zone.selectOption('Pacific/Apia');
    await page.goto(app.at('days/2011-12-30'));
    await page.getByText('Pacific/Apia skips this day.').waitFor();
    assert.deepEqual(faults, []);
  });

  it('counts again when memories are imported, without moving the focus', async (t) => {
    const { app, page, faults, ...rest } = await open(t);
    // What is new is compared with the first look at the changes.
    const firstLook = page.waitForResponse(/\/v1\/changes/);
    await enter({ page, faults, ...rest }, app, 'clocks');
    await firstLook;
    await day(page, 'Fri 20 Nov: no memories').focus();
    withFileWriterSync(app.database, (writer) =>
      writer.memories.putAll('clocks', [
        memory({ id: 'new', started_at: '2026-11-20T10:00:00.000Z', duration_seconds: 60 }),
      ]),
    );
    await day(page, 'Fri 20 Nov: 1 memory, 1 min').waitFor({ timeout: 40_000 });
    assert.equal(await focused(page), 'Fri 20 Nov: 1 memory, 1 min');
    await press(page, 'Enter');
    await page.locator('.row').waitFor();
    withFileWriterSync(app.database, (writer) =>
      writer.memories.putAll('clocks', [
        memory({ id: 'newer', name: 'newer', started_at: '2026-11-20T11:00:00.000Z' }),
      ]),
    );
    await row(page, 'newer').waitFor({ timeout: 40_000 });
    assert.deepEqual(faults, []);
  });

  it('reads a day of many memories by pages, and Back leads to the same row', async (t) => {
    const { app, page, faults, ...rest } = await open(t, { timezoneId: 'UTC', expects: /500/ });
    await enter({ page, faults, ...rest }, app, 'many');
    await day(page, /^Thu 1 Jan: 120 memories/).click();
    await page.locator('.row').nth(99).waitFor();
    assert.equal(await page.locator('.row').count(), 100);
    const isNext = /\/v1\/memories\?.*cursor=/;
    await page.route(isNext, (route) =>
      route.fulfill({ status: 500, json: { detail: 'A memory is damaged.' } }),
    );
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByText('A memory is damaged.').waitFor();
    await page.unroute(isNext);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('A memory is damaged.').waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'More' }).click();
    await page.locator('.row').nth(119).waitFor();
    assert.equal(await page.getByRole('button', { name: 'More' }).count(), 0);

    const last = page.locator('.memories li').nth(119).getByRole('link');
    const href = await last.getAttribute('href');
    await last.focus();
    await press(page, 'Enter');
    await page.waitForURL(/\/m\//);
    await page.goBack();
    await page.locator('.row').nth(119).waitFor();
    await page.waitForFunction(
      (path) => document.activeElement?.getAttribute('href') === path,
      href,
    );
    assert.deepEqual(faults, []);
  });

  it('passes axe in light and dark colours in every state, at every size', async (t) => {
    const { app, page, faults, ...rest } = await open(t, {
      reducedMotion: 'reduce', // no colour is on its way to another
      expects: /status of 422/,
    });
    const check = async (name: string) => {
      await checkScreen(page, name);
      await page.emulateMedia({ colorScheme: 'dark' });
      await checkColours(page, `${name}, dark`);
      await page.emulateMedia({ colorScheme: 'light' });
      await page.setViewportSize({ width: 320, height: 640 });
      await checkWidth(page, `${name}, 320 px`);
      await page.setViewportSize({ width: 1200, height: 860 });
      await page.evaluate(() => {
        document.documentElement.style.fontSize = '30px';
      });
      await checkWidth(page, `${name}, 200 % text`);
      await page.evaluate(() => {
        document.documentElement.style.fontSize = '';
      });
    };
    await enter({ page, faults, ...rest }, app, 'clocks');
    await check('a year');
    await page.getByRole('link', { name: '2019' }).click();
    await page.getByText('1 memory, 30 min').first().waitFor();
    if (!isShort) await check('the first year');
    await page.goto(app.at('calendar/2018'));
    await page.getByText('No memories in this year. Nearest: 2019').waitFor();
    if (!isShort) await check('a year without memories');
    await page.goto(app.at('days/2026-10-25'));
    await page.locator('.row').nth(2).waitFor();
    await check('a day');
    await page.goto(app.at('days/2026-10-26'));
    await page.getByText('No memories on this day.').waitFor();
    await check('a day without memories');
    if (!isShort) {
      await page.goto(app.at('settings/reading'));
      await page.getByRole('combobox', { name: 'Time zone' }).waitFor();
      await check('the zone in the settings');
    }
    await signOut(page);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await enter({ page, faults, ...rest }, app, 'nobody');
    await page.getByText('No memories yet').waitFor();
    await check('no memories at all');
    const wrong = ['days/2026-02-30', 'calendar/', 'calendar/may', 'calendar/99999'];
    for (const path of [...wrong, 'calendar/2026/']) {
      await page.goto(app.at(path));
      // While the app starts, its heading is another.
      await page.getByRole('heading', { name: 'No such page', level: 1, exact: true }).waitFor();
      await page.getByRole('searchbox', { name: 'Search' }).waitFor();
    }
    assert.deepEqual(
      faults.filter((fault) => !/status of (401|404)/.test(fault)),
      [],
    );
  });

  it('counts all who took part in a month and in a year, also more than a hundred', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t);
    const { page, context, faults } = reader;
    const people = Array.from({ length: 150 }, (_, i) => ({
      name: `Guest of ${i}`,
      memories: 1,
      lines: 1,
      words: 5,
      speaking_ms: null,
      first_at: '2026-11-10T10:00:00.000Z',
      last_at: '2026-11-10T10:00:00.000Z',
    }));
    await context.route(/\/v1\/people\?/, (route) => {
      const limit = Number(new URL(route.request().url()).searchParams.get('limit'));
      return route.fulfill({ json: people.slice(0, limit) });
    });
    await signIn(reader, app);
    for (const path of ['months/2026-11', 'calendar/2026']) {
      await page.goto(app.at(path));
      await page.getByRole('button', { name: 'and 147 others' }).waitFor();
    }
    assert.deepEqual(faults, []);
  });

  it('tells days with memories from others in forced colours', async (t) => {
    const { app, page, faults, ...rest } = await open(t, { forcedColors: 'active' });
    await enter({ page, faults, ...rest }, app, 'clocks');
    const outline = (name: RegExp) =>
      day(page, name).evaluate((link) => getComputedStyle(link).outlineStyle);
    assert.equal(await outline(/^Wed 18 Nov/), 'solid');
    assert.equal(await outline(/^Tue 17 Nov/), 'none');
    assert.deepEqual(faults, []);
  });

  it('has its tabs in one place on all pages, and the days of a month below them', async (t) => {
    const { app, page, faults, ...rest } = await open(t, {
      viewport: { width: 1280, height: 860 },
    });
    await signIn({ page, faults, ...rest }, app, { account: 'clocks' });
    const boxes = [];
    for (const path of ['days/2026-11-18', 'weeks/2026-11-16', 'months/2026-11', 'calendar/2026']) {
      await page.goto(app.at(path));
      boxes.push(await page.getByRole('navigation', { name: 'Days' }).boundingBox());
      if (!path.startsWith('months')) continue;
      await page.locator('.named').waitFor();
      assert.equal((await page.locator('.months').boundingBox())?.x, boxes[0]?.x);
    }
    for (const box of boxes) assert.deepEqual(box, boxes[0]);
    assert.deepEqual(faults, []);
  });

  it('opens at its top on a desk, with the months in their order', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t, { viewport: { width: 1280, height: 860 } });
    const { page } = reader;
    await signIn(reader, app);
    await page.clock.setFixedTime('2026-11-28T12:00:00Z');
    await page.goto(app.at('calendar/2026'));
    await page.locator('.months').waitFor();
    const boxes = await page
      .locator('.months section')
      .evaluateAll((months) => months.map((month) => month.getBoundingClientRect().toJSON()));
    const read = boxes.toSorted((a, b) => a.top - b.top || a.left - b.left);
    assert.deepEqual(boxes, read, 'January is at the top');
    const [month, line] = await page.evaluate(() => [
      document.getElementById('2026-11')?.parentElement?.getBoundingClientRect().bottom,
      document.querySelector('.pointed')?.getBoundingClientRect().top,
    ]);
    assert.ok(Number(month) <= Number(line), `${month} above ${line}`);
    assert.equal(await page.evaluate(() => scrollY), 0);
    // On a low screen the link of the menu leads to this month, and Back to where it was left.
    await page.setViewportSize({ width: 1280, height: 600 });
    await page.goto(app.at('calendar'));
    const last = page.locator('[id="2026-11-30"]');
    await last.waitFor();
    const { y = 0, height = 0 } = (await last.boundingBox()) ?? {};
    assert.ok(y > 0 && y + height <= 600 - 40, `${y}`);
    assert.deepEqual(reader.faults, []);
  });

  it('opens with this month first on a phone, and where it was on the way back, with menus that fit', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t, { viewport: { width: 390, height: 640 } });
    const { page, faults } = reader;
    await signIn(reader, app);
    const year = new Date().getFullYear();
    await page.goto(app.at(`calendar/${year}`));
    const today = page.locator('.months [aria-current]');
    await today.waitFor();
    const top = (await today.boundingBox())?.y ?? -1;
    assert.ok(top >= 0 && top < 640, `today is at ${top} px`);
    assert.equal(await page.evaluate(() => scrollY), 0);
    const tops = await page
      .locator('.months section:visible')
      .evaluateAll((months) => months.map((month) => month.getBoundingClientRect().top));
    assert.deepEqual(
      tops,
      tops.toSorted((a, b) => b - a),
      'the latest month is at the top',
    );
    assert.equal(new Set(tops).size, tops.length, 'each is as wide as the screen');
    await page.evaluate(() => scrollTo(0, 120));
    await page.waitForFunction(() => (history.state as { readonly y?: number } | null)?.y === 120);
    await page.goto(app.at('settings/reading'));
    await page.goBack();
    await today.waitFor();
    assert.equal(await page.evaluate(() => scrollY), 120);

    // A title that is short, so that its button is at the right.
    await page.goto(app.at('months/2026-11'));
    const button = page.getByRole('button', { name: 'Options' });
    await button.click();
    await page.getByText('As a request to the API').waitFor();
    const { x: left = -1, width = 0 } =
      (await page.locator('.menu:popover-open').boundingBox()) ?? {};
    const edge = await button.boundingBox();
    assert.ok(left >= 0, `the menu begins at ${left} px`);
    assert.ok(Math.abs(left + width - (edge?.x ?? 0) - (edge?.width ?? 0)) < 1, 'below its button');
    assert.deepEqual(faults, []);
  });
});
