// The browser that all tests of a process share. Only tests import it, because it has a hook of the test runner.

import { after } from 'node:test';

import type { Browser } from 'playwright-core';

import { openBrowser } from './browser.ts';

const shared = new Map<string | undefined, Promise<Browser>>();

/** Returns the browser of this process, one for each program. It starts at the first call, and ends after all tests. */
export function sharedBrowser(program?: string): Promise<Browser> {
  const browser = shared.get(program) ?? openBrowser(program);
  shared.set(program, browser);
  return browser;
}

after(async () => {
  for (const browser of shared.values()) await (await browser).close();
});
