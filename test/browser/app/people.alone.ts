// People in a browser: who takes part, a filter by name, an account without people, and the links of a phone on one row.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { prepareMemory } from '../../../src/store/import/memory-row.ts';
import { withFileWriterSync } from '../../../src/store/sqlite/writer.ts';
import { person, readDetails } from '../../support/world/details.ts';
import { memory } from '../../support/world/world.ts';
import { checkScreen, openReader, serve, signIn, signOut, skip } from './page.ts';

describe('The people of the app', { skip, timeout: 300_000 }, () => {
  it('are listed with the most frequent first, and found by a part of the name', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t, { locale: 'en-US' });
    const { page, faults } = reader;
    await signIn(reader, app);
    await page.getByRole('link', { name: 'People' }).click();
    const rows = page.locator('.person-row');
    await rows.first().waitFor();
    assert.match((await rows.first().textContent()) ?? '', /Mira 17 memoriesFri, Nov 20/);
    await page.getByRole('searchbox', { name: 'Name' }).fill('LUCIA');
    await page.waitForURL(/people\?q=LUCIA$/);
    await page.waitForFunction(() => document.querySelectorAll('.person-row').length === 1);
    assert.equal(await rows.locator('bdi').textContent(), 'Lucía');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Lucía', level: 1 }).waitFor();
    await page.goBack();
    await page.getByRole('searchbox', { name: 'Name' }).fill('zebra');
    await page.getByText('Nobody has “zebra” in their name.').waitFor();
    await checkScreen(page, 'nobody found');
    await page.reload();
    await page.getByText('Nobody has “zebra”').waitFor();
    await page.getByRole('searchbox', { name: 'Name' }).fill('');
    await rows.nth(5).waitFor();
    await page.locator('h1').click();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    assert.match((await page.locator(':focus').textContent()) ?? '', /^PParveen/);
    assert.deepEqual(faults, []);
  });

  it('are below a filter that does not move them when they arrive, nor does the reader move its page', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t);
    const { page, faults } = reader;
    await signIn(reader, app);
    const arrival = Promise.withResolvers<void>();
    await page.route(/v1\/people/, async (route) => {
      await arrival.promise;
      await route.continue();
    });
    await page.goto(app.at('people'));
    const field = page.getByRole('searchbox', { name: 'Name' });
    await field.waitFor();
    const before = await field.boundingBox();
    arrival.resolve();
    await page.locator('.person-row').first().waitFor();
    assert.deepEqual(await field.boundingBox(), before);

    const script = Promise.withResolvers<void>();
    await page.route(/reader-screen/, async (route) => {
      await script.promise;
      await route.continue();
    });
    await page.goto(app.at('m/2026-11-19-standup'));
    await page.locator('main').waitFor();
    const place = () =>
      page.locator('main').evaluate((main) => {
        const { left, width } = main.getBoundingClientRect();
        return [left, width];
      });
    const empty = await place();
    script.resolve();
    await page.locator('#L1').waitFor();
    assert.deepEqual(await place(), empty);
    assert.deepEqual(faults, []);
  });

  it('are in an order to choose, which the address has, also while a name is looked for', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t);
    const { page, faults } = reader;
    await signIn(reader, app, { path: 'people' });
    const rows = page.locator('.person-row');
    await rows.first().waitFor();
    const names = () => page.locator('.person-row bdi').allInnerTexts();
    const often = await names();
    await page.getByRole('link', { name: 'A to Z' }).click();
    await page.waitForURL(/people\?sort=name$/);
    await page.locator('nav [aria-current]', { hasText: 'A to Z' }).waitFor();
    const sorted = often.toSorted((a, b) => a.localeCompare(b));
    assert.notDeepEqual(often, sorted);
    assert.deepEqual(await names(), sorted);
    await page.getByLabel('Name').fill('h');
    await page.waitForURL(/people\?sort=name&q=h$/);
    await page.getByRole('link', { name: 'Latest' }).click();
    await page.waitForURL(/people\?sort=last&q=h$/);
    await page.locator('nav [aria-current]', { hasText: 'Latest' }).waitFor();
    const times = await rows
      .locator('.at time')
      .evaluateAll((all) => all.map((each) => each.getAttribute('datetime') ?? ''));
    assert.ok(times.length > 1);
    assert.deepEqual(times, times.toSorted().toReversed());
    assert.deepEqual(faults, []);
  });

  it('have pages, where a search finds what somebody said', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t, { locale: 'en-US' });
    const { page, faults } = reader;
    await signIn(reader, app, { path: 'people' });
    await page.getByRole('link', { name: /Henrik/ }).click();
    await page.getByRole('heading', { name: 'Henrik', level: 1 }).waitFor();
    await page.getByText(/^6 memories · .*Nov 20, 2026/).waitFor();
    await checkScreen(page, 'a person');
    await page.setViewportSize({ width: 390, height: 844 });
    const { list, main, edges } = await page.evaluate(() => ({
      list: document.querySelector('.list')?.clientWidth ?? 0,
      main: document.querySelector('main')?.clientWidth ?? 0,
      edges:
        Number.parseFloat(
          getComputedStyle(document.querySelector('main') ?? document.body).paddingInlineStart,
        ) * 2,
    }));
    assert.ok(list <= main - edges, `${list} is wider than the page on a phone`);
    await page.setViewportSize({ width: 1200, height: 860 });
    await page.getByRole('searchbox', { name: 'Search with Henrik' }).fill('fridge');
    await page.keyboard.press('Enter');
    await page.getByText("I'll buy a fridge").waitFor();
    await page.getByRole('link', { name: 'with Henrik Remove' }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: /Crystal supplier/ }).waitFor();
    assert.equal(await page.locator('a.row').count(), 6, 'all memories with Henrik');
    const row = page.locator('a.row', { hasText: 'one line and a fridge' });
    await row.getByText(/^“/).waitFor();
    const quote = await row.locator('.gist').textContent();
    await row.click();
    const marked = page.locator('.line.marked');
    await marked.waitFor();
    assert.ok(
      (await marked.textContent())?.includes(String(quote?.slice(1, -1))),
      'one line of his',
    );
    await page.getByRole('link', { name: '← Henrik' }).click();
    await row.waitFor();
    await page.goto(app.at('people/HENRIK'));
    await page.getByText(/^6 memories/).waitFor();
    await page.goto(app.at('people/Nobody%20at%20all'));
    await page.getByText('Nobody of this name').waitFor();
    await checkScreen(page, 'no such person');
    await page.goto(app.at('people/%FF'));
    await page.getByText('Did you mean one of these?').waitFor();
    assert.deepEqual(faults, []);
  });

  it('are no labels of recognisers, which stand in one line below and lead to their memories', async (t) => {
    const app = await serve(t);
    withFileWriterSync(app.database, (writer) => {
      writer.memories.putReady(
        ['one', 'two'].map((id) => {
          const own = memory({ id, name: `Call ${id}`, transcript: 'Speaker 1: A.\nIfe: B.' });
          const people = ['Speaker 1', 'Ife'].map((name) => person(name, { words: 1 }));
          return prepareMemory('mira', own, { read: readDetails({ people }) });
        }),
      );
    });
    const reader = await openReader(t);
    const { page, faults } = reader;
    await signIn(reader, app, { path: 'people' });
    await page.locator('.person-row', { hasText: 'Ife' }).waitFor();
    assert.equal(await page.locator('.person-row', { hasText: 'Speaker 1' }).count(), 0);
    await page.locator('.names', { hasText: 'Unnamed speakers' }).waitFor();
    await checkScreen(page, 'people and labels');
    await page.getByRole('link', { name: 'Speaker 1 2' }).click();
    await page.getByText('choose “Name a speaker” in its menu').waitFor();
    await page.getByRole('link', { name: /Call two/ }).click();
    await page.locator('#L2').waitFor();
    await page.goto(app.at('people/Ife'));
    await page.locator('.names', { hasText: 'Together with' }).waitFor();
    assert.equal(await page.locator('.names', { hasText: 'Speaker 1' }).count(), 0);
    assert.deepEqual(faults, []);
  });

  it('have a mark at who has the name of the account, and at nobody else', async (t) => {
    const app = await serve(t);
    const people = ['Mira Okafor', 'Mira Okafor (Office)'].map((name) => person(name));
    withFileWriterSync(app.database, (writer) => {
      const own = memory({ id: 'own', transcript: 'Mira Okafor: Garlic.' });
      writer.memories.putReady([prepareMemory('mira', own, { read: readDetails({ people }) })]);
    });
    const reader = await openReader(t);
    const { page, faults } = reader;
    await signIn(reader, app, { path: 'people' });
    await page.locator('.person-row', { hasText: '(Office)' }).waitFor();
    const marked = page.locator('.person-row .title', { has: page.locator('.tag') });
    assert.deepEqual(await marked.allTextContents(), ['Mira Okafor you']);
    assert.deepEqual(faults, []);
  });

  it('have the owner as you, whom a product has not named', async (t) => {
    const app = await serve(t);
    const summary = { quick_summary: '', key_takeaways: [] };
    const own = memory({
      id: 'own',
      name: 'Beds',
      transcript: 'User: Garlic.\nIfe: Beans.',
      summary,
    });
    const silent = person('Gus', { role: 'attendee', lines: 0, words: 0 });
    const people = [person('User', { words: 1 }), person('Ife', { words: 1 }), silent];
    withFileWriterSync(app.database, (writer) => {
      writer.memories.putReady([prepareMemory('mira', own, { read: readDetails({ people }) })]);
    });
    const reader = await openReader(t);
    const { page, faults } = reader;
    await signIn(reader, app, { path: 'people' });
    const you = page.locator('.person-row', { hasText: 'You' });
    await you.waitFor();
    for (const typed of ['you', 'You']) {
      await page.getByRole('searchbox', { name: 'Name' }).fill(typed);
      await page.locator('.person-row').nth(1).waitFor({ state: 'detached' });
      await you.waitFor();
    }
    await you.click();
    await page.getByRole('heading', { name: 'You', level: 1 }).waitFor();
    await page.getByText('Together with').waitFor();
    assert.match((await page.locator('.portrait').textContent()) ?? '', /^Y$/);
    const row = page.locator('a.row', { hasText: 'Beds' });
    await row.getByText(/^“Garlic\.”$/).waitFor();
    await page.goto(app.at());
    await row.getByText(/You, Ife|Ife, You/).waitFor();
    await page.goBack();
    await page.getByRole('searchbox', { name: /^Search with/ }).fill('garlic');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'with You Remove' }).waitFor();
    await page.locator('.passage .speaker', { hasText: 'You' }).waitFor();
    assert.equal(await page.getByText('User', { exact: true }).count(), 0);
    // Of somebody who says nothing there are no words, and none of others in their place.
    await page.goto(app.at('people/Gus'));
    await row.getByText('Says nothing', { exact: true }).waitFor();
    assert.deepEqual(faults, []);
  });

  it('say when somebody will appear, in an account whose memories name nobody', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t);
    const { page, faults } = reader;
    await signIn(reader, app, { account: 'many', path: 'people' });
    await page.getByText('Nobody yet').waitFor();
    await checkScreen(page, 'no people');
    assert.deepEqual(faults, []);
  });

  it('are one of three links on a phone, where a menu has the others', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t, {
      viewport: { width: 390, height: 780 },
      expects: /status of 401/,
    });
    const { page, faults } = reader;
    await signIn(reader, app);
    const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
    const more = page.getByRole('button', { name: 'Menu' });
    const tops = await links
      .or(more)
      .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().top));
    assert.equal(tops.length, 4);
    assert.ok(Math.max(...tops) - Math.min(...tops) < 8, 'they are on one row');
    await more.click();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    await checkScreen(page, 'menu');
    await page.getByRole('link', { name: 'Changes' }).click();
    await page.getByRole('heading', { name: 'Changes', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).waitFor({ state: 'hidden' });
    await more.click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Sign out' }).waitFor({ state: 'hidden' });
    assert.match(page.url(), /changes$/, 'Escape closes the menu alone');
    await more.click();
    await signOut(page);
    await page.getByText('These memories are private').waitFor();
    assert.deepEqual(faults, []);
  });
});
