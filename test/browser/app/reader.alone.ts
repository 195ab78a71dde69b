// The reader in Chromium: links to lines, quotes, finding words, and a memory that changes while it is open.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import type { Page } from 'playwright-core';

import { prepareMemory, type NewMemory } from '../../../src/store/import/memory-row.ts';
import { withFileWriterSync } from '../../../src/store/sqlite/writer.ts';
import { newFolder } from '../../support/world/artifacts.ts';
import { fullDetails } from '../../support/world/details.ts';
import { run } from '../../support/world/program.ts';
import { memory } from '../../support/world/world.ts';
import { checkScreen, openReader, pasted, put, serve, signIn, skip } from './page.ts';

/** A transcript of turns, each with its number as words. */
const turns = (count: number) =>
  Array.from(
    { length: count },
    (_, i) => `${i % 3 === 0 ? 'Mira' : 'Tomas'}: turn ${i + 1} about milk.`,
  );

const plan = (lines: readonly string[], more: Partial<NewMemory> = {}) =>
  memory({ id: 'plan', name: 'Plan', transcript: lines.join('\n'), ...more });

/** Whether an element is on the screen. */
const isInView = (page: Page, selector: string) =>
  page.locator(selector).evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  });

/** Comes back to the tab, which looks for changes at once. */
const lookForChanges = (page: Page) =>
  page.evaluate(() => {
    document.dispatchEvent(new Event('visibilitychange'));
  });

/** A place on the screen. */
interface Spot {
  readonly x: number;
  readonly y: number;
}

describe('The reader', { skip, timeout: 600_000 }, () => {
  it('opens a link to a line after the sign-in, finds the line again after an import, and says if it is gone', async (t) => {
    const app = await serve(t);
    put(app, plan(turns(200)));
    const reader = await openReader(t, { expects: /status of 401/ });
    const { page, faults } = reader;
    await signIn(reader, app, { path: 'm/plan' });
    await page.locator('#L128 a').click();
    const { hash } = new URL(page.url());
    assert.match(hash, /^#L128~[0-9a-z]{4}$/);
    assert.equal(await page.locator('#L128 a').getAttribute('href'), hash);

    const other = await openReader(t, { expects: /status of 401/ });
    await other.page.goto(app.at(`m/plan${hash}`));
    await other.page.getByText('These memories are private').waitFor();
    await other.page.goto(await app.link());
    await other.page.getByRole('button', { name: /^Sign in as / }).click();
    await other.page.getByRole('heading', { name: 'Memories', level: 1 }).waitFor();
    await other.page.goto(app.at(`m/plan${hash}`));
    await other.page.locator('#L128.marked').waitFor();
    assert.ok(await isInView(other.page, '#L128'));

    put(app, plan(['Mira: new.', 'Mira: new too.', ...turns(200)]));
    await page.reload();
    await page.locator('#L130.marked').waitFor();
    assert.match((await page.locator('#L130').textContent()) ?? '', /turn 128 /);
    assert.ok(await isInView(page, '#L130'));
    assert.equal(await page.locator('.marked').count(), 1);

    put(app, plan(turns(100)));
    await page.reload();
    await page.getByText('The line of this link is gone').waitFor();
    assert.equal(await page.locator('.marked').count(), 0);
    await page.goto(app.at('m/plan#L50-52~zzzzzzzz'));
    await page.getByText('The lines of this link are gone').waitFor();
    await page.setViewportSize({ width: 360, height: 500 });
    await page.reload();
    await page.getByText('The lines of this link are gone').waitFor();
    assert.ok(await isInView(page, '.reader > .notice'), 'on a phone, below the summary');
    await page.setViewportSize({ width: 1200, height: 860 });
    await page.goto(app.at('m/plan#L90~zzzz'));
    await page.locator('#L90 a:focus').waitFor();
    assert.ok(await isInView(page, '.reader > .notice'), 'far below the top');
    assert.deepEqual([...faults, ...other.faults], []);
  });

  it('extends the lines with Shift, and copies them and any selected text with a link', async (t) => {
    const app = await serve(t);
    put(app, plan(turns(30)));
    // An address of the network without TLS has no clipboard for scripts.
    const host = `memories.lan:${app.port}`;
    const reader = await openReader(t, { timezoneId: 'UTC' });
    const { page, faults } = reader;
    await signIn(reader, app, { host });
    await page.goto(app.at('m/plan', host));
    assert.equal(await page.evaluate(() => isSecureContext), false);
    await page.locator('#L5 a').click();
    await page.locator('#L3 a').click({ modifiers: ['Shift'] });
    assert.deepEqual(await page.locator('.marked').evaluateAll((all) => all.map(({ id }) => id)), [
      'L3',
      'L4',
      'L5',
    ]);
    await page.getByText('Lines 3 to 5').waitFor();
    await page.keyboard.press('c');
    await page.getByText('Quote copied').waitFor();
    const quote = await pasted(page);
    const lines = turns(30).slice(2, 5).join('\n');
    assert.ok(quote.startsWith(`“${lines}”\n— Plan, `), quote);
    assert.match(quote, /\nhttp:\/\/memories\.lan:\d+\/app\/m\/plan#L3-5~[0-9a-z]{8}$/);
    await page.keyboard.press('y');
    await page.getByText('Link copied').waitFor();
    assert.equal(await pasted(page), page.url());
    await checkScreen(page, 'marked lines');

    await page.locator('#L8 .said').dblclick({ position: { x: 70, y: 12 } });
    const word = await page.evaluate(() => String(getSelection()).trim());
    assert.match(word, /^\w+$/);
    await page.getByText('Line 8', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Copy quote with link' }).click();
    await page.getByText('Quote copied').waitFor();
    assert.equal(await page.evaluate(() => String(getSelection()).trim()), word);
    const copied = await pasted(page);
    assert.ok(copied.startsWith(`“Tomas: ${word}”\n`), copied); // line 8 is of Tomas
    assert.match(copied, /#L8~[0-9a-z]{4}$/);
    assert.deepEqual(faults, []);
  });

  it('has every letter that is typed after f in the find bar', async (t) => {
    const app = await serve(t);
    put(app, plan(turns(100)));
    const reader = await openReader(t);
    const { page, faults } = reader;
    await signIn(reader, app, { path: 'm/plan' });
    await page.locator('#L1').waitFor();
    // All keys in one task: no frame is drawn between them. e, u, n, g and t are keys of the reader.
    const typed = await page.evaluate(async () => {
      const press = (key: string) => {
        const to = document.activeElement ?? document.body;
        const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
        return to.dispatchEvent(event) && to.matches('.find input') ? key : '';
      };
      let text = press('f');
      for (const key of 'enough') {
        await Promise.resolve(); // as after every event
        text += press(key);
      }
      return text;
    });
    assert.equal(typed, 'enough');
    assert.deepEqual(faults, []);
  });

  it('finds words by the rules of the gateway, counts the hits and steps through them', async (t) => {
    const app = await serve(t);
    const lines = turns(300);
    lines[9] = 'Mira: We talked about the Straße and crystal milk.';
    lines[199] = 'Tomas: Crystal-milk again, on the STRASSE.';
    lines[249] = 'سلمى: اشتريت الحليب أمس';
    lines[259] = '佐藤: 昨日牛乳を買いました';
    put(app, plan(lines));
    const reader = await openReader(t);
    const { page, faults } = reader;
    await signIn(reader, app, { path: 'm/plan' });
    await page.locator('#L300').waitFor();
    await page.locator('#L2 a').focus();
    const topOf = (what: string) =>
      page.locator(what).evaluate((part) => part.getBoundingClientRect().top);
    const places = async () => [
      await topOf('h1'),
      await topOf('.share-bar'),
      await topOf('.strip'),
      await topOf('.up'),
    ];
    const before = await places();
    await page.keyboard.press('f');
    const field = page.getByLabel('Find in transcript');
    await field.waitFor();
    assert.deepEqual(await places(), before, 'Find opens in the bar and moves nothing');
    const count = page.locator('.find [role=status]');
    const at = (text: string) => count.getByText(text, { exact: true }).waitFor();
    // The count is shown before the page is painted with the hit.
    const showsHit = async (text: string) =>
      page.waitForFunction((expected) => {
        const [range] = CSS.highlights.get('hit-now') ?? [];
        return range instanceof Range && range.toString() === expected;
      }, text);
    await field.fill('strasse');
    await at('1 of 2');
    await showsHit('Straße');
    assert.ok(await isInView(page, '#L10'));
    await field.press('Enter');
    await at('2 of 2');
    await showsHit('STRASSE');
    assert.ok(await isInView(page, '#L200'));
    await field.press('Enter');
    await at('1 of 2');
    await field.press('Shift+Enter');
    await at('2 of 2');
    await field.fill('"crystal milk"');
    await at('1 of 2');
    await showsHit('crystal milk');
    for (const [word, found] of [
      ['cryst', 'crystal'],
      ['الحليب', 'الحليب'],
      ['牛乳', '牛乳'],
    ] as const) {
      await field.fill(word);
      await page.waitForFunction((text) => {
        const [range] = CSS.highlights.get('hit-now') ?? [];
        return range instanceof Range && range.toString().toLowerCase() === text;
      }, found);
    }
    await field.fill('nowhere');
    await at('not in the transcript');
    await checkScreen(page, 'find bar');
    await page.setViewportSize({ width: 320, height: 640 });
    const middles = await page.locator('.find > *').evaluateAll((parts) =>
      parts.map((part) => {
        const { top, bottom } = part.getBoundingClientRect();
        return (top + bottom) / 2;
      }),
    );
    assert.ok(
      Math.max(...middles) - Math.min(...middles) < 2,
      `one row on a phone: ${middles.join()}`,
    );
    await field.press('Escape');
    assert.equal(await page.locator('.find').count(), 0);
    assert.equal(await page.evaluate(() => CSS.highlights.get('hit')?.size ?? 0), 0);
    assert.equal(await page.evaluate(() => document.activeElement?.parentElement?.id), 'L2');
    assert.deepEqual(faults, []);
  });

  it('finds words apart that are nowhere together, and is not left by an Esc after that which closes Find', async (t) => {
    const app = await serve(t);
    const lines = turns(40);
    lines[9] = 'Mira: The noise is back.';
    lines[29] = 'Tomas: It is only his breath.';
    put(app, plan(lines));
    const reader = await openReader(t);
    const { page, faults } = reader;
    await signIn(reader, app, { path: 'm/plan' });
    await page.locator('#L30').waitFor();
    await page.keyboard.press('f');
    await page.getByLabel('Find in transcript').fill('breath noise');
    const count = page.locator('.find [role=status]');
    await count.getByText('1 of 2, apart', { exact: true }).waitFor();
    await page.getByLabel('Find in transcript').fill('noise is');
    await count.getByText('1 of 1', { exact: true }).waitFor();
    // Both at once, as fast as a habit is.
    const escape = (times: number) =>
      page.evaluate(async (presses) => {
        for (let press = 0; press < presses; press++) {
          const on = document.activeElement ?? document.body;
          on.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
          await new Promise((done) => void requestAnimationFrame(() => setTimeout(done)));
        }
      }, times);
    await escape(2);
    await page.locator('.find').waitFor({ state: 'detached' });
    assert.equal(page.url(), app.at('m/plan'));
    await page.keyboard.press('ArrowDown');
    await escape(1);
    await page.getByRole('heading', { name: 'Memories', level: 1 }).waitFor();
    assert.deepEqual(faults, []);
  });

  it('opened from a search shows its words, goes on to the next hit with n, and returns with Escape', async (t) => {
    const app = await serve(t);
    const lines = turns(120);
    lines[29] = 'Mira: She talks about a kettle.';
    lines[89] = 'Mira: The kettle is here.';
    put(app, plan(lines));
    const reader = await openReader(t);
    const { page, faults } = reader;
    await signIn(reader, app, { path: 'm/plan?q=talking%20kettle#L90' });
    const count = page.locator('.find [role=status]');
    await count.getByText('3 of 3').waitFor();
    assert.ok(await isInView(page, '#L90'));
    await page.keyboard.press('n');
    await count.getByText('1 of 3').waitFor();
    assert.ok(await isInView(page, '#L30'));
    await page.keyboard.press('p');
    await count.getByText('3 of 3').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'Memories', level: 1 }).waitFor();
    assert.deepEqual(faults, []);
  });

  it('goes to the memories before and after in time, and to the turns of a speaker', async (t) => {
    const app = await serve(t);
    const same = '2027-01-01T10:00:00.000Z';
    const ids = ['a', 'b', 'c', 'd'];
    put(
      app,
      ...ids.map((id) =>
        memory({
          id,
          name: `Same ${id}`,
          started_at: same,
          ended_at: same,
          transcript: 'A: 1\nB: 2\nA: 3',
        }),
      ),
    );
    const reader = await openReader(t);
    const { page, faults } = reader;
    await signIn(reader, app);
    await page.getByRole('link', { name: /Same d/ }).click();
    for (const id of ['c', 'b', 'a']) {
      await page
        .getByRole('navigation', { name: /previous and next/i })
        .getByRole('link')
        .first()
        .waitFor();
      await page.keyboard.press('p');
      await page.getByRole('heading', { name: `Same ${id}`, level: 1 }).waitFor();
    }
    await page.getByRole('link', { name: /Same b/ }).waitFor();
    await page.keyboard.press('n');
    await page.getByRole('heading', { name: 'Same b', level: 1 }).waitFor();
    await page.locator('#L1').waitFor();
    await page.keyboard.press(']');
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'L3');
    await page.keyboard.press('[');
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'L1');
    assert.deepEqual(faults, []);
  });

  it('saves the same Markdown as the export, byte for byte', async (t) => {
    const app = await serve(t);
    put(app, plan(['Mira: *milk* <b>&amp; #1', '> ein Gruß\u2028']));
    const reader = await openReader(t);
    const { page, faults } = reader;
    await signIn(reader, app, { path: 'm/plan' });
    await page.locator('#L1').waitFor();
    const folder = join(newFolder(), 'notes');
    const args = ['export', '--database', app.database, '--account', 'mira'];
    const done = await run([...args, '--format', 'markdown', '--output', folder]);
    assert.equal(done.code, 0, done.stderr);
    const downloading = page.waitForEvent('download');
    await page.keyboard.press('e');
    const download = await downloading;
    const year = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const name = year.find((each) => each.endsWith(`/${download.suggestedFilename()}`));
    assert.ok(name !== undefined, download.suggestedFilename());
    assert.deepEqual(readFileSync(await download.path()), readFileSync(join(folder, name)));
    assert.deepEqual(faults, []);
  });

  it('saves captions if lines have times, the same as the export, and offers none otherwise', async (t) => {
    const app = await serve(t);
    const captioned = prepareMemory(
      'mira',
      plan(['Mira: Milk & <tea>.', 'Tomas: Yes.']),
      fullDetails({ line_starts_ms: [0, 2500] }),
    );
    withFileWriterSync(app.database, (writer) => void writer.memories.putReady([captioned]));
    const reader = await openReader(t);
    const { page, faults } = reader;
    await signIn(reader, app);
    const folder = join(newFolder(), 'captions');
    const args = ['export', '--database', app.database, '--account', 'mira', '--q', 'milk'];
    const done = await run([...args, '--format', 'vtt', '--output', folder]);
    assert.equal(done.code, 0, done.stderr);
    await page.goto(app.at('m/plan'));
    await page.getByRole('button', { name: 'Buy a fridge' }).or(page.locator('.to-do')).waitFor();
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByText('Other files').click();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Captions (VTT)' }).click();
    const download = await downloading;
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const name = files.find((each) => each.endsWith(`/${download.suggestedFilename()}`));
    assert.ok(name !== undefined, download.suggestedFilename());
    assert.deepEqual(readFileSync(await download.path()), readFileSync(join(folder, name)));

    await page.goto(app.at('m/2026-11-18-memo-milk'));
    await page.locator('#L1').waitFor();
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByText('Other files').click();
    await page.getByRole('button', { name: 'Markdown' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Captions (VTT)' }).count(), 0);
    const none = await page.request.get(app.at('v1/memories/2026-11-18-memo-milk/captions'));
    assert.equal(none.status(), 404);
    assert.match(await none.text(), /No line of this memory has a time, so it has no captions/);
    assert.deepEqual(faults, []);
  });

  it('prints the marked lines or the summary alone, and says so in its menu', async (t) => {
    const app = await serve(t);
    put(app, plan(turns(30)));
    const reader = await openReader(t, { timezoneId: 'UTC' });
    const { page, faults } = reader;
    await reader.context.addInitScript(() => {
      window.print = () => {};
    });
    await signIn(reader, app);
    const printed = async (name: string) => {
      await page.getByRole('button', { name: 'More' }).click();
      await page.getByRole('button', { name, exact: true }).click();
      await page.emulateMedia({ media: 'print' });
      const lines = page.locator('.line:visible');
      const seen = [await lines.count(), await page.locator('.lead').isVisible()];
      await page.emulateMedia({ media: 'screen' });
      await page.evaluate(() => dispatchEvent(new Event('afterprint')));
      return seen;
    };
    await page.goto(app.at('m/plan#L4-6'));
    await page.locator('#L6.marked').waitFor();
    assert.deepEqual(await printed('Print marked lines'), [3, false]);
    assert.deepEqual(await printed('Print the summary'), [0, true]);
    await page.goto(app.at('m/plan'));
    await page.locator('#L30').waitFor();
    assert.deepEqual(await printed('Print'), [30, true]);
    await page.emulateMedia({ media: 'print' });
    const source = await page
      .locator('.reader')
      .evaluate((article) => getComputedStyle(article, '::after').content);
    assert.ok(source.includes(`${app.at('m/plan')} · UTC`), source);
    assert.deepEqual(faults, []);
  });

  it('goes to a line of the memory that is open, whichever way its address is entered', async (t) => {
    const app = await serve(t);
    put(app, plan(turns(1000)));
    const reader = await openReader(t);
    const { page, faults } = reader;
    await signIn(reader, app);
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(app.at('m/plan'));
      await page.locator('#L1').waitFor();
      for (const line of [300, 900, 50, 651]) {
        await page.goto(app.at(`m/plan#L${line}`));
        await page.locator(`#L${line}.marked`).waitFor();
        await page.waitForTimeout(500); // the browser goes to the fragment as well, and lays out what is near
        const top = await page
          .locator(`#L${line}`)
          .evaluate((found) => found.getBoundingClientRect().top);
        assert.ok(top > 200 && top < 500, `line ${line} at ${top}, ${width} px`);
      }
    }
    assert.deepEqual(faults, []);
  });

  it('has names and numbers apart in texts of either direction, on a phone and on a desk', async (t) => {
    const app = await serve(t);
    const said = [
      'ليلى: مرحبا بكم في الاجتماع الأسبوعي',
      'Omar: نعم، أوافق على ذلك',
      'Bea: And in English.',
    ];
    put(app, plan(said));
    const reader = await openReader(t);
    const { page, faults } = reader;
    await signIn(reader, app);
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(app.at('m/plan'));
      await page.locator('#L3').waitFor();
      const touching = await page.locator('.line').evaluateAll((lines) =>
        lines.flatMap((line) => {
          const boxes = ['.number', '.speaker'].map((part) =>
            line.querySelector(part)!.getBoundingClientRect(),
          );
          const [number, speaker] = boxes as [DOMRect, DOMRect];
          const strip = document.querySelector('.strip')!.getBoundingClientRect();
          const isApart = number.right < speaker.left || speaker.right < number.left;
          return isApart && Math.max(number.right, speaker.right) + 4 < strip.left ? [] : line.id;
        }),
      );
      assert.deepEqual(touching, [], `${width} px`);
      const { reach, text } = await page.locator('.strip').evaluate((strip) => {
        const { left, right, top } = strip.getBoundingClientRect();
        const isIt = (x: number) =>
          document.elementFromPoint(x, top + 4)?.closest('.strip') === strip;
        const near = Array.from({ length: 80 }, (_, at) => left - 40 + at).filter(isIt);
        const end = document.querySelector('.said')?.getBoundingClientRect().right ?? right;
        return { reach: near.length, text: near.filter((x) => x < end).length };
      });
      assert.ok(
        reach >= 24 && text === 0,
        `${width} px: ${reach} px for a finger, ${text} on text`,
      );
    }
    assert.deepEqual(faults, []);
  });

  it('scrolls by a finger on the score, and goes where it taps or drags the mark', async (t) => {
    const app = await serve(t);
    const first = ['Chloé', 'Dr. Ayşe', 'Hans-Peter', 'María', 'Ana'];
    const last = ['Adeyemi', 'Yıldız', 'Vandenberg', 'Fernández', 'Lopes'];
    const lines = turns(500).map((line, i) => {
      const at = i % 20;
      return line.replace(/^\w+/, `${first[at % 5]} ${last[Math.floor(at / 4)]}`);
    });
    put(app, plan(lines));
    const reader = await openReader(t, {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });
    const { context, page, faults } = reader;
    await signIn(reader, app, { path: 'm/plan#L250' });
    await page.locator('#L250.marked').waitFor();
    const finger = await context.newCDPSession(page);
    const moved = async (act: () => Promise<unknown>) => {
      const before = await page.evaluate(() => scrollY);
      await act();
      // A scroll by a finger goes on for a while, and a tap would only stop it.
      await page.evaluate(async () => {
        for (let at = Number.NaN; at !== scrollY;) {
          at = scrollY;
          await new Promise((done) => void setTimeout(done, 300));
        }
      });
      return (await page.evaluate(() => scrollY)) - before;
    };
    const box = async (part: string) => {
      const {
        x = 0,
        y = 0,
        width = 0,
        height = 0,
      } = (await page.locator(part).boundingBox()) ?? {};
      return { x: x + width / 2, y: y + height / 2 };
    };
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: Spot[]) =>
      finger.send('Input.dispatchTouchEvent', { type, touchPoints });
    /** Moves a finger along the score, and returns how far the text goes. */
    const drag = (at: number, from: number, to: number) =>
      moved(async () => {
        await touch('touchStart', { x: at, y: from });
        for (let step = 1; step <= 15; step++)
          await touch('touchMove', { x: at, y: from + ((to - from) * step) / 15 });
        await touch('touchEnd');
      });
    const { x, y: middle } = await box('.screen');
    for (const at of [x - 12, x, x + 12]) {
      const by = await drag(at, 700, 550);
      assert.ok(by > 50 && by < 300, `a scroll by 150 px at ${at} moves the text by ${by} px`);
    }
    const down = await moved(() => page.touchscreen.tap(x, 700));
    assert.ok(down > 2000, `a tap goes ${down} px`);
    const mark = await box('.screen');
    assert.ok(mark.y > middle);
    const up = await drag(mark.x - 10, mark.y + 12, 300);
    assert.ok(up < -2000, `a drag of the mark goes ${up} px`);
    // No name is cut by the edge of the screen or beyond it.
    const beyond = () =>
      page
        .locator('.shares li')
        .evaluateAll((all) =>
          all.filter((each) => each.getBoundingClientRect().right > innerWidth - 16),
        );
    await page.evaluate(() => scrollTo(0, 0));
    assert.deepEqual(await beyond(), []);
    assert.deepEqual(faults, []);
  });

  it('leaves the text where it is when a mouse that selects words strays over the score, and selects none from there', async (t) => {
    const app = await serve(t);
    put(app, plan(turns(500)));
    const reader = await openReader(t, { viewport: { width: 1280, height: 800 } });
    const { page, faults } = reader;
    await signIn(reader, app, { path: 'm/plan#L250' });
    const line = page.locator('#L250.marked .said');
    const strip = page.locator('.strip');
    await line.waitFor();
    const middle = async (of: typeof line) => {
      const { x = 0, y = 0, width = 0, height = 0 } = (await of.boundingBox()) ?? {};
      return [x + width / 2, y + height / 2] as const;
    };
    const [[x, y], [right]] = [await middle(line), await middle(strip)];
    const scrolled = () => page.evaluate(() => scrollY);
    const selected = () => page.evaluate(() => String(getSelection()).trim());
    const before = await scrolled();
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(right, y, { steps: 8 });
    assert.notEqual(await selected(), '');
    await page.mouse.up();
    assert.equal(await scrolled(), before);
    await page.evaluate(() => getSelection()?.empty());
    await page.mouse.move(right, 300);
    await page.mouse.down();
    await page.mouse.move(right - 200, 600, { steps: 8 });
    await page.waitForFunction((at) => Math.abs(scrollY - at) > 2000, before);
    assert.equal(await selected(), '');
    await page.mouse.up();
    assert.deepEqual(faults, []);
  });

  it('shows a name above or beside the beginning of its text, in both directions', async (t) => {
    const app = await serve(t);
    put(app, plan(['ليلى: كيف حالك يا خالتي؟', 'Jo: Fine.', 'Ann: مرحبا يا ليلى', 'דוד: Good.']));
    const reader = await openReader(t);
    const { page, faults } = reader;
    await signIn(reader, app);
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(app.at('m/plan'));
      await page.locator('#L4').waitFor();
      const gaps = await page.locator('.line.turn').evaluateAll((lines) =>
        lines.map((line) => {
          const boxOf = (node: Node | null | undefined) => {
            const range = new Range();
            range.selectNodeContents(node!);
            return range.getBoundingClientRect();
          };
          const name = boxOf(line.querySelector('.speaker')?.firstChild);
          const words = boxOf(line.querySelector('.said')?.lastChild);
          const isRtl = line.querySelector('.said')!.matches(':dir(rtl)');
          const isAbove = name.bottom <= words.top + 6;
          const [a, b] = isRtl ? [words.right, name.right] : [name.left, words.left];
          return isAbove ? Math.abs(a - b) : words.left - name.right;
        }),
      );
      for (const gap of gaps) assert.ok(gap >= 0 && gap < 24, `${gaps.join()} at ${width} px`);
    }
    assert.deepEqual(faults, []);
  });

  it('calls the owner you, and finds the words after that', async (t) => {
    const app = await serve(t);
    put(app, plan(['User: The garlic goes in.', 'Ines: Then I order garlic.']));
    const reader = await openReader(t);
    const { page, faults } = reader;
    await signIn(reader, app, { path: 'm/plan' });
    await page.getByRole('button', { name: /^You/ }).waitFor();
    assert.match((await page.locator('#L1 .speaker').textContent()) ?? '', /^You/);
    await page.keyboard.press('f');
    await page.keyboard.type('garlic');
    await page.getByText('1 of 2').waitFor();
    const found = await page.evaluate(() =>
      ['hit-now', 'hit'].flatMap((name) => [...(CSS.highlights.get(name) ?? [])].map(String)),
    );
    assert.ok(found.length >= 2);
    for (const text of found) assert.equal(text, 'garlic');
    assert.deepEqual(faults, []);
  });

  it('shows long names apart, whole if they fit into two lines, and a score that is no longer than the text, or none without speakers', async (t) => {
    const app = await serve(t);
    const long = 'Maximiliane von Hohenfels-Wildenburg zu Unterschillingsfürst';
    put(app, plan([`${long}: Yes.`, 'Tomás Rivera Ochoa: No.', `${long}: Good.`, 'Jo: Bye.']));
    const reader = await openReader(t, { viewport: { width: 1280, height: 800 } });
    const { page, faults } = reader;
    await signIn(reader, app, { path: 'm/plan' });
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await page.locator('#L4').waitFor();
      const names = await page.locator('.speaker').evaluateAll((all) =>
        all.map((name) => {
          const { top, bottom } = name.getBoundingClientRect();
          const isWhole =
            name.scrollWidth <= name.clientWidth && name.scrollHeight <= name.clientHeight;
          return { top, bottom, isWhole };
        }),
      );
      for (const [at, { top, isWhole }] of names.entries()) {
        // Beside the text there is no room for a third line.
        const isCut = width === 1280 && at % 2 === 0;
        assert.equal(isWhole, !isCut, `name ${at} at ${width} px`);
        assert.ok(top >= (names[at - 1]?.bottom ?? 0), `name ${at} covers the one above`);
      }
    }
    const bottom = (selector: string) =>
      page.locator(selector).evaluate((element) => element.getBoundingClientRect().bottom);
    assert.ok((await bottom('.strip')) <= (await bottom('.lines')));

    put(app, plan(['Words of nobody.', 'And more of them.']));
    await page.reload();
    await page.getByText('And more of them.').waitFor();
    assert.equal(await page.locator('.strip').count(), 0);
    assert.deepEqual(faults, []);
  });

  it('fills in a memory that was processing without moving the text, and says if it is deleted', async (t) => {
    const app = await serve(t);
    put(
      app,
      plan(turns(100), { is_processing: true, summary: { quick_summary: '', key_takeaways: [] } }),
    );
    const reader = await openReader(t, { expects: /status of 404/ });
    const { page, faults } = reader;
    await signIn(reader, app, { path: 'm/plan' });
    await page.getByText('still being processed').waitFor();
    await lookForChanges(page);
    await page.locator('#L60').scrollIntoViewIfNeeded();
    const topOf = (id: string) =>
      page.locator(id).evaluate((line) => Math.round(line.getBoundingClientRect().top));
    const top = await topOf('#L60');
    const summary = { quick_summary: 'A summary. '.repeat(80), key_takeaways: ['One', 'One'] };
    put(app, plan(['Mira: before all.', ...turns(110)], { is_processing: false, summary }));
    await lookForChanges(page);
    await page.locator('#L111').waitFor({ state: 'attached' });
    await page.getByText('A summary. A summary.').waitFor({ state: 'attached' });
    assert.match((await page.locator('#L61').textContent()) ?? '', /turn 60 /);
    assert.ok(Math.abs((await topOf('#L61')) - top) <= 2, `${await topOf('#L61')}, ${top}`);

    withFileWriterSync(app.database, (writer) => writer.memories.delete('mira', 'plan'));
    await lookForChanges(page);
    await page.getByText('This memory was deleted.').waitFor({ state: 'attached' });
    assert.ok(await isInView(page, '.reader > .notice'));
    assert.equal(await page.locator('#L61').count(), 1);
    await page.getByRole('link', { name: 'Memories', exact: true }).first().click();
    await page.getByRole('heading', { name: 'Memories', level: 1 }).waitFor();
    await page.goBack();
    await page.getByText('the end of its address is missing').waitFor();
    assert.equal(await page.locator('#L61').count(), 0);
    assert.deepEqual(faults, []);
  });
});
