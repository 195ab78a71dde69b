// The browser that all tests of a process share. Only tests import it, because it has a hook of the test runner.

import { after } from 'node:test';

import type { Browser } from 'playwright-core';

import { openBrowser } from './browser.ts';

let shared: Promise<Browser> | undefined;

/** Returns the browser of this process. It starts at the first call, and ends after all tests. */
export function sharedBrowser(program?: string): Promise<Browser> {
  shared ??= openBrowser(program);
  return shared;
}

after(async () => (await shared)?.close());
