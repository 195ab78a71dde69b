// A reader of the app in a browser: signs in, and records every error, every violation of the policy and every request to another host.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

import type { NewMemory } from '../../../src/store/import/memory-row.ts';
import { withFileWriterSync } from '../../../src/store/sqlite/writer.ts';
import { serveApp, type ServeAppOptions, type ServedApp } from '../../support/world/app.ts';
import { ROOT } from '../../support/world/program.ts';
import { findBrowser } from '../browser.ts';
import { sharedBrowser } from '../shared-browser.ts';

const isRequired = process.env['REQUIRE_CHROMIUM'] === '1';

/** The reason to skip tests, or false. */
export const skip = isRequired || findBrowser() !== undefined ? false : 'there is no chromium here';

/** Serves the app until a test ends. */
export async function serve(t: TestContext, options?: ServeAppOptions): Promise<ServedApp> {
  const app = await serveApp(options);
  t.after(() => app.close());
  return app;
}

/** A browser profile with one page. */
export interface Reader {
  readonly context: BrowserContext;
  readonly page: Page;
  /** What went wrong in the page, except for responses that `expects` names. */
  readonly faults: string[];
  readonly requested: string[];
}

/** Settings of a profile. */
interface ReaderOptions extends BrowserContextOptions {
  /** The messages of the console that belong to the test, such as a 401. */
  readonly expects?: RegExp;
  /** The browser to open it in. Default: the one that all tests of this process share. */
  readonly browser?: Browser;
}

/** Opens a new profile. */
export async function openReader(
  t: TestContext,
  { expects, browser, ...options }: ReaderOptions = {},
): Promise<Reader> {
  const opened = browser ?? (await sharedBrowser());
  const context = await opened.newContext({ viewport: { width: 1200, height: 860 }, ...options });
  t.after(() => context.close());
  context.setDefaultTimeout(30_000);
  const faults: string[] = [];
  const requested: string[] = [];
  const note = (text: string) => {
    if (expects?.test(text) !== true) faults.push(text);
  };
  context.on('request', (request) => requested.push(request.url()));
  context.on('console', (message) => {
    // The browser asks for the worker when it likes, and tells in these words that nothing responds.
    const said = message.text().replace(/^An unknown error.+fetching the script/, 'ERR_FAILED: $&');
    if (/error|warning/.test(message.type())) note(`${said} ${message.location().url}`);
  });
  context.on('weberror', (error) => note(String(error.error().stack)));
  await context.addInitScript(() => {
    // Some violations do not appear on the console.
    document.addEventListener('securitypolicyviolation', (event) =>
      console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`),
    );
  });
  return { context, page: await context.newPage(), faults, requested };
}

/** Who signs in, and where. */
interface SignInOptions {
  readonly account?: string;
  /** Another host than the address of the gateway. */
  readonly host?: string;
  /** What is opened first. Default: the list. */
  readonly path?: string;
}

/**
 * Signs in by a link from the terminal, and waits for the list, or opens another address at once. The
 * secret is sent as the page of the link would do, which saves a page and a click in each test. Only the
 * browser knows other hosts.
 */
export async function signIn(
  reader: Reader,
  app: ServedApp,
  { account = 'mira', host, path = '' }: SignInOptions = {},
): Promise<void> {
  const { page } = reader;
  const link = await app.link(account, host);
  if (host === undefined) {
    await redeem(reader, link);
    await page.goto(app.at(path));
  } else {
    await page.goto(link);
    await page.getByRole('button', { name: /^Sign in as / }).click();
  }
  if (path !== '') return;
  await page.getByRole('heading', { name: 'Memories', level: 1 }).waitFor();
  // Without the frame, the same heading is that of the app while it starts.
  await page.getByRole('searchbox', { name: 'Search' }).waitFor();
}

/** Sends the secret of a sign-in link as its page would do. */
export async function redeem({ context, page }: Reader, link: string): Promise<void> {
  const { origin, hash } = new URL(link);
  const agent = await page.evaluate(() => navigator.userAgent);
  const response = await context.request.post(new URL('v1/sessions', link).href, {
    headers: { origin, 'user-agent': agent },
    data: { way: 'link', secret: hash.slice(1), only_this_time: false },
  });
  assert.ok(response.ok(), await response.text());
}

/** Signs out of an account that has neither a passkey nor a password, which is asked about first. */
export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
}

/** Writes memories of Mira, as an import does. */
export function put(app: ServedApp, ...list: readonly NewMemory[]): void {
  withFileWriterSync(app.database, (writer) => {
    writer.memories.putAll('mira', [...list]);
  });
}

/** The text of the clipboard, by pasting it. */
export async function pasted(page: Page): Promise<string> {
  await page.evaluate(() => document.body.append(document.createElement('textarea')));
  const field = page.locator('body > textarea');
  await field.focus();
  await page.keyboard.press('ControlOrMeta+v');
  const text = await field.inputValue();
  await field.evaluate((element) => element.remove());
  return text;
}

const AXE = readFileSync(join(ROOT, 'node_modules/axe-core/axe.min.js'), 'utf8');

/** The part of axe that is used. */
interface Axe {
  readonly run: (options: object) => Promise<{ readonly violations: readonly Violation[] }>;
}

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** Checks a page with axe, and that it fits the width of the screen. */
export async function checkScreen(page: Page, name: string): Promise<void> {
  await runAxe(page, name, { resultTypes: ['violations'] });
  await checkWidth(page, name);
}

/** Checks the colours of a page with the two rules of axe that depend on them. */
export async function checkColours(page: Page, name: string): Promise<void> {
  await runAxe(page, name, {
    resultTypes: ['violations'],
    runOnly: ['color-contrast', 'link-in-text-block'],
  });
}

async function runAxe(page: Page, name: string, options: object): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE);
  const found = await page.evaluate(async (chosen) => {
    const { axe } = globalThis as unknown as { axe: Axe };
    const { violations } = await axe.run(chosen);
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
    );
  }, options);
  assert.deepEqual(found, [], name);
}

/** Checks that nothing is wider than the screen. */
export async function checkWidth(page: Page, name: string): Promise<void> {
  const { wide, screen } = await page.evaluate(() => ({
    wide: document.documentElement.scrollWidth,
    screen: document.documentElement.clientWidth,
  }));
  assert.ok(wide <= screen, `${name}: ${wide} is wider than ${screen}`);
}
