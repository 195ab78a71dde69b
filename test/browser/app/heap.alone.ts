// The memory of the app's page while somebody reads for a long time.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import type { CDPSession, Page } from 'playwright-core';

import { sized } from '../../support/world/thorough.ts';
import { openReader, serve, signIn, skip } from './page.ts';

const SCREENS = sized(1000, 100);
/** Until each screen has been compiled, which stays. */
const WARM_UP = 150;

const PATHS = [
  '',
  'm/2026-11-19-standup',
  'changes?since=all',
  'm/2026-11-18-memo-milk',
  'settings/access',
  'settings/devices',
  'settings/sources',
  'settings/shares',
  'm/nothing',
  'settings/reading',
  'settings/about',
];

/** Opens screens one after another, as links do, and waits for the content of each. */
async function visit(page: Page, addresses: readonly string[], count: number): Promise<void> {
  for (let at = 0; at < count; at++) {
    const settled = page.waitForFunction(
      (address) =>
        location.href === address &&
        document.querySelector('h1') !== null &&
        document.querySelector('.loading') === null,
      addresses[at % addresses.length],
    );
    await page.evaluate(
      (address) => {
        history.pushState(null, '', address);
        dispatchEvent(new PopStateEvent('popstate'));
      },
      addresses[at % addresses.length],
    );
    await settled;
    await page.waitForLoadState('networkidle');
  }
}

async function measure(session: CDPSession) {
  for (const _ of [1, 2, 3]) await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  const { nodes, jsEventListeners } = await session.send('Memory.getDOMCounters');
  return { usedSize, nodes, jsEventListeners };
}

describe('The page of the app', { skip, timeout: 600_000 }, () => {
  it(`does not grow over ${SCREENS} screens`, async (t) => {
    const app = await serve(t);
    const reader = await openReader(t, { expects: /404/ });
    const { page, faults, context } = reader;
    await signIn(reader, app);
    const session = await context.newCDPSession(page);
    const addresses = PATHS.map((path) => app.at(path));
    await visit(page, addresses, WARM_UP - (WARM_UP % PATHS.length));
    const first = await measure(session);
    await visit(page, addresses, SCREENS - (SCREENS % PATHS.length));
    const last = await measure(session);
    t.diagnostic(JSON.stringify({ first, last }));
    // A leaked screen has tens of nodes and listeners, and tens of kilobytes.
    assert.ok(last.usedSize - first.usedSize < SCREENS * 2000, 'the heap');
    assert.ok(last.nodes - first.nodes < SCREENS, 'the nodes');
    assert.ok(last.jsEventListeners - first.jsEventListeners < SCREENS / 10, 'the listeners');
    assert.deepEqual(faults, []);
  });
});
