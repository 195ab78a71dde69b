// One speaker alone in the reader, and what the bar and the outline say about the place in the text.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';

import { openReader, serve, signIn, skip } from './page.ts';

/** Opens a memory of Mira. */
async function open(t: TestContext, id: string) {
  const app = await serve(t);
  const reader = await openReader(t, { viewport: { width: 1280, height: 860 } });
  await signIn(reader, app);
  await reader.page.goto(app.at(`m/${id}`));
  return reader;
}

describe('The place in a text', { skip, timeout: 300_000 }, () => {
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
    assert.equal(await gap('#L10'), 'none', 'one turn between two is no gap');
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
