// The search of the app in a browser: passages while somebody types, by keyboard, and never an outdated one.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import type { Page } from 'playwright-core';

import type { SearchResult } from '../../../src/contract/schemas/passages.ts';
import { prepareMemory } from '../../../src/store/import/memory-row.ts';
import { createDatabase, withFileWriterSync } from '../../../src/store/sqlite/writer.ts';
import { newFolder } from '../../support/world/artifacts.ts';
import { person, readDetails } from '../../support/world/details.ts';
import { memory } from '../../support/world/world.ts';
import { checkScreen, checkWidth, openReader, put, serve, signIn, skip } from './page.ts';

const QUERY = 'straße "crystal milk" kit*';

const lines = (count: number, text: string) => Array.from({ length: count }, () => text);

const MEMORIES = [
  memory({
    id: 'kitchen',
    name: 'Kitchen plan',
    started_at: '2026-11-18T17:42:10.250Z',
    transcript: [
      ...lines(40, 'Tomas: Hm.'),
      'Mira: On the STRASSE the crystal milk went into the kit.',
      ...lines(20, 'Tomas: Hm.'),
      'Tomas: No Crystal-Milk left in the kitchen.',
    ].join('\n'),
  }),
  memory({
    id: 'apart',
    name: 'No phrase',
    started_at: '2026-11-17T08:00:00.000Z',
    transcript: 'Mira: The milk in the crystal glass, in the kitchen in the Straße.',
  }),
  memory({
    id: 'odd',
    name: '<img src=x onerror=alert(1)> \u202Eodd',
    started_at: '2026-11-16T08:00:00.000Z',
    transcript: [
      '<script>alert(1)</script> oddity',
      `\u202E\u0627\u0644\u062D\u0644\u064A\u0628 oddity \u{1F468}\u200D\u{1F469}\u200D\u{1F467}`,
      '牛奶'.repeat(2000),
      `${'long '.repeat(2000)} oddity`,
    ].join('\n'),
  }),
  ...Array.from({ length: 30 }, (_, i) =>
    memory({
      id: `tea-${i}`,
      name: 'Cup',
      started_at: new Date(Date.UTC(2026, 0, 1 + i)).toISOString(),
      transcript: 'Mira: Tea.',
    }),
  ),
];

/** Creates a database with memories to find. */
function createMemories(): string {
  const database = join(newFolder(), 'search.db');
  createDatabase(database);
  withFileWriterSync(database, (writer) => {
    writer.accounts.create({ id: 'mira', name: 'Mira Okafor', created_by: 'seed' });
    writer.memories.putAll('mira', MEMORIES);
  });
  return database;
}

const box = (page: Page) => page.getByLabel('Search');
const hits = (page: Page) => page.locator('a.passage');

/** What the page has sent. */
interface Watched {
  readonly searches: { sent: string[]; outlived: string[]; last: AbortSignal | undefined };
}

/** Notes each search, and those that are still open when the next one is sent. The older one is, the later its response. */
function watchSearches(): void {
  const { fetch } = globalThis;
  const searches: Watched['searches'] = { sent: [], outlived: [], last: undefined };
  const open = new Map<string, AbortSignal>();
  Object.assign(globalThis, { searches });
  globalThis.fetch = async (input, init) => {
    const { url, signal } = input as Request;
    const q = new URL(url).searchParams.get('q');
    if (q === null) return fetch(input, init);
    for (const [older, { aborted }] of open) if (!aborted) searches.outlived.push(older);
    searches.sent.push(q);
    searches.last = signal;
    open.set(q, signal);
    const response = await fetch(url); // not even cancelled
    await new Promise((resolve) => setTimeout(resolve, 2000 / searches.sent.length));
    open.delete(q);
    return response;
  };
}

describe('The search of the app', { skip, timeout: 300_000 }, () => {
  it('finds passages while somebody types, opens one at its line, and is there again on return', async (t) => {
    const app = await serve(t, { database: createMemories() });
    const reader = await openReader(t);
    const { page, faults } = reader;
    await signIn(reader, app);
    const last = page.waitForResponse(
      (response) => new URL(response.url()).searchParams.get('q') === QUERY,
    );
    await page.keyboard.press('/');
    await page.keyboard.type(QUERY, { delay: 30 });
    const { passages } = (await (await last).json()) as SearchResult;
    await page.getByText('Found in 1 of 33 memories').waitFor();
    assert.equal(new URL(page.url()).searchParams.get('q'), QUERY);

    // The marks are the ones of the server, by whose rules only this memory has the phrase and the prefix.
    assert.deepEqual(new Set(passages.map(({ memory_id }) => memory_id)), new Set(['kitchen']));
    // Each line with a mark is a link of its own.
    const withMarks = passages.flatMap(({ text, marks }) =>
      text.split('\n').filter((line) => {
        const at = text.indexOf(line);
        return marks.some(([from = 0]) => from >= at && from < at + line.length);
      }),
    );
    assert.equal(await hits(page).count(), withMarks.length);
    const marked = passages.flatMap(({ text, marks }) => marks.map(([a, b]) => text.slice(a, b)));
    assert.deepEqual(await page.locator('ul mark').allTextContents(), marked);
    assert.equal(await page.locator('h2 mark').textContent(), 'Kitchen', 'a word of theirs');
    for (const word of ['STRASSE', 'kit', 'kitchen']) assert.ok(marked.includes(word), word);
    await checkScreen(page, 'passages');
    // A passage stands beside the number of its line, in the rest of the column.
    const [row, said, speaker] = await page
      .locator('.passage')
      .first()
      .evaluate((link) =>
        [link, link.querySelector('.said'), link.querySelector('.speaker')].map((element) =>
          element?.getBoundingClientRect().toJSON(),
        ),
      );
    assert.ok(said.width > row.width / 2, `${said.width} of ${row.width} px`);
    assert.ok(
      speaker.left >= said.left && speaker.top >= said.top,
      'the speaker is in the passage',
    );

    const searches = reader.requested.filter((url) => url.includes('/v1/search?')).length;
    // The first Enter only leads to the results, so that they can be looked at.
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.activeElement?.matches('a.passage'));
    assert.equal(
      await page.locator(':focus').getAttribute('href'),
      await hits(page).first().getAttribute('href'),
    );
    assert.match(page.url(), /\/app\/search\?/);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/m\/kitchen\?q=.+#L41$|\/m\/kitchen\?q=.+#L62$/);
    assert.equal(new URL(page.url()).searchParams.get('q'), QUERY);
    await page.locator('#L41').waitFor();
    await page.goBack();
    await hits(page).first().waitFor();
    assert.match(String(await page.locator(':focus').getAttribute('class')), /passage/);
    assert.equal(await box(page).inputValue(), QUERY);
    const again = reader.requested.filter((url) => /\/v1\/search\?(?!.*memory_id)/.test(url));
    assert.equal(again.length, searches, 'nothing is searched again');

    // Escape, which has closed a memory, leaves nothing of what was found. The letters were one entry of the history.
    await page.keyboard.press('Escape');
    await page.locator('h1:focus').getByText('Search').waitFor();
    await page.keyboard.press('u');
    await page.getByRole('heading', { name: 'Memories', level: 1 }).waitFor();
    assert.equal(await box(page).inputValue(), '');
    assert.deepEqual(faults, []);
  });

  it('finds words that begin with the last one until it is typed to its end', async (t) => {
    const app = await serve(t, { database: createMemories() });
    put(
      app,
      memory({ id: 'word', user_id: 'mira', transcript: 'Ann: One kit, and no other kitx.' }),
    );
    const reader = await openReader(t);
    const { page, faults } = reader;
    await signIn(reader, app);
    // A word that only one memory has, and others begin with.
    await box(page).fill('kit');
    await page.getByText('Found in 3 of 34 memories, with words that begin with “kit”').waitFor();
    assert.equal(await page.locator('.hit ul mark').first().innerText(), 'kit');
    assert.ok((await page.locator('mark').allTextContents()).includes('kitchen'));
    // Enter ends it, as a space does, and leads on to what it begins if it is in few.
    await box(page).press('Enter');
    await page.getByText('Found in 2 of 34 memories', { exact: true }).waitFor();
    assert.match(page.url(), /search\?q=kit\+$/);
    await page.getByText('Search words that begin with “kit” 3 memories').waitFor();
    await checkScreen(page, 'a word that others begin with');
    await page.getByRole('link', { name: 'Search words that begin with “kit”' }).click();
    await page.getByText('Found in 3 of 34 memories').waitFor();
    // One that nothing has is the beginning of others also then.
    await box(page).fill('milk kitc ');
    await page.getByText('Found in 2 of 34 memories, with words that begin with “kitc”').waitFor();
    await box(page).press('Enter');
    await page.locator('.found:focus').press('Enter');
    await page.waitForURL(/\/m\/\w+\?q=milk\+kitc#/);
    await page.locator('.find [role=status]', { hasText: /of \d/ }).waitFor();
    assert.equal(await page.getByLabel('Find in transcript').inputValue(), 'milk kitc');
    await page.goBack();
    await box(page).fill('cristal kitc');
    await page.getByText('Results for crystal kitc ·').waitFor();
    await page.getByText('Found in 2 of 34 memories, with words that begin with “kitc”').waitFor();
    await box(page).fill('milk kitq');
    await page.getByText('Nothing says “kitq”.').waitFor();
    await page.getByText('Found in 2 of 34 memories').waitFor();
    put(app, memory({ id: 'two', name: 'Two words', transcript: 'Ann: lanterns and lantirns' }));
    await page.goto(app.at('search?q=lanturns+kitchen'));
    await page.getByText(/Results for lant[ei]rns or lant[ei]rns kitchen/).waitFor();
    // The name that is nearly typed comes first, as it does when it is.
    const walks = ['Gondola walk in the long night', 'Gondola walk', 'Gondola walk again'];
    const talks = ['gondola walk', 'of the weather', 'gondola'].map((said) => `Ann: ${said}.`);
    put(
      app,
      ...walks.map((name, at) => memory({ id: `walk${at}`, name, transcript: talks[at] ?? '' })),
    );
    for (const typed of ['gondola wal', 'gondola walk']) {
      await page.goto(app.at(`search?q=${typed}`));
      await page.getByText('Gondola walk in the long night').waitFor();
      assert.equal(await page.locator('.hit h2 bdi').first().innerText(), 'Gondola walk', typed);
    }
    assert.deepEqual(faults, []);
  });

  it('cancels what is outdated, and an old response never replaces a newer one', async (t) => {
    const app = await serve(t, { database: createMemories() });
    const reader = await openReader(t);
    const { page, faults } = reader;
    await signIn(reader, app);
    await page.addInitScript(watchSearches);
    await page.reload();
    await box(page).pressSequentially('milk', { delay: 250 });
    await page.getByText('Found in 2 of 33 memories').waitFor();
    await page.waitForTimeout(2000); // until the oldest response is there
    assert.ok(await page.getByText('Found in 2 of 33 memories').isVisible());
    const watched = () => page.evaluate(() => (globalThis as unknown as Watched).searches);
    const { sent, outlived } = await watched();
    assert.deepEqual(sent, ['m…', 'mi…', 'mil…', 'milk…']);
    assert.deepEqual(outlived, []);

    await box(page).pressSequentially('y');
    await page.waitForFunction(() => (globalThis as unknown as Watched).searches.sent.length === 5);
    await page.getByRole('link', { name: 'Memories', exact: true }).click();
    await page.getByRole('heading', { name: 'Memories', level: 1 }).waitFor();
    await page.waitForFunction(
      () => (globalThis as unknown as Watched).searches.last?.aborted === true,
    );
    assert.deepEqual(faults, []);
  });

  it('shows texts of any kind as text, more by the cursor, and moves by keyboard', async (t) => {
    const app = await serve(t, { database: createMemories() });
    const reader = await openReader(t);
    const { page, faults } = reader;
    await signIn(reader, app);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('oddity');
    await page.locator('mark', { hasText: 'oddity' }).first().waitFor(); // what "odd" finds can be there before
    assert.deepEqual(new Set(await page.locator('mark').allTextContents()), new Set(['oddity']));
    await page.getByText('<script>alert(1)</script>').waitFor();
    await page.getByRole('heading', { name: '<img src=x onerror=alert(1)>' }).waitFor();
    await checkScreen(page, 'odd texts');
    await box(page).fill('牛奶');
    await page.locator('mark', { hasText: '牛奶' }).first().waitFor();
    await checkScreen(page, 'a line without spaces');

    await box(page).fill('tea');
    await page.getByText('Found in 30 of 33 memories').waitFor();
    assert.equal(await hits(page).count(), 20);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('j');
    const focused = () => page.locator(':focus').getAttribute('href');
    assert.equal(await focused(), await hits(page).nth(1).getAttribute('href'));
    await page.keyboard.press('k');
    assert.equal(await focused(), await hits(page).first().getAttribute('href'));
    await page.getByRole('button', { name: 'More' }).click();
    await hits(page).nth(29).waitFor();
    assert.equal(await hits(page).count(), 30);
    assert.equal(await page.getByRole('button', { name: 'More' }).count(), 0);
    assert.deepEqual(faults, []);
  });

  it('stays with what was found for the name of a person, who is the first result', async (t) => {
    const database = createMemories();
    const people = [person('Wedding Planner'), person('Tomas')];
    const talks = [
      {
        id: 'w-1',
        name: 'Rings',
        transcript: 'Tomas: The wedding is soon.\nWedding Planner: Yes.',
      },
      { id: 'w-2', name: 'The wedding', transcript: 'Wedding Planner: Hm.\nTomas: Hm.' },
    ];
    withFileWriterSync(database, (writer) => {
      writer.memories.putReady(
        talks.map((each) => prepareMemory('mira', memory(each), { read: readDetails({ people }) })),
      );
      writer.memories.putAll('mira', [
        memory({ id: 'w-3', name: 'Cake', transcript: 'Mira: A cake for the wedding.' }),
      ]);
    });
    const app = await serve(t, { database });
    const reader = await openReader(t);
    const { page, faults } = reader;
    await signIn(reader, app);
    await box(page).fill('wedding');
    await page.locator('.person-row').waitFor();
    await page.getByText('Found in 3 of 36 memories').waitFor();
    await box(page).press('Enter');
    await page.locator('.person-row:focus').waitFor();
    assert.match(page.url(), /search\?q=wedding\+$/);
    await box(page).fill('wedding planner');
    await page.locator('.person-row').waitFor();
    await box(page).press('Enter');
    await page.locator('.person-row:focus').waitFor();
    assert.match(page.url(), /search\?q=wedding\+planner\+$/);
    // The two words are meant together.
    await page.getByText('Found in 2 of 36 memories', { exact: true }).waitFor();
    assert.equal(await page.locator('.hit').filter({ hasText: 'A cake' }).count(), 0);
    assert.ok((await page.locator('.speaker mark').count()) > 0);
    // So they are with a wrong letter, unless the reader insists on it.
    await box(page).fill('weding planner');
    await page.getByText('Results for Wedding Planner').waitFor();
    await page.getByText('Found in 2 of 36 memories', { exact: true }).waitFor();
    await checkScreen(page, 'a misspelt name');
    await page.getByRole('link', { name: 'Search as typed' }).click();
    await page.getByText('Nothing says “weding planner”.').waitFor();
    await box(page).fill('wedding planner');
    await page.locator('.person-row').waitFor();
    await box(page).press('Enter');
    await page.locator('.person-row:focus').waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/people\/Wedding%20Planner$/);
    // Beside a limit to the person, the person is no result, and a name is told as it is without the limit.
    await page.goto(app.at('search?q=wedding&person=Wedding+Planner'));
    const named = page.getByRole('region', { name: /^The wedding/ });
    await named.locator('li.note').waitFor();
    assert.equal(await named.locator('.passage').count(), 0);
    assert.equal(await page.locator('.person-row').count(), 0);
    assert.deepEqual(faults, []);
  });

  it('leads to a memory by its name, which has the marks of a search that finds it', async (t) => {
    const app = await serve(t, { database: createMemories() });
    const reader = await openReader(t);
    const { page, faults } = reader;
    await signIn(reader, app);
    await box(page).fill('cup');
    await page.getByText('Found in 30 of 33 memories').waitFor();
    const names = page.getByRole('heading', { level: 2 }).getByRole('link');
    assert.equal(await names.count(), 20);
    assert.equal(await names.locator('mark', { hasText: 'Cup' }).count(), 20);
    assert.equal(await hits(page).count(), 0, 'nothing is said twice');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('j');
    const second = String(await names.nth(1).getAttribute('href'));
    assert.equal(await page.locator(':focus').getAttribute('href'), second);
    await page.keyboard.press('o');
    await page.waitForURL((url) => url.pathname + url.search === second);
    await page.goBack();

    await box(page).fill('tea');
    await hits(page).first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('j');
    assert.equal(
      await page.locator(':focus').getAttribute('href'),
      await hits(page).nth(1).getAttribute('href'),
      'a name without marks is no hit',
    );
    await names.first().click();
    await page.waitForURL(/\/m\/tea-29\?q=tea$/);
    await page.getByRole('heading', { name: 'Cup', level: 1 }).waitFor();
    assert.deepEqual(faults, []);
  });

  it('offers to put right all misspelt words at once', async (t) => {
    const app = await serve(t, { database: createMemories() });
    const reader = await openReader(t);
    const { page, faults } = reader;
    // Of words in quotes no other is searched instead.
    await signIn(reader, app, { path: 'search?q=%22crystl%22+%22kichen%22' });
    await page.getByText(/^Did you mean "crystal" "kitchen"\?$/).waitFor();
    await page.getByRole('link', { name: '"crystal" "kitchen"' }).click();
    await page.waitForURL(/q=%22crystal%22\+%22kitchen%22/);
    assert.deepEqual(faults, []);
  });

  it('says how it understood a query without hits, and offers what is near', async (t) => {
    const app = await serve(t, { database: createMemories() });
    const reader = await openReader(t);
    const { page, faults } = reader;
    await signIn(reader, app, {
      path: 'search?q=crystl+%22milk+crystal%22&from=2026-11-01&to=2026-11-30',
    });
    await page.getByText('Nothing says “crystl milk crystal” within these limits.').waitFor();
    await page.getByText('Did you mean crystal?').waitFor();
    await checkScreen(page, 'no hits');
    await page.getByRole('link', { name: 'crystal', exact: true }).click();
    await page.waitForURL(/q=crystal\+%22milk\+crystal%22/);
    // Until the new results have come, links are of the query before.
    await page.getByText('Did you mean').waitFor({ state: 'hidden' });
    const near = page.waitForResponse(/v1\/search\?/);
    await page.goto(app.at('search?q=%22cristel%22'));
    const { nearest_words } = await (await near).json();
    assert.deepEqual(nearest_words, { cristel: ['crystal'] });
    await page.getByText('Nothing says “cristel”').waitFor();
    assert.equal(await page.getByText('Did you mean').count(), 0, 'two letters of seven differ');
    await page.goBack();
    await page.getByRole('link', { name: /as separate words/ }).click();
    await page.getByText('Found in 2 of 3 memories').waitFor();

    await page.getByText('Filter', { exact: true }).click();
    await page.getByLabel('To', { exact: true }).fill('2026-11-17');
    await page.getByText('Found in 1 of 2 memories').waitFor();
    await checkScreen(page, 'filters');
    await page.getByRole('button', { name: 'Options' }).click();
    await page.getByText('As a request to the API').click();
    const command = await page.getByRole('textbox', { name: 'Command' }).inputValue();
    assert.match(
      command,
      /\/v1\/search\?q=crystal\+milk\+crystal&timezone=UTC&started_after=2026-11-01&started_before=2026-11-18/,
    );
    assert.deepEqual(faults, []);
  });

  it('says in one sentence that nothing has a word, and gives no advice that does not help', async (t) => {
    const app = await serve(t, { database: createMemories() });
    const reader = await openReader(t);
    const { page, faults } = reader;
    await signIn(reader, app);
    const text = page.locator('.understood');
    await page.goto(app.at('search?q=zzqqx'));
    await page.getByRole('link', { name: 'See all memories' }).waitFor();
    assert.deepEqual(await text.locator('p').allInnerTexts(), [
      'Nothing says “zzqqx”.',
      'Try another word, or its first letters. See all memories',
    ]);
    assert.equal(await page.locator('.filters').count(), 0, 'there is nothing to limit');
    assert.equal(await text.locator('xpath=ancestor::*[@class="actions"]').count(), 0);
    const size = (element: Element) => getComputedStyle(element).fontSize;
    assert.equal(await text.evaluate(size), await page.locator('body').evaluate(size));
    assert.equal(await page.getByRole('navigation', { name: 'Order' }).count(), 0);
    assert.equal(await page.getByRole('button', { name: 'Save this search' }).count(), 0);
    await checkScreen(page, 'nothing found');

    // Nothing begins with the first three letters of that word, but something with those of this one.
    await page.goto(app.at('search?q=teaquuxly'));
    await text.getByText('Search words that begin with “tea” 30 memories').waitFor();
    const start = text.getByRole('link', { name: 'Search words that begin with' });
    assert.match(String(await start.getAttribute('href')), /q=tea\*$/);

    // Without the limit, there is nothing with this word either, but with another one.
    const limit = '&from=2026-11-01&to=2026-11-30';
    await page.goto(app.at(`search?q=zzqqx${limit}`));
    await page.getByText('Nothing says “zzqqx”').waitFor();
    assert.equal(await page.getByRole('link', { name: 'Search everywhere' }).count(), 0);
    // A misspelt word finds by itself what was meant, but not within limits in which nothing says that.
    await page.goto(app.at('search?q=crystl&from=2020-01-01&to=2020-01-02'));
    await page.getByText('Nothing says “crystl” within these limits.').waitFor();
    assert.deepEqual(await text.locator('p:not([role])').allInnerTexts(), [
      'Search everywhere',
      'Did you mean crystal?',
    ]);
    await page.goto(app.at(`search?q=tea${limit}`));
    await page.getByRole('link', { name: 'Search everywhere' }).click();
    await page.getByText('Found in 30 of 33 memories').waitFor();

    const main = page.getByRole('main');
    await page.goto(app.at('search?q=zzqqx&sort=newest'));
    await main.getByText('Nothing says “zzqqx”').waitFor();
    await page.goto(app.at(`search?q=tea&sort=newest${limit}`));
    await main.getByText('Nothing says “tea”').waitFor();
    await main.getByRole('link', { name: 'Search everywhere' }).waitFor();
    assert.deepEqual(faults, []);
  });

  it('finds the same memories in both orders, under the same head', async (t) => {
    const app = await serve(t, { database: createMemories() });
    const reader = await openReader(t);
    const { page, faults } = reader;
    await signIn(reader, app, { path: 'search?q=milk+glass' });
    const main = page.getByRole('main');
    const head = page.locator('.heading');
    const found = () => main.locator('section h2 a').allInnerTexts();
    await main.getByText('Found in 2 of 33 memories').waitFor();
    assert.deepEqual(await found(), ['No phrase', 'Kitchen plan']);
    const lacked = main.locator('section', { hasText: 'Kitchen plan' }).locator('li.note');
    assert.equal(await lacked.innerText(), 'Without glass');
    assert.equal(await main.locator('section li.note').count(), 1);
    const before = await head.innerText();
    await main.getByRole('link', { name: 'Newest' }).click();
    await main.locator('section').first().getByText('Kitchen plan').waitFor();
    assert.deepEqual(await found(), ['Kitchen plan', 'No phrase']);
    await main.getByText('Found in 2 of 33 memories').waitFor();
    assert.equal(await head.innerText(), before);
    await page.goto(app.at('search?q=tea&sort=newest'));
    await main.getByText('Found in 30 of 33 memories').waitFor();
    assert.equal(await main.locator('section').count(), 10);
    await page.getByRole('button', { name: 'More' }).click();
    await main.locator('section').nth(19).waitFor();
    await page.getByRole('button', { name: 'More' }).click();
    await main.locator('section').nth(29).waitFor();
    assert.equal(await page.getByRole('button', { name: 'More' }).count(), 0);
    assert.deepEqual(faults, []);
  });

  it('ends with the memories in which a person says nothing near the word', async (t) => {
    const database = createMemories();
    const people = [person('Ann'), person('Tomas')];
    const far = ['Ann: A zebra.', ...lines(300, 'Ann: Hm.'), 'Tomas: Bye.'].join('\n');
    withFileWriterSync(database, (writer) =>
      writer.memories.putReady(
        [
          memory({ id: 'near', name: 'The Zebra', transcript: 'Ann: A zoo.\nTomas: A zebra.' }),
          memory({ id: 'far', transcript: far }),
        ].map((each) => prepareMemory('mira', each, { read: readDetails({ people }) })),
      ),
    );
    const app = await serve(t, { database });
    const reader = await openReader(t);
    const { page, faults } = reader;
    await signIn(reader, app, { path: 'search?q=zebra&person=Tomas' });
    await page.getByText('Found in 2 of 2 memories', { exact: true }).waitFor();
    await page.locator('h2 mark', { hasText: 'Zebra' }).waitFor();
    await page.locator('main section').nth(1).waitFor();
    assert.equal(await page.locator('main section').count(), 2);
    await checkScreen(page, 'near a person');
    for (const id of ['near', 'far'])
      await page.locator(`ul a.found[href*="/m/${id}?"] mark`, { hasText: 'zebra' }).waitFor();
    const first = page.locator('main section').first();
    assert.match(await first.innerText(), /Tomas: ?A zebra/, 'who is asked for comes first');
    await page.goto(app.at('search?q=zebra&person=Ann'));
    await page.getByText('Found in 2 of 2 memories', { exact: true }).waitFor();
    assert.deepEqual(faults, []);
  });

  it('shows the name of a memory that is too long for passages', async (t) => {
    const database = createMemories();
    const long = memory({ id: 'long', transcript: `${'word '.repeat(450_000)} zebra` });
    withFileWriterSync(database, (writer) => void writer.memories.put('mira', long));
    const app = await serve(t, { database });
    const reader = await openReader(t);
    const { page, faults } = reader;
    await signIn(reader, app, { path: 'search?q=zebra' });
    await page.getByText('Found in 1 of 34 memories').waitFor();
    await page.locator('h2 a[href*="/m/long?"]').waitFor();
    await checkScreen(page, 'too long');
    assert.deepEqual(faults, []);
  });

  it('shows the sentence of the gateway for a long query or an error, and what was found stays', async (t) => {
    const app = await serve(t, { database: createMemories() });
    const reader = await openReader(t, { expects: /422|500|ERR_/ });
    const { page, faults } = reader;
    await signIn(reader, app);
    const most = `milk ${'ß'.repeat(1019)}`;
    await box(page).fill(most);
    await page.getByText('Found in 2 of 33 memories').waitFor();
    assert.equal(await box(page).inputValue(), most);
    await checkWidth(page, 'a long query');
    await box(page).fill(`${most}x`);
    await page.getByText(/1 to 1024 characters/).waitFor();
    assert.equal((await hits(page).count()) > 0, true);

    await box(page).fill('milk');
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await app.stop();
    await box(page).fill('milk tea');
    await page.getByText('This opens when the connection is back.').waitFor();
    assert.equal((await hits(page).count()) > 0, true);
    await checkScreen(page, 'offline');
    await app.restart();
    await page.getByText('Found in 32 of 33 memories').waitFor({ timeout: 40_000 });
    assert.deepEqual(faults, []);
  });

  it('never moves what was found when memories change, and searches again if the reader asks', async (t) => {
    const database = createMemories();
    const app = await serve(t, { database });
    const reader = await openReader(t);
    const { page, faults } = reader;
    await signIn(reader, app);
    await box(page).fill('straße');
    await page.getByText('Found in 2 of 33 memories').waitFor();
    const shown = await hits(page).allTextContents();
    withFileWriterSync(database, (writer) =>
      writer.memories.putAll('mira', [memory({ id: 'better', transcript: 'Straße! Straße.' })]),
    );
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await page.getByText('Memories have changed').waitFor();
    assert.deepEqual(await hits(page).allTextContents(), shown);
    await checkScreen(page, 'changed memories');
    await page.getByRole('button', { name: 'Search again' }).click();
    await page.getByText('Found in 3 of 34 memories').waitFor();
    assert.equal(await page.getByText('Memories have changed').count(), 0);
    assert.deepEqual(faults, []);
  });

  it('fits a small screen, and Escape leaves the box for what had the focus', async (t) => {
    const app = await serve(t, { database: createMemories() });
    const reader = await openReader(t, { viewport: { width: 320, height: 640 } });
    const { page, faults } = reader;
    await signIn(reader, app);
    await checkScreen(page, 'list');
    const link = page.getByRole('link', { name: /Kitchen plan/ });
    await link.focus();
    await page.keyboard.press('/');
    assert.equal(await box(page).evaluate((field) => field === document.activeElement), true);
    await page.keyboard.press('Escape');
    assert.equal(await link.evaluate((field) => field === document.activeElement), true);

    await page.keyboard.press('/');
    await page.keyboard.type('milk straße');
    await page.getByText('Found in 2 of 33 memories').waitFor();
    await page.getByText('Filter', { exact: true }).click();
    await checkScreen(page, 'passages on a small screen');
    await box(page).focus();
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'Memories', level: 1 }).waitFor();
    await page.waitForFunction(() => document.activeElement?.textContent?.includes('Kitchen plan'));
    assert.deepEqual(faults, []);
  });

  it('is limited to all people that it names', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t);
    const { page, faults } = reader;
    await signIn(reader, app);
    await box(page).fill('fridge with Henrik with Mira');
    for (const name of ['Henrik', 'Mira'])
      await page.getByRole('link', { name: `with ${name} Remove` }).waitFor();
    await box(page).press('Enter');
    await page.locator('.found:focus').waitFor();
    assert.match(page.url(), /\/app\/search\?/, 'a limit does not open what it finds');
    assert.deepEqual(faults, []);
  });

  it('shows the three best passages of each memory, and all of one if the reader asks, also after Back', async (t) => {
    const app = await serve(t);
    const filler = Array.from({ length: 12 }, (_, i) => `Tomas: filler ${i} of this talk.`);
    const turns = Array.from({ length: 8 }, (_, i) => [`Ana: quokka ${i}.`, ...filler]);
    put(app, memory({ id: 'zoo', user_id: 'mira', transcript: turns.flat().join('\n') }));
    const reader = await openReader(t);
    const { page, faults } = reader;
    await signIn(reader, app, { path: 'search?q=quokka' });
    const passages = page.locator('.passage');
    const more = page.getByRole('button', { name: '5 more passages' });
    await more.waitFor();
    assert.equal(await passages.count(), 3);
    await checkScreen(page, 'the best passages of a memory');
    await page.locator('h1').click();
    for (let i = 0; i < 4; i++) await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Fewer' }).waitFor();
    assert.equal(await passages.count(), 8);
    await passages.nth(6).click();
    await page.locator('.line.marked').waitFor();
    await page.goBack();
    await passages.nth(7).waitFor();
    await page.getByRole('button', { name: 'Fewer' }).click();
    await passages.nth(3).waitFor({ state: 'detached' });
    assert.deepEqual(faults, []);
  });

  it('leads to the person whose name it is, before lines that say the name, and marks it in one line of theirs', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t);
    const { page, faults } = reader;
    await signIn(reader, app);
    await box(page).fill('henrik');
    const row = page.getByRole('link', { name: /^Henrik 6 memories/ });
    await row.waitFor();
    await hits(page).first().waitFor();
    await checkScreen(page, 'a person');
    const said = await hits(page).evaluateAll((all) =>
      all.map((hit) => hit.querySelector('.said mark:not(.speaker *)') !== null),
    );
    assert.ok(said.includes(true) && said.includes(false));
    assert.equal(said.lastIndexOf(true) < said.indexOf(false), true, 'who only speaks is last');
    assert.equal(await page.locator('.speaker mark').count(), said.filter((is) => !is).length);
    await box(page).press('Enter');
    await row.and(page.locator(':focus')).press('Enter');
    await page.waitForURL(/\/people\/Henrik$/);
    await page.getByRole('heading', { name: 'Henrik', level: 1 }).waitFor();

    await page.goto(app.at('search?q=fridge'));
    await hits(page).first().waitFor();
    assert.equal(await page.locator('.person-row').count(), 0);
    assert.deepEqual(faults, []);
  });

  it('shows below a memory that has the query as its name what it is about, and shows it by Enter', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t);
    const { page, faults } = reader;
    await signIn(reader, app, { path: 'search?q=voice+memo' });
    await page.getByText('Mira reminds herself to get milk.').waitFor();
    // Letters name the bars of one year.
    await page.locator('.timeline i[data-letter="N"]').waitFor();
    // Enter shows what was found, as for all words. Another Enter opens the memory.
    await box(page).press('Enter');
    await page.locator('.found:focus').waitFor();
    assert.match(page.url(), /\/app\/search\?/);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Voice memo', level: 1 }).waitFor();
    assert.match(page.url(), /-memo-milk$/, 'at its top, without its name to find in it');
    assert.deepEqual(faults, []);
  });

  it('says in the list of saved searches how many memories are new since it was opened', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t);
    const { page, faults } = reader;
    await signIn(reader, app, { path: 'search?q=fridge' });
    await page.getByRole('button', { name: 'Save this search' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { name: 'fridge', level: 1 }).waitFor();
    await page.waitForFunction(() => Object.keys(localStorage).some((key) => /seen/.test(key)));
    await page.goto(app.at('searches'));
    await page.getByRole('link', { name: /^fridge 3 memories/ }).waitFor();
    put(app, memory({ id: 'cold', user_id: 'mira', transcript: 'Mira: A second fridge.' }));
    await page.reload();
    await page.getByRole('link', { name: /^fridge 1 new 4 memories/ }).click();
    await page.getByText('Found in 4 of 18 memories').waitFor();
    await page.waitForFunction(() =>
      Object.entries(localStorage).some(([key, count]) => /seen/.test(key) && count === '4'),
    );
    await page.goto(app.at('searches'));
    await page.getByRole('link', { name: /^fridge 4 memories/ }).waitFor();
    assert.deepEqual(faults, []);
  });

  it('is saved with its limits under a name, found again without typing, and removed', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t, { locale: 'en-US' });
    const { page, faults } = reader;
    await signIn(reader, app, { path: 'search?person=Henrik&q=fridge' });
    const button = page.getByRole('button', { name: 'Save this search' });
    await button.waitFor();
    await page.setViewportSize({ width: 390, height: 800 });
    const head = (await page.locator('.heading').boundingBox()) ?? { height: 0 };
    assert.ok(head.height < 60, `${head.height} px on a phone, for the title and its buttons`);
    await page.setViewportSize({ width: 1200, height: 860 });
    await button.click();
    const name = page.getByRole('textbox', { name: 'Name' });
    assert.equal(await name.inputValue(), 'fridge with Henrik');
    await name.fill('');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    assert.equal(await name.isVisible(), true, 'a name is required');
    await name.fill('The fridge war');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { name: 'The fridge war', level: 1 }).waitFor();
    assert.equal(await page.getByText('The fridge war').count(), 1, 'once on its page');
    await checkScreen(page, 'a saved search');
    await page.setViewportSize({ width: 390, height: 800 });
    const { height = 0 } = (await page.getByRole('heading', { level: 1 }).boundingBox()) ?? {};
    assert.ok(height < 48, `${height} px on a phone, for one line`);
    await page.setViewportSize({ width: 1200, height: 860 });

    const menu = async (action: string) => {
      await page.getByRole('button', { name: 'Saved' }).click();
      await page.getByRole('button', { name: action, exact: true }).click();
    };
    const all = page
      .getByRole('navigation', { name: 'More', includeHidden: true })
      .getByRole('link', { name: 'Searches', includeHidden: true });
    const isCurrent = () => all.getAttribute('aria-current');
    assert.equal(await isCurrent(), 'page', 'a saved search is one of them');
    await all.click();
    // Three memories have Henrik and a fridge. The fields stay folded until somebody wants them.
    await page
      .getByRole('link', {
        name: /^The fridge war 3 memories fridge with Henrik · Latest .*Nov 19/,
      })
      .waitFor();
    assert.equal(await page.getByLabel('From').count(), 0);
    assert.equal(await isCurrent(), 'page');
    await checkScreen(page, 'saved searches');
    await page.getByRole('link', { name: 'The fridge war' }).click();
    await page.locator('.passage').first().waitFor();
    assert.equal(await box(page).inputValue(), 'fridge');
    await page.locator('.chip', { hasText: 'Henrik' }).waitFor();

    await menu('Rename');
    assert.equal(await name.inputValue(), 'The fridge war');
    await name.fill('The second fridge war');
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
    const renamed = page.getByRole('heading', { name: 'The second fridge war', level: 1 });
    await renamed.waitFor();
    await menu('Remove');
    await page.getByRole('button', { name: 'Save this search' }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await renamed.waitFor();
    await all.click();
    await page.getByRole('link', { name: 'The second fridge war' }).waitFor();
    const isThere = (text: string) => page.getByText(text).count();
    assert.equal(await isThere('The fridge war'), 0, 'the name before is no second one');
    assert.equal(await page.locator('.filters').count(), 0, 'nothing stands among what is saved');
    // In the list as well, by keyboard.
    const rename = page.getByRole('main').getByRole('button', { name: 'Rename' });
    await rename.focus();
    await page.keyboard.press('Enter');
    assert.equal(await name.inputValue(), 'The second fridge war');
    await page.keyboard.type('The last fridge war');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'The last fridge war' }).waitFor();
    assert.equal(await isThere('The second fridge war'), 0);
    assert.ok(await rename.evaluate((each) => each === document.activeElement));
    await checkScreen(page, 'a saved search with another name');
    await page.getByRole('link', { name: 'The last fridge war' }).click();
    await menu('Remove');
    await page.getByRole('button', { name: 'Save this search' }).waitFor();
    assert.equal(await isCurrent(), null, 'a search that is not saved is not one of them');
    await page.goto(app.at('searches'));
    await page.getByText('Nothing is saved yet. Search, then choose “Save this search”.').waitFor();
    const explained = page.getByText('Words find passages');
    assert.equal(await explained.isVisible(), false, 'only if somebody wants to know');
    await page.getByText('How to search').click();
    await explained.waitFor();
    assert.equal(await page.getByRole('link', { name: 'fridge war' }).count(), 0);
    assert.deepEqual(faults, []);
  });
});
