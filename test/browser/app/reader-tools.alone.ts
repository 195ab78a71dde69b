// The tools of the reader in Chromium: the find bar, the Tab key, and what stays in sight over the lines.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';

import type { Page } from 'playwright-core';

import { memory } from '../../support/world/world.ts';
import { checkScreen, openReader, put, redeem, serve, signIn, skip } from './page.ts';

/** Lines of a meeting. All words are in most of them. */
const talk = (count: number) =>
  Array.from(
    { length: count },
    (_, i) => `${i % 2 ? 'Mira' : 'Tomas'}: but should the patient has ${i + 1} milk.`,
  );

async function open(t: TestContext, lines: readonly string[], width = 1280) {
  const app = await serve(t);
  put(app, memory({ id: 'plan', transcript: lines.join('\n') }));
  const reader = await openReader(t, { viewport: { width, height: 800 } });
  await signIn(reader, app, { path: 'm/plan' });
  await reader.page.locator('#L1').waitFor();
  return { app, ...reader };
}

/** Waits until the find bar says where it is. */
const count = (page: Page, text: string) =>
  page.locator('.find [role=status]').getByText(text, { exact: true }).waitFor();

describe('The tools of the reader', { skip, timeout: 300_000 }, () => {
  it('stay in their place on a phone while a bar is below them, whose buttons have room', async (t) => {
    const app = await serve(t);
    put(app, memory({ id: 'plan', user_id: 'mira', transcript: talk(80).join('\n') }));
    const reader = await openReader(t, {
      viewport: { width: 390, height: 800 },
      hasTouch: true,
      isMobile: true,
    });
    const { page, faults } = reader;
    await signIn(reader, app, { path: 'm/plan?q=milk#L60' });
    const boxOf = async (selector: string) => (await page.locator(selector).boundingBox())!;
    for (const bar of ['.find', '.only']) {
      await page.locator(bar).waitFor();
      await page.getByRole('link', { name: '← Search: milk' }).waitFor();
      for (const name of ['Find', 'More'])
        await page.getByRole('button', { name, exact: true }).waitFor();
      const [up, around, button] = [
        await boxOf('.up'),
        await boxOf('.reader-bar'),
        await boxOf(`${bar} button >> nth=0`),
      ];
      assert.ok(button.y >= up.y + up.height, `${bar} is below the way back`);
      const below = around.y + around.height - button.y - button.height;
      assert.ok(button.height >= 44 && below >= 4, `${button.height} px, ${below} px below`);
      await checkScreen(page, `${bar} on a phone`);
      if (bar === '.only') break;
      await page.getByRole('button', { name: 'Close' }).click();
      await page.getByRole('button', { name: /^Mira/ }).first().click();
    }
    assert.deepEqual(faults, []);
  });

  it('have names of at most three lines in the margin and two above the text, none beyond the others, which are whole for a pointer, a screen reader and on paper', async (t) => {
    const app = await serve(t);
    const names = [
      'Professor Konstantinopolous-Featherstonehaugh',
      'anna.lindqvist-bergstrom@northwind-consulting.example.com',
      'الأستاذة الدكتورة سلمى عبد الرحمن بنت محمد الشريف ',
    ];
    const transcript = names.map((name) => `${name}: Yes.`).join('\n');
    put(app, memory({ id: 'names', user_id: 'mira', transcript }));
    const reader = await openReader(t);
    const { page, faults } = reader;
    await redeem(reader, await app.link());
    for (const width of [1280, 320]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(app.at('m/names'));
      for (const [i, name] of names.entries()) {
        const shown = page.locator(`#L${i + 1} .speaker`);
        await shown.waitFor();
        const lines = await shown.evaluate((element) => {
          const { lineHeight, paddingTop } = getComputedStyle(element);
          const [line, above] = [lineHeight, paddingTop].map(Number.parseFloat);
          return (element.clientHeight - (above ?? 0)) / (line ?? 1);
        });
        const most = width === 1280 ? 3.1 : 2.1;
        assert.ok(lines > 0.9 && lines < most, `${lines} lines of ${name} at ${width} px`);
        const beyond = await shown.evaluate((element) => {
          const { paddingRight, paddingLeft } = getComputedStyle(element);
          const { left, right } = element.getBoundingClientRect();
          const rows = new Range();
          rows.selectNodeContents(element.firstChild!);
          const { left: first, right: last } = rows.getBoundingClientRect();
          const within = [
            left + Number.parseFloat(paddingLeft),
            right - Number.parseFloat(paddingRight),
          ];
          return Math.max(
            within[0]! - first,
            last - within[1]!,
            element.scrollWidth - element.clientWidth,
          );
        });
        if (width === 1280) assert.ok(beyond < 1, `${name} is ${beyond} px beyond its margin`);
        assert.equal(await shown.getAttribute('title'), name);
        assert.equal(await shown.innerText(), `${name}: `);
      }
    }
    await checkScreen(page, 'long names');
    await page.emulateMedia({ media: 'print' });
    const cut = await page
      .locator('.turn .speaker')
      .evaluateAll((all) => all.some((each) => each.scrollHeight > each.clientHeight + 1));
    assert.ok(!cut, 'paper has whole names');
    assert.deepEqual(faults, []);
  });

  it('find several words as they are typed, not each of them', async (t) => {
    const lines = talk(1000);
    lines[540] = 'Mira: Should patient but has';
    const { page, faults } = await open(t, lines);
    await page.keyboard.press('f');
    const field = page.getByLabel('Find in transcript');
    await field.pressSequentially('Should patient b');
    await count(page, '1 of 1');
    await field.pressSequentially('ut has');
    await count(page, '1 of 1');
    await page.waitForFunction(() => {
      const { top = -1 } = document.getElementById('L541')?.getBoundingClientRect() ?? {};
      return top > 0 && top < innerHeight;
    });
    await field.fill('atien'); // within words, as in any text
    await count(page, '1 of 1,000');
    assert.deepEqual(faults, []);
  });

  it('find what is typed from the lines on that are on the screen, also while it grows', async (t) => {
    const lines = talk(1000);
    lines[9] = lines[699] = 'Mira: Sevenfold';
    const { page, faults } = await open(t, lines);
    await page.locator('#L600').evaluate((line) => line.scrollIntoView());
    await page.locator('.bar-title, .progress').first().waitFor();
    await page.keyboard.press('f');
    const field = page.getByLabel('Find in transcript');
    await field.pressSequentially('Seven');
    await count(page, '2 of 2');
    await field.pressSequentially('fold');
    await count(page, '2 of 2');
    await page.keyboard.press('Enter');
    await count(page, '1 of 2');
    assert.deepEqual(faults, []);
  });

  it('count every hit of a long transcript, and wrap to the last one', async (t) => {
    const { page, faults } = await open(t, talk(12_345));
    await page.keyboard.press('f');
    const field = page.getByLabel('Find in transcript');
    await field.fill('patient');
    await count(page, '1 of 12,345');
    await field.press('Shift+Enter');
    await count(page, '12,345 of 12,345');
    await page.waitForFunction(() => {
      const { top = -1 } = document.getElementById('L12345')?.getBoundingClientRect() ?? {};
      const [hit] = CSS.highlights.get('hit-now') ?? [];
      const text = hit instanceof Range ? hit.toString() : '';
      return top > 0 && top < innerHeight && text === 'patient';
    });
    assert.deepEqual(faults, []);
  });

  it('take one press of Tab over all lines, which the arrow keys step through', async (t) => {
    const { page, faults } = await open(t, talk(3000));
    // The last speaker of the outline is the last stop before the lines.
    await page.locator('.outline button').last().focus();
    const focused = () =>
      page.evaluate(() => document.activeElement?.textContent?.slice(0, 8) ?? '');
    await page.keyboard.press('Tab');
    assert.equal(await page.locator('.lines:focus').count(), 1);
    await page.keyboard.press('ArrowDown');
    assert.equal(await focused(), 'L1');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    assert.equal(await focused(), 'L2');
    await checkScreen(page, 'a line with the focus');
    await page.keyboard.press('Tab');
    assert.equal(await page.locator('.lines :focus').count(), 0);
    // A click on words, and a key after it, draw no ring around all lines.
    await page.locator('#L2 .said').dblclick();
    assert.equal(await page.evaluate(() => getSelection()?.type), 'Range');
    await page.keyboard.press('c');
    assert.equal(await page.locator('.lines:focus-visible').count(), 0);
    // In the middle, the first line on the screen is the first one to get the focus.
    await page.mouse.move(600, 400);
    await page.mouse.wheel(0, 9000);
    await page.waitForFunction(() => scrollY > 8000);
    await page.locator('.lines').focus();
    await page.keyboard.press('ArrowDown');
    assert.match(await focused(), /^L\d\d+$/);
    // By its place on the screen: blocks above get their height meanwhile, which changes `scrollY` and moves nothing.
    const top = await page.evaluate(() => document.activeElement?.getBoundingClientRect().top);
    assert.ok(top !== undefined && top >= 0 && top < 200, `the line is at ${top} px`);
    assert.deepEqual(faults, []);
  });

  it('cover the numbers of the lines beside their bars, and show the whole ring of a number', async (t) => {
    const { page, faults } = await open(t, talk(3000));
    await page.keyboard.press('f');
    await page.getByLabel('Find in transcript').fill('patient has 700 ');
    await count(page, '1 of 1');
    await page.locator('#L700 a').click();
    for (const bar of ['.find', '.quotes']) {
      const box = await page.locator(bar).boundingBox();
      assert.ok(box !== null);
      const clip = { ...box, x: box.x - 60, width: 60 };
      const shown = await page.screenshot({ clip });
      await page.locator('.lines').evaluate((lines) => lines.style.setProperty('opacity', '0'));
      assert.deepEqual(await page.screenshot({ clip }), shown, bar);
      await page.locator('.lines').evaluate((lines) => lines.style.removeProperty('opacity'));
    }
    // Blocks cut off what is outside them.
    await page.keyboard.press('ArrowDown');
    await page.locator('#L701 a:focus').waitFor();
    const [ring, number, block] = await page.locator('#L701 a').evaluate((link) => {
      const style = getComputedStyle(link);
      const outside =
        Number.parseFloat(style.outlineWidth) + Number.parseFloat(style.outlineOffset);
      return [outside, link, link.closest('.block')].map((each) =>
        each instanceof Element ? each.getBoundingClientRect().left : Number(each),
      );
    });
    assert.ok((number ?? 0) - (ring ?? 0) >= (block ?? 0), `${ring} ${number} ${block}`);
    assert.deepEqual(faults, []);
  });

  it('of a marked line make way for Find on a phone, and its colour is as far above its text as below', async (t) => {
    for (const width of [390, 1280]) {
      const { page, app, faults } = await open(t, talk(30), width);
      await page.goto(app.at('m/plan#L3'));
      await page.locator('#L3.marked').waitFor();
      const quote = page.getByRole('button', { name: 'Copy quote with link' });
      assert.equal(await quote.count(), 0, 'a link only leads to its line');
      if (width === 390) await page.locator('#L3 .said').click();
      await page.locator('#L3 .number').click();
      await quote.waitFor();
      const [above, below] = await page.locator('#L3').evaluate((line) => {
        const [box, said] = [line, line.lastElementChild ?? line].map((each) =>
          each.getBoundingClientRect(),
        );
        return [(said?.top ?? 0) - (box?.top ?? 0), (box?.bottom ?? 0) - (said?.bottom ?? 0)];
      });
      assert.equal(above, below, `${width} px`);
      await page.getByRole('button', { name: 'Find', exact: true }).click();
      await page.getByLabel('Find in transcript').waitFor();
      assert.equal(await quote.isVisible(), width > 600, `${width} px`);
      await page.getByRole('button', { name: 'Close' }).click();
      await quote.waitFor();
      assert.deepEqual(faults, []);
    }
  });
});
