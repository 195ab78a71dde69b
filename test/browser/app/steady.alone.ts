// Screens while their responses come one after another, the first one last: what is drawn is not pushed away by what comes later.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import type { Page, Route } from 'playwright-core';

import { isShort } from '../../support/world/thorough.ts';
import { openReader, serve, signIn, skip, type Reader } from './page.ts';

/** Longer than a screen waits before it says that it is loading. */
const PAUSE_MS = 200;

/** The most that may move: the part of the window, times how far. Some pixels of a line that wraps are less. */
const MOST = 0.01;

/** Holds the responses of the API, and lets the latest one go after each pause, until there are no more. */
async function letGoOneByOne({ context, page }: Reader, address: string): Promise<void> {
  const held: Route[] = [];
  await context.route(/\/v1\//, (route) => void held.push(route));
  await page.goto(address);
  for (let quiet = 0; quiet < 3; quiet++) {
    await page.waitForTimeout(PAUSE_MS);
    const route = held.pop();
    if (route === undefined) continue;
    quiet = -1;
    await route.continue();
  }
  await context.unrouteAll();
}

/** Notes each layout shift of the pages that are opened. */
function watchShifts({ context }: Reader): Promise<unknown> {
  return context.addInitScript(() => {
    const page = globalThis as { moved?: string[] };
    const moved = (page.moved = []) as string[];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, sources } = entry as PerformanceEntry & {
          readonly value: number;
          readonly sources: readonly { readonly node: Node | null }[];
        };
        const what = sources.map(
          ({ node }) => (node as Element | null)?.className ?? node?.nodeName,
        );
        moved.push(`${value.toFixed(4)} ${what.join(', ')}`);
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

const shiftsOf = (page: Page) =>
  page.evaluate(() => (globalThis as { moved?: string[] }).moved ?? []);

/** Screens that have several parts: rows, a grid, and a page of the account. */
const FEW = ['', 'months/2026-11', 'settings/devices'];

const SCREENS = isShort
  ? FEW
  : [
      ...FEW,
      'calendar',
      'people',
      'actions',
      'changes',
      'search?q=milk',
      'settings/phone',
      'settings/about',
    ];

describe('A screen whose responses come one after another', { skip, timeout: 300_000 }, () => {
  for (const { name, viewport, screens } of [
    { name: 'a phone', viewport: { width: 390, height: 844 }, screens: SCREENS },
    {
      name: 'a desk',
      viewport: { width: 1280, height: 800 },
      screens: isShort ? [''] : ['', 'settings/devices'],
    },
  ])
    it(`pushes nothing away that it has drawn on ${name}`, async (t) => {
      const app = await serve(t, { app: { startCommand: 'memory-gateway start' } });
      const reader = await openReader(t, { viewport });
      await signIn(reader, app);
      await watchShifts(reader);
      for (const path of screens) {
        await letGoOneByOne(reader, app.at(path));
        const shifts = await shiftsOf(reader.page);
        const sum = shifts.reduce((all, each) => all + Number.parseFloat(each), 0);
        assert.ok(sum <= MOST, `${path}: ${shifts.join('\n')}`);
      }
      assert.deepEqual(reader.faults, []);
    });

  it('pushes no text of a memory away by action items that come through a slow network', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t, { viewport: { width: 390, height: 844 } });
    const { page, context, faults } = reader;
    await signIn(reader, app);
    await watchShifts(reader);
    await context.route(/\/v1\/|\.js$/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 2 * PAUSE_MS));
      await route.continue();
    });
    await page.goto(app.at('m/2026-11-19-standup'));
    await page.locator('.to-do .tick').first().waitFor();
    await page.locator('#L1').waitFor();
    await page.waitForTimeout(PAUSE_MS);
    const shifts = await shiftsOf(page);
    assert.ok(
      shifts.reduce((sum, each) => sum + Number.parseFloat(each), 0) <= MOST,
      shifts.join(),
    );
    await context.unrouteAll({ behavior: 'ignoreErrors' });
    assert.deepEqual(faults, []);
  });
});
