// Lines of transcripts in Chromium: every way to a line leads to that line, which then stays in the middle of the screen.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';

import type { Page } from 'playwright-core';

import type { ServedApp } from '../../support/world/app.ts';
import { isShort } from '../../support/world/thorough.ts';
import { memory } from '../../support/world/world.ts';
import { openReader, put, serve, signIn, skip } from './page.ts';

/**
 * Whether lines are tried on every screen, and looked at again 3 s later. It takes half an hour. The
 * short form tries one line of each long transcript by every way, and some more by links.
 */
const isWhole = !isShort;

/** A reload notes the place again, so another one shows whether it was the same. */
const RELOADS = isWhole ? ['a reload', 'another reload'] : ['a reload'];

/** How long the way to a line may take. */
const PATIENCE_MS = 15_000;

const DESK = { width: 1280, height: 800 };
const TABLET = { width: 820, height: 1180 };
const PHONE = { width: 390, height: 844 };
const SCREENS = [DESK, TABLET, PHONE];

/** The transcripts by their numbers of lines. */
const TRANSCRIPTS = [
  // The line that is tried by every way in the short form, or on each screen every so many lines. Then the
  // screen of the short form and the steps between the tens of lines that are tried by links, in both forms.
  { count: 20, one: [TABLET, 20], every: 10, by: DESK, links: [1, 1] },
  { count: 1000, one: [PHONE, 650], every: 90, by: TABLET, links: [10, 1] },
  { count: 46_000, one: [DESK, 30_000], every: 4900, by: PHONE, links: [329, 11] },
] as const;

/** How long a line is in words: most are sentences, some a word, and a few fill several screens. */
function wordsOf(number: number): number {
  if (number % 650 === 0) return 1500;
  if (number % 130 === 0) return 300;
  return number % 7 === 0 ? 1 : 2 + ((number * 7919) % 25);
}

const transcriptOf = (count: number) =>
  Array.from({ length: count }, (_, i) => {
    const words = Array.from({ length: wordsOf(i + 1) }, (_each, at) => `word${(i + at) % 97}`);
    return `${i % 3 === 0 ? 'Mira' : 'Tomas'}: line${i + 1} ${words.join(' ')}`;
  }).join('\n');

/** Where a line is, in heights of the screen. */
interface Spot {
  readonly top: number;
  readonly bottom: number;
  /** At its ends, the page cannot scroll further. */
  readonly isAtEnd: boolean;
}

/** Goes to lines by their fragments, waits until each has not moved for some frames, and returns where they are. */
function follow(page: Page, numbers: readonly number[], isLink = true): Promise<Spot[]> {
  return page.evaluate(
    async ([all, hasFragment]) => {
      const frame = () =>
        new Promise((resolve) => {
          requestAnimationFrame(resolve);
        });
      const spots: Spot[] = [];
      for (const number of all) {
        const rect = () => document.getElementById(`L${number}`)?.getBoundingClientRect();
        if (hasFragment) location.hash = `L${number}`;
        // What grows below the line moves it only after this callback of the same frame, so the height counts, too.
        for (let still = 0, before, height; still < 5;) {
          await frame();
          const now = rect()?.top;
          const { scrollHeight } = document.documentElement;
          still = now !== undefined && now === before && scrollHeight === height ? still + 1 : 0;
          [before, height] = [now, scrollHeight];
        }
        const { top, bottom } = rect() ?? { top: 0, bottom: 0 };
        spots.push({
          top: top / innerHeight,
          bottom: bottom / innerHeight,
          isAtEnd:
            scrollY <= 0 || scrollY + innerHeight >= document.documentElement.scrollHeight - 1,
        });
      }
      return spots;
    },
    [numbers, isLink] as const,
  );
}

/** Whether a line is in the middle third of the screen. What is higher begins there. */
function isInPlace({ top, bottom, isAtEnd }: Spot): boolean {
  const at = bottom - top > 1 / 3 ? top : (top + bottom) / 2;
  return isAtEnd ? top >= 0 && top < 1 : at >= 0.33 && at <= 0.67;
}

function check(spot: Spot, text: string): void {
  assert.ok(isInPlace(spot), `${text}: from ${spot.top} to ${spot.bottom}`);
}

/** Goes to a line by every way. */
async function tryLine(page: Page, app: ServedApp, count: number, number: number): Promise<void> {
  const path = `m/lines-${count}`;
  const look = async (how: string) => {
    await page.waitForFunction((id) => document.getElementById(id) !== null, `L${number}`);
    // On a busy machine, frames pass between the drawing of the lines and the way to this one.
    const end = performance.now() + PATIENCE_MS;
    let [spot] = await follow(page, [number], false);
    while (spot && !isInPlace(spot) && performance.now() < end)
      [spot] = await follow(page, [number], false);
    assert.ok(spot !== undefined);
    check(spot, `L${number} of ${count} by ${how}`);
  };
  const reach = async (how: string) => {
    await look(how);
    if (!isWhole) return;
    await page.waitForTimeout(3000);
    await look(`${how}, 3 s later`);
  };
  await page.goto(app.at('settings/about'));
  await page.goto(app.at(`${path}#L${number}`));
  await reach('a link');
  for (const how of RELOADS) {
    await page.reload();
    await reach(how);
  }
  await page.goBack();
  await page.getByRole('heading', { name: 'About', level: 1 }).waitFor();
  await page.goForward();
  await reach('Forward');
  await page.keyboard.press('g');
  await page.keyboard.press('l');
  await page.getByRole('heading', { name: 'Memories', level: 1 }).waitFor();
  await page.goBack();
  await reach('Back');

  if (count > 1000) await page.goto(app.at(`${path}?q=line${number}#L${number}`)); // too long for passages
  else {
    await page.goto(app.at(`search?q=line${number}`));
    await page.locator(`.passage[href*="${path}?"]`).first().click();
  }
  await reach('a search hit');

  await page.goto(app.at(path));
  await page.getByRole('button', { name: 'Find', exact: true }).click();
  await page.getByLabel('Find in transcript').fill(`line${number} `);
  await page.locator('.find [role=status]').getByText(/^1 of/).waitFor();
  await reach('find');
}

/** The line that is read, and how far it is from the upper edge. */
function read(page: Page) {
  return page.evaluate(() => {
    const line = Array.from(document.querySelectorAll('.line')).find(
      (each) => each.getBoundingClientRect().bottom > 0,
    );
    return [line?.id, Math.round(line?.getBoundingClientRect().top ?? 0)] as const;
  });
}

describe('A line of a transcript', { skip, timeout: 3_600_000 }, () => {
  for (const { count, one, every, by, links } of isWhole ? TRANSCRIPTS : TRANSCRIPTS.slice(1)) {
    const screensOf = async (t: TestContext) => {
      const app = await serve(t);
      const transcript = transcriptOf(count);
      put(app, memory({ id: `lines-${count}`, transcript }));
      const open = async (viewport: (typeof SCREENS)[number]) => {
        const reader = await openReader(t, { viewport });
        await signIn(reader, app);
        return reader;
      };
      return { app, open };
    };

    it(`of ${count} lines is in the middle of the screen by link, reload, Back, Forward, search hit and find`, async (t) => {
      const { app, open } = await screensOf(t);
      const all = Array.from({ length: Math.floor(count / every) }, (_, i) => (i + 1) * every);
      const work = isWhole
        ? SCREENS.flatMap((screen) => all.map((number) => [screen, number] as const))
        : [one];
      // Most of a whole run is waiting.
      const lanes = Array.from({ length: isWhole ? 6 : 1 }, async () => {
        for (let next = work.pop(); next !== undefined; next = work.pop()) {
          const { page, context, faults } = await open(next[0]);
          await tryLine(page, app, count, next[1]);
          assert.deepEqual(faults, []);
          await context.close();
        }
      });
      await Promise.all(lanes);
    });

    it(`of ${count} lines is in the middle of the screen by one link after another`, async (t) => {
      const { app, open } = await screensOf(t);
      for (const screen of isWhole ? SCREENS : [by]) {
        const { page, faults } = await open(screen);
        await page.goto(app.at(`m/lines-${count}`));
        await page.waitForFunction((id) => document.getElementById(id) !== null, `L${count}`);
        // Far from each other, so that each one is where nothing has been laid out.
        const tens = count / 10;
        const step = links[isWhole ? 1 : 0];
        const numbers = Array.from(
          { length: Math.ceil(tens / step) },
          (_, i) => ((i * step * 37) % tens) * 10 + 10,
        );
        for (const [i, spot] of (await follow(page, numbers)).entries())
          check(spot, `L${numbers[i]} of ${count}, ${screen.width} pixels wide`);
        assert.deepEqual(faults, []);
        await page.context().close();
      }
    });
  }

  it('that was reached by scrolling is where it was, after Back and Forward, and after reloads', async (t) => {
    const app = await serve(t);
    put(app, memory({ id: 'plan', transcript: transcriptOf(1000) }));
    const reader = await openReader(t, { viewport: PHONE });
    const { page, faults } = reader;
    await signIn(reader, app);
    await page.goto(app.at('m/plan#L300'));
    await page.locator('#L300.marked').waitFor();
    await page.mouse.move(200, 400);
    // In steps, as a wheel does it, up and down through blocks that have not been laid out.
    for (const by of [...Array<number>(8).fill(1700), ...Array<number>(3).fill(-900), 333]) {
      await page.mouse.wheel(0, by);
      await follow(page, [300], false);
    }
    const before = await read(page);
    assert.notEqual(before[0], 'L300');
    await page.waitForTimeout(300); // the entry of the history notes it a moment later
    const isThere = async (how: string) => {
      const number = Number(before[0]?.slice(1));
      await page.locator(`#L${number}`).waitFor();
      await follow(page, [number], false);
      const [line, top] = await read(page);
      assert.equal(line, before[0], how);
      assert.ok(Math.abs(top - before[1]) <= 1, `${how}: ${top} instead of ${before[1]}`);
    };
    for (const how of RELOADS) {
      await page.reload();
      await isThere(how);
    }
    await page.goBack();
    await page.getByRole('heading', { name: 'Memories', level: 1 }).waitFor();
    await page.goForward();
    await isThere('Forward');
    await page.keyboard.press('u');
    await page.getByRole('heading', { name: 'Memories', level: 1 }).waitFor();
    await page.goBack();
    await isThere('Back');
    assert.deepEqual(faults, []);
  });

  it('that is higher than the screen shows the hit that a search has found in it', async (t) => {
    const app = await serve(t);
    const words = Array.from({ length: 3000 }, (_, i) => (i === 2500 ? 'kettle' : `word${i % 97}`));
    const transcript = [...Array<string>(99).fill('Mira: Yes.'), `Tomas: ${words.join(' ')}`];
    put(app, memory({ id: 'plan', transcript: transcript.join('\n') }));
    const reader = await openReader(t, { viewport: PHONE });
    const { page, faults } = reader;
    await signIn(reader, app, { path: 'search?q=kettle' });
    await page.locator('.passage').filter({ hasText: 'kettle' }).first().click();
    await page.waitForFunction(() => {
      const [hit] = CSS.highlights.get('hit-now') ?? [];
      const { top = -1 } = hit instanceof Range ? hit.getBoundingClientRect() : {};
      return top > innerHeight / 3 && top < (innerHeight * 2) / 3;
    });
    assert.deepEqual(faults, []);
  });
});
