// The reader in Chromium with texts that are too long, too strange or made to harm: all are text, and nothing freezes.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';

import type { NewMemory } from '../../../src/store/import/memory-row.ts';
import { withFileWriterSync } from '../../../src/store/sqlite/writer.ts';
import { sized } from '../../support/world/thorough.ts';
import { memory } from '../../support/world/world.ts';
import { checkScreen, checkWidth, openReader, pasted, redeem, serve, skip } from './page.ts';

const MB = 1_000_000;

/** The length of the longest transcript: a short run prints fewer lines. */
const LONG_MB = sized(5, 2);

/** A transcript of a length, with lines as in a conversation. */
function talk(length: number): string {
  const lines: string[] = [];
  for (let size = 0; size < length;) {
    const line = `Speaker ${lines.length % 5}: sentence ${lines.length} about the crystal and the milk of the week.`;
    size += line.length + 1;
    lines.push(line);
  }
  return lines.join('\n');
}

describe('The reader with unusual texts', { skip, timeout: 600_000 }, () => {
  async function open(t: TestContext, ...list: readonly NewMemory[]) {
    const app = await serve(t);
    withFileWriterSync(app.database, (writer) => {
      writer.memories.putAll('mira', [...list]);
    });
    const reader = await openReader(t);
    await redeem(reader, await app.link());
    return { app, ...reader };
  }

  it('shows HTML, directions and invisible characters as text', async (t) => {
    const evil = '<img src=x onerror=alert(1)>';
    const id = `${'a-b_c.d~'.repeat(15)}--------`;
    assert.equal(id.length, 128);
    const lines = [
      `<script>alert(1)</script>${evil}`,
      `Mira\u202Egnp.exe: ${evil}`,
      'سلمى: اشتريت الحليب',
      'Mira: \u200B\u2066',
    ];
    const name = `${evil}\u202Eabc\u200B`;
    const { page, app, faults } = await open(t, memory({ id, name, transcript: lines.join('\n') }));
    await page.goto(app.at(`m/${id}#L3`));
    await page.locator('#L3.marked').waitFor();
    assert.deepEqual(await page.locator('.said').allTextContents(), lines);
    // The name is isolated, because it turns what follows.
    assert.equal(await page.locator('h1').textContent(), `\u2068${name}\u2069`);
    assert.equal(await page.locator('article img, article script').count(), 0);
    const directions = await page
      .locator('.said')
      .evaluateAll((all) => all.map((each) => getComputedStyle(each).direction));
    assert.deepEqual(directions, ['ltr', 'ltr', 'rtl', 'ltr']);
    await checkScreen(page, 'unusual characters');
    assert.deepEqual(faults, []);
  });

  it('shows no words, and 10,000 speakers as eight and all others', async (t) => {
    const lines = Array.from({ length: 10_000 }, (_, i) => `Speaker ${i}: word ${i}.`);
    const { page, app, faults } = await open(
      t,
      memory({ id: 'none', name: '', transcript: ' \n\n' }),
      memory({ id: 'crowd', transcript: lines.join('\n') }),
    );
    await page.goto(app.at('m/none'));
    await page.locator('#L3').waitFor();
    assert.equal(await page.locator('.shares').count(), 0);
    await page.goto(app.at('m/crowd'));
    await page.locator('#L10000').waitFor({ state: 'attached' });
    assert.equal(await page.locator('.shares li').count(), 9);
    const last = page.locator('.shares li').last();
    assert.match((await last.textContent()) ?? '', /^and 9,992 others 100\s%$/);
    // The score and the names of all others have a grey, so that every colour is that of one person.
    const colourOf = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element) => getComputedStyle(element).color);
    assert.equal(await colourOf('#L20 .speaker'), await colourOf('.shares li:last-child'));
    assert.notEqual(await colourOf('#L20 .speaker'), await colourOf('.shares li:first-child'));
    await page.setViewportSize({ width: 390, height: 844 });
    await page.reload();
    await page.locator('#L10000').waitFor({ state: 'attached' });
    assert.equal(await page.locator('.shares li').count(), 4, 'three names, and the rest');
    const more = page.getByRole('button', { name: /^and 9,997 others 100\s%$/ });
    await more.click();
    const dialog = page.getByRole('dialog', { name: 'Speakers' });
    await dialog.locator('li').nth(499).waitFor();
    const done = dialog.getByRole('button', { name: 'Done' });
    const { y = 0 } = (await done.boundingBox()) ?? {};
    assert.ok(y > 0 && y < 800, 'the way out is in sight');
    await dialog.getByLabel('Find a name').fill('speaker 999');
    const found = dialog.getByRole('button', { name: /^Speaker 9999 <\s1\s%$/ });
    await found.waitFor();
    const part = await found.locator('span').boundingBox();
    assert.ok(part && part.x + part.width < 390 - 15, 'how much somebody says is beside the name');
    await checkScreen(page, 'all speakers');
    await found.click();
    await page.getByText('Only Speaker 9999 · 1 of 1').waitFor();
    assert.equal(await dialog.count(), 0);
    await page.locator('#L10000.here').waitFor();
    await more.click();
    await dialog.getByLabel('Find a name').fill('speaker 9998');
    await page.keyboard.press('Enter');
    await page.getByText('Only Speaker 9998 · 1 of 1').waitFor();
    assert.deepEqual(faults, []);
  });

  it(`shows, marks, searches and prints a transcript of ${LONG_MB} MB`, async (t) => {
    const transcript = talk(LONG_MB * MB);
    const total = transcript.split('\n').length;
    const { page, app, faults } = await open(t, memory({ id: 'long', transcript }));
    await page.goto(app.at());
    await page.evaluate(() => {
      const { list } = Object.assign(globalThis, { list: [] as number[] });
      new PerformanceObserver((entries) => {
        for (const { duration } of entries.getEntries()) list.push(Math.round(duration));
      }).observe({ entryTypes: ['longtask'] });
    });
    const data = page.waitForResponse(/memories\/long$/);
    await page.evaluate(
      (target) => {
        history.pushState({ depth: 1 }, '', target);
        dispatchEvent(new PopStateEvent('popstate'));
      },
      new URL(app.at(`m/long#L${total - 500}`)).pathname + `#L${total - 500}`,
    );
    await (await data).finished();
    const started = Date.now();
    await page.locator('.marked').waitFor();
    const first = Date.now() - started;
    const position = () =>
      page.evaluate(
        () => (document.querySelector('.marked')?.getBoundingClientRect().top ?? -1) / innerHeight,
      );
    assert.ok((await position()) > 0 && (await position()) < 1, 'the marked line is on the screen');
    const tasks = await page.evaluate(() => (globalThis as unknown as { list: number[] }).list);
    t.diagnostic(`first screen ${first} ms, tasks over 50 ms: ${tasks.join(', ')}`);
    await page.keyboard.press('f');
    await page.getByLabel('Find in transcript').fill(`sentence ${total - 10} `);
    await page.locator('.find [role=status]').getByText('1 of 1').waitFor();
    await page.emulateMedia({ media: 'print' });
    const hidden = await page
      .locator('.block')
      .evaluateAll(
        (each) => each.filter((one) => getComputedStyle(one).contentVisibility === 'auto').length,
      );
    assert.equal(hidden, 0, 'print has every block');
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    assert.equal(await page.evaluate(() => document.querySelectorAll('.line').length), total);
    assert.deepEqual(faults, []);
  });

  it('makes at most 2,000 elements of 46,000 lines before anybody scrolls, and finds all lines', async (t) => {
    const lines = Array.from({ length: 46_000 }, (_, i) => `Speaker ${i % 4}: word${i} milk.`);
    const { page, app, faults } = await open(
      t,
      memory({ id: 'long', transcript: lines.join('\n') }),
    );
    await page.goto(app.at('m/long'));
    await page.locator('#L46000').waitFor({ state: 'attached' });
    await page.waitForLoadState('networkidle');
    const elements = await page.evaluate(() => document.querySelectorAll('*').length);
    assert.ok(elements <= 2000, `${elements} elements`);
    // A browser cannot find what is not in the page, so its key opens the find bar.
    await page.keyboard.press('Control+f');
    await page.getByLabel('Find in transcript').fill('word23456');
    await page.locator('#L23457').waitFor();
    assert.deepEqual(faults, []);
  });

  it('goes to the last of 46,000 lines by one press of End, and to the top by one of Home', async (t) => {
    const said = 'milk and crystal and whatever else there is to say ';
    const lines = Array.from(
      { length: 46_000 },
      (_, i) => `Ana ${i % 4}: ${said.repeat(i % 7)}${i}`,
    );
    const { page, app, faults } = await open(
      t,
      memory({ id: 'long', transcript: lines.join('\n') }),
    );
    await page.goto(app.at('m/long'));
    const last = page.locator('#L46000');
    await last.waitFor({ state: 'attached' });
    const box = page.locator('.score .screen');
    await box.waitFor();
    const seen = () =>
      page.evaluate(() => {
        const { top = 0, bottom = 0 } =
          document.querySelector('#L46000')?.getBoundingClientRect() ?? {};
        return top > 0 && bottom <= innerHeight;
      });
    const settle = () => page.evaluate(() => new Promise((done) => void setTimeout(done, 500)));
    await page.keyboard.press('End');
    await settle();
    assert.equal(await seen(), true);
    await page.keyboard.press('Home');
    await settle();
    assert.equal(await page.evaluate(() => scrollY), 0);
    // No line is on the screen, so the box that says which ones are is not there.
    await page.evaluate(() => {
      document.querySelector('h1')?.style.setProperty('margin-bottom', '200vh');
      dispatchEvent(new Event('scroll'));
    });
    await box.waitFor({ state: 'detached' });
    await page.keyboard.press('End');
    await box.waitFor();
    await page.evaluate(() => {
      document.querySelector<HTMLElement>('.near')?.style.setProperty('margin-top', '300vh');
      scrollTo(0, document.body.scrollHeight);
    });
    await box.waitFor({ state: 'detached' });
    assert.deepEqual(faults, []);
  });

  it('copies the selected lines of a long transcript that are not in the page yet', async (t) => {
    const lines = Array.from({ length: 3000 }, (_, i) => `Speaker ${i % 4}: word${i} milk.`);
    const { page, app, faults } = await open(
      t,
      memory({ id: 'long', transcript: lines.join('\n') }),
    );
    await page.goto(app.at('m/long'));
    await page.locator('#L3000').waitFor({ state: 'attached' });
    assert.equal(await page.locator('#L1500').count(), 0);
    await page.evaluate(() => {
      const [first, last] = ['L2', 'L2999'].map((id) => document.querySelector(`#${id} .said`));
      if (first && last) getSelection()?.setBaseAndExtent(first, 0, last, last.childNodes.length);
    });
    await page.keyboard.press('Control+c');
    const copied = (await pasted(page)).split('\n').filter((line) => line !== '');
    // Without the difference of the lists, which would take minutes to print.
    const other = copied.findIndex((line, i) => line !== lines[i + 1]);
    assert.equal(other, -1, String(copied[other]));
    assert.equal(copied.length, lines.length - 2);
    assert.deepEqual(faults, []);
  });

  it('shows the first lines of a long transcript while the rest is still coming', async (t) => {
    // Random words, which compression cannot make small.
    const words = () => Array.from({ length: 9 }, () => Math.random().toString(36)).join(' ');
    const lines = Array.from({ length: 6000 }, (_, i) => `Speaker ${i % 3}: ${words()}`);
    const { page, app, context, faults } = await open(
      t,
      memory({ id: 'long', name: 'A long one', transcript: lines.join('\n') }),
    );
    await page.goto(app.at());
    const network = await context.newCDPSession(page);
    const slow = { offline: false, latency: 0, downloadThroughput: 250_000, uploadThroughput: -1 };
    let isDone = false;
    page.on('requestfinished', (request) => {
      if (request.url().endsWith('/memories/long')) isDone = true;
    });
    await network.send('Network.emulateNetworkConditions', slow);
    await page.getByRole('link', { name: /A long one/ }).click();
    await page.locator('#L20').waitFor();
    assert.equal(isDone, false, 'the rest is still coming');
    assert.equal(await page.locator('#L6000').count(), 0);
    assert.equal(await page.locator('.shares').isVisible(), false, 'no shares of a part');
    const top = () =>
      page.evaluate(() => document.getElementById('L20')?.getBoundingClientRect().top ?? 0);
    const topBefore = await top();
    await page.waitForFunction(() => document.getElementById('L6000') !== null);
    assert.equal(isDone, true);
    assert.ok(Math.abs((await top()) - topBefore) < 2, `${await top()} is not ${topBefore}`);
    assert.equal(await page.locator('.shares').isVisible(), true);
    assert.equal(await page.locator('#L6000 .said').textContent(), lines[5999]);
    assert.deepEqual(faults, []);
  });

  it('shows one line of 5 MB', async (t) => {
    const transcript = `Mira: ${'milk and crystal '.repeat(MB * 0.3)}`;
    const { page, app, faults } = await open(t, memory({ id: 'line', transcript }));
    await page.goto(app.at('m/line'));
    await page.locator('#L1').waitFor();
    assert.equal((await page.locator('#L1 .said').textContent())?.length, transcript.length);
    await checkWidth(page, 'one line of 5 MB');
    // A piece has at most 4,000 characters: 50 rows, and twice that on a narrow screen.
    const heights = await page
      .locator('.piece')
      .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().height));
    assert.ok(heights.length > 1000);
    assert.ok(Math.max(...heights) < 3000, `a piece is ${Math.max(...heights)} pixels high`);
    await page.keyboard.press('End');
    await page.getByRole('button', { name: 'Find', exact: true }).click({ timeout: 5000 });
    assert.deepEqual(faults, []);
  });

  it('shows a turn of 5,000 characters as wide as its column beside a name, in both directions', async (t) => {
    const { page, app } = await open(
      t,
      memory({ id: 'left', transcript: `Mira Okafor: ${'milk and crystal '.repeat(300)}` }),
      memory({ id: 'right', transcript: `נועה כהן: ${'חלב וגביש '.repeat(500)}` }),
    );
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 });
      for (const id of ['left', 'right']) {
        await page.goto(app.at(`m/${id}`));
        await page.locator('.piece').first().waitFor();
        const widths = await page
          .locator('.said, .piece')
          .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().width));
        assert.deepEqual(new Set(widths), new Set(widths.slice(0, 1)), `${id} at ${width} px`);
      }
    }
  });

  it('divides a turn of 10,000 characters where sentences end, otherwise between words', async (t) => {
    const sentence = 'Then Dr. Yıldız said: “We have 3.5 l of milk and the crystal.” ';
    const { page, app } = await open(
      t,
      memory({ id: 'sentences', transcript: `Mira: ${sentence.repeat(160)}` }),
      memory({ id: 'words', transcript: `Mira: ${'milk and crystal '.repeat(600)}` }),
      memory({ id: 'chinese', transcript: `Mira: ${'我们有牛奶和水晶。'.repeat(1100)}` }),
    );
    const ends = { sentences: /crystal\.” $/, words: /\w $/, chinese: /。$/ };
    for (const [id, end] of Object.entries(ends)) {
      await page.goto(app.at(`m/${id}`));
      await page.locator('.piece').first().waitFor();
      const texts = await page.locator('.piece').allTextContents();
      assert.equal(texts.length, 3, id);
      for (const text of texts) {
        assert.match(text, end, id);
        assert.ok(text.length <= 4000, `${id}: ${text.length} characters`);
      }
    }
  });

  it('keeps no text of memories that are closed', async (t) => {
    const list = Array.from({ length: 12 }, (_, i) =>
      memory({ id: `m${i}`, transcript: talk(MB).replaceAll('sentence', `word${i}`) }),
    );
    const { page, app, faults } = await open(t, ...list);
    await page.goto(app.at());
    const visit = async (id: string) => {
      await page.evaluate(
        (target) => {
          history.replaceState({ depth: 0 }, '', target);
          dispatchEvent(new PopStateEvent('popstate'));
        },
        new URL(app.at(`m/${id}`)).pathname,
      );
      await page
        .getByRole('heading', { name: id, level: 1 })
        .or(page.locator('#L2'))
        .first()
        .waitFor();
      await page.locator('#L9').waitFor();
    };
    const session = await page.context().newCDPSession(page);
    const heap = async () => {
      await session.send('HeapProfiler.collectGarbage');
      const { usedSize } = await session.send('Runtime.getHeapUsage');
      return usedSize / MB;
    };
    for (const { id } of list.slice(0, 6)) await visit(id);
    const half = await heap();
    for (const { id } of list.slice(6)) await visit(id);
    const whole = await heap();
    t.diagnostic(
      `heap after 6 memories of 1 MB: ${half.toFixed(1)} MB, after 12: ${whole.toFixed(1)} MB`,
    );
    assert.ok(whole - half < 10, `${half} MB, then ${whole} MB`);
    assert.deepEqual(faults, []);
  });
});
