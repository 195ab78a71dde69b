// One speaker alone in the reader, and what the bar and the outline say about the place in the text.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';

import { memory } from '../../support/world/world.ts';
import { openReader, put, serve, signIn, skip } from './page.ts';

/** Opens a memory of Mira. */
async function open(t: TestContext, id: string) {
  const app = await serve(t);
  const reader = await openReader(t, { viewport: { width: 1280, height: 860 } });
  await signIn(reader, app, { path: `m/${id}` });
  return reader;
}

describe('The colours of a text', { skip, timeout: 300_000 }, () => {
  it('are those of its outline also in lines that were there before all others, and show who is read alone', async (t) => {
    const app = await serve(t);
    // Those who speak first are not those who say most, and the text is so long that its first lines come first.
    const few = Array.from({ length: 576 }, (_, i) => `Guest${i % 72} Holm: Hello to all of you.`);
    const much = Array.from(
      { length: 4000 },
      (_, i) =>
        `Member${i % 8} Berg: Our ${i} points, of ${(i * 7919) % 4001}, that we have to say.`,
    );
    const opening = Array.from({ length: 8 }, (_, i) => `Member${i} Berg: Hm.`);
    put(
      app,
      memory({
        id: 'hall',
        name: 'Town hall',
        started_at: '2026-11-21T08:00:00.000Z',
        transcript: [...opening, 'Once Holm: Hello to all.', ...few, ...much].join('\n'),
      }),
    );
    const reader = await openReader(t, { viewport: { width: 1280, height: 860 } });
    await signIn(reader, app);
    const { page, faults } = reader;
    await page.getByRole('link', { name: 'Town hall' }).click();
    await page.getByText('73 others').waitFor();
    for (let line = 1; line <= opening.length; line++) {
      const name = page.locator(`#L${line} .speaker`);
      const own = page.locator('.shares li').filter({ hasText: `Member${line - 1} Berg` });
      const colour = await own.getAttribute('class');
      assert.notEqual(colour, 'hue-0', `Member${line - 1}`);
      assert.equal(await name.getAttribute('class'), `speaker ${colour}`);
    }
    await page.locator('#L9 .speaker').click();
    await page.getByText('Only Once Holm').waitFor();
    const bright = page.locator('.strip svg').first().locator('.hue-0:not(.pale)');
    assert.equal(await bright.count(), 1);
    const d = String(await bright.getAttribute('d'));
    assert.ok([...d.matchAll(/v(\d+)/g)].reduce((sum, [, rows]) => sum + Number(rows), 0) < 10, d);
    assert.deepEqual(faults, []);
  });
});

describe('The place in a text', { skip, timeout: 300_000 }, () => {
  it('has the name of a long turn in sight as long as its text is', async (t) => {
    const app = await serve(t);
    const long = `Mira: ${'All that we have to say. '.repeat(600)}`;
    put(app, memory({ id: 'speech', transcript: `${long}\nTomas: Thank you.` }));
    const reader = await openReader(t, { viewport: { width: 1280, height: 860 } });
    await signIn(reader, app, { path: 'm/speech' });
    const { page, faults } = reader;
    await page.locator('#L2').waitFor();
    const name = page.locator('#L1 .speaker');
    for (const y of [1500, 4000]) {
      await page.evaluate((top) => scrollTo(0, top), y);
      await page.waitForFunction(() => {
        const [line, shown] = ['#L1', '#L1 .speaker'].map(
          (what) => document.querySelector(what)?.getBoundingClientRect().top ?? 0,
        );
        return (line ?? 0) < 0 && (shown ?? 0) > 0 && (shown ?? 0) < innerHeight / 4;
      });
    }
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await page.getByText('Thank you.').waitFor();
    assert.ok(((await name.boundingBox())?.y ?? 0) < 860 / 2, 'it ends with its text');
    assert.deepEqual(faults, []);
  });

  it('marks the turn of the one speaker that is looked at, moves nothing that is seen, and shows what is around a turn', async (t) => {
    const { page, faults } = await open(t, '2026-11-19-standup');
    const henrik = page.getByRole('button', { name: /^Henrik/ });
    await henrik.click();
    const bar = page.locator('.only');
    await bar.getByText('Only Henrik · 1 of 6').waitFor();
    // The others are clipped, to be copied with their turns.
    const names = () =>
      page
        .locator('.line .speaker')
        .evaluateAll((all) => all.filter((each) => getComputedStyle(each).clipPath === 'none'));
    assert.equal((await names()).length, 1, 'the name once');
    await page.setViewportSize({ width: 390, height: 800 });
    assert.equal((await names()).length, 1, 'the name once on a phone');
    await page.setViewportSize({ width: 1280, height: 860 });
    const top = () => page.evaluate(() => scrollY);
    const [before, next] = [await top(), page.getByRole('button', { name: 'Next turn' })];
    await next.click();
    await page.locator('#L7.here').waitFor();
    await next.click();
    await bar.getByText('3 of 6').waitFor();
    await page.locator('#L10.here').waitFor();
    assert.equal(await page.locator('.here').count(), 1);
    assert.equal(await top(), before, 'they are on the screen');
    const gap = (line: string) =>
      page.locator(line).evaluate((each) => getComputedStyle(each, '::after').content);
    assert.equal(await gap('#L1'), '"… 5 turns"');
    assert.equal(await gap('#L10'), '"…"', 'nor are one or two turns left out silently');
    const room = await page.locator('#L1').evaluate((line) => {
      const { height } = line.getBoundingClientRect();
      return [height, line.querySelector('.said')?.getBoundingClientRect().height ?? 0];
    });
    assert.ok(
      Number(room[0]) - Number(room[1]) < 16,
      'the gap is not in the line, which may be marked',
    );
    const place = async (line: string) => (await page.locator(line).boundingBox())?.y ?? 0;
    const there = await place('#L10');
    await page.locator('#L10 .said').click({ position: { x: 200, y: 10 } });
    await page.locator('#L11').waitFor();
    assert.ok(Math.abs((await place('#L10')) - there) <= 1, 'the turn stays where it is');
    await bar.waitFor({ state: 'detached' });
    await page.evaluate(() => scrollTo(0, 400)); // what is left then is high enough
    const third = await place('#L3');
    await page.locator('#L3 .speaker').click();
    await bar.getByText('Only Lucía · 1 of 3').waitFor();
    assert.ok(Math.abs((await place('#L3')) - third) <= 1, 'and that whose name is clicked');
    await henrik.click();
    await bar.getByText('Only Henrik').waitFor();
    const button = await henrik.boundingBox();
    await henrik.click();
    await bar.waitFor({ state: 'detached' });
    assert.equal((await henrik.boundingBox())?.y, button?.y, 'the bar needs no room of its own');
    // A quote is of a line that is seen.
    await page.goto(`${page.url().split('#')[0]}#L3`);
    await page.locator('#L3.marked').waitFor();
    await page.locator('#L3 .number').click();
    await page.getByRole('button', { name: 'Copy quote with link' }).waitFor();
    await henrik.click();
    await bar.waitFor();
    await page.waitForURL(/standup#?$/);
    await page.getByRole('button', { name: 'Copy quote with link' }).waitFor({ state: 'detached' });
    assert.deepEqual(faults, []);
  });

  it('names a memory in its bar as soon as its title is gone, and marks each part of the outline on the way to the end', async (t) => {
    const { page, faults } = await open(t, '2026-11-17-standup');
    const current = page.getByRole('navigation', { name: 'Outline' }).locator('[aria-current]');
    const name = page.locator('.bar-title');
    assert.equal(await name.textContent(), '');
    await page.mouse.wheel(0, 150);
    await name.getByText('Stand-up: one line and a fridge').waitFor();
    const seen = new Set<string | null>();
    for (let step = 0; step < 60; step++) {
      await page.mouse.wheel(0, 40);
      await page.evaluate(() => new Promise(requestAnimationFrame));
      await page.evaluate(() => new Promise(requestAnimationFrame));
      if ((await current.count()) > 0) seen.add(await current.first().textContent());
    }
    const all = await page.locator('.chapters a').allTextContents();
    assert.deepEqual([...seen], all);
    assert.deepEqual(faults, []);
  });
});
