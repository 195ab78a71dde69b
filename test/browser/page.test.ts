// The reference page: in a browser, at any prefix, with nothing from elsewhere.

import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';

import type { Browser, Page } from 'playwright-core';

import { readFixtures } from '../../scripts/fixtures.ts';
import { serveDocs, type Docs } from '../support/docs.ts';
import { findBrowser, openBrowser } from './browser.ts';

const isRequired = process.env['REQUIRE_CHROMIUM'] === '1';
const skip = isRequired || findBrowser() !== undefined ? false : 'there is no chromium here';

/** What is to be read of each operation. */
const shown = {
  'memories.list': /\/v1\/memories\s+List the memories[^]+limit\s[^]+200\s/,
  'memories.get': /\/v1\/memories\/\{memory_id\}\s+Get one memory[^]+memory_id\s[^]+200\s/,
};

async function serve(t: TestContext, prefix: string): Promise<Docs> {
  const docs = await serveDocs(prefix);
  t.after(() => docs.close());
  return docs;
}

/** Opens a page, and notes what a stranger must never see of it. */
async function watch(browser: Browser, url: string) {
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 } });
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  const requested: string[] = [];
  const faults: string[] = [];
  context.on('request', (request) => requested.push(request.url()));
  context.on('requestfailed', (request) => faults.push(`failed: ${request.url()}`));
  context.on('response', (response) => {
    if (response.status() >= 400) faults.push(`${response.status()}: ${response.url()}`);
  });
  page.on('console', (message) => {
    if (/error|warning/.test(message.type())) faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(String(error)));
  await page.addInitScript(() => {
    // Not every violation is said on the console.
    document.addEventListener('securitypolicyviolation', (event) =>
      console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`),
    );
  });
  await page.goto(url);
  for (const id of Object.keys(shown))
    await operation(page, id).getByRole('button', { name: 'Execute' }).waitFor();
  return { page, requested, faults };
}

// The viewer escapes the dot.
const operation = (page: Page, id: string) =>
  page.locator(`[id="operations-memories-${id.replace('.', String.raw`\\.`)}"]`);

async function authorize(page: Page, key: string): Promise<void> {
  await page.getByRole('button', { name: 'Authorize' }).first().click();
  const field = page.getByLabel('auth-bearer-value');
  assert.equal(await field.getAttribute('autocomplete'), 'off', 'remembered by the browser');
  await field.fill(key);
  await page.getByRole('button', { name: 'Apply credentials' }).first().click();
  await page.getByRole('button', { name: 'Close', exact: true }).first().click();
}

const newest = [...(readFixtures().find(({ id }) => id === 'mira')?.memories ?? [])]
  .toSorted((a, b) => (a.started_at < b.started_at ? 1 : -1))
  .slice(0, 3) // as many as the document gives for an example
  .map(({ id }) => id);

describe('The reference page', { skip, timeout: 300_000 }, () => {
  let browser: Browser;
  before(async () => {
    browser = await openBrowser();
  });
  after(() => browser.close());

  for (const prefix of ['', '/some/prefix']) {
    describe(`at ${prefix}/docs`, () => {
      it('shows both operations, ready to be tried', async (t) => {
        const { url } = await serve(t, prefix);
        const { page, faults } = await watch(browser, url);
        assert.match(await page.title(), /Memory Gateway/);
        for (const [id, text] of Object.entries(shown)) {
          assert.match(await operation(page, id).innerText(), text);
        }
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.equal(width, 1200, 'nothing sticks out');
        assert.deepEqual(faults, []);
      });

      it('gets memories with a pasted key, and keeps that key nowhere', async (t) => {
        const { url, key } = await serve(t, prefix);
        const { page, requested, faults } = await watch(browser, url);
        await authorize(page, key);

        const get = operation(page, 'memories.get');
        await get.getByPlaceholder('memory_id').fill('2026-11-18-memo-milk');
        await get.getByRole('button', { name: 'Execute' }).click();
        const answer = get.locator('.live-responses-table .response');
        await answer.getByText('"Mira: Milk."').waitFor();
        assert.match(await answer.innerText(), /^200\s/);
        const curl = await get.locator('.curl').innerText();
        assert.ok(curl.includes(`-H 'Authorization: Bearer ${key}'`), 'as curl, to be copied');

        const list = operation(page, 'memories.list');
        await list.getByRole('button', { name: 'Execute' }).click();
        const memories = list.locator('.live-responses-table .response');
        await memories.getByText('"transcript"').nth(2).waitFor();
        const ids = (await memories.innerText()).match(/(?<="id": ")[^"]+/g);
        assert.deepEqual(ids, newest);

        const kept = await page.evaluate(() => [
          document.cookie,
          ...Object.values(localStorage),
          ...Object.values(sessionStorage),
        ]);
        assert.doesNotMatch(kept.join(), /mem_/);
        for (const address of requested) assert.ok(!address.includes(key), address);
        await page.reload();
        await operation(page, 'memories.get').waitFor();
        assert.ok(!(await page.content()).includes(key), 'still there after a reload');
        assert.deepEqual(faults, []);
      });

      it('asks nobody but the gateway, for nothing that is not there', async (t) => {
        const { url, key } = await serve(t, prefix);
        const { page, requested, faults } = await watch(browser, url);
        await authorize(page, key);
        for (const tab of await page.getByRole('button', { name: 'Schema', exact: true }).all())
          await tab.click();
        await page.getByRole('button', { name: 'Schemas' }).click();
        await page.emulateMedia({ colorScheme: 'dark' });
        await page.locator('html.dark-mode').waitFor();
        await page.screenshot(); // so that all is laid out
        const base = url.slice(0, -'docs'.length);
        const outside = requested.filter(
          (address) => !address.startsWith(base) && !address.startsWith('data:'),
        );
        assert.deepEqual(outside, []);
        assert.ok(requested.includes(`${base}openapi.json`));
        assert.deepEqual(faults, []);
      });
    });
  }

  it('can be linked to down to an operation', { timeout: 60_000 }, async (t) => {
    const { url } = await serve(t, '/some/prefix');
    const { page, faults } = await watch(browser, `${url}#/memories/memories.get`);
    const target = operation(page, 'memories.get');
    await page.setViewportSize({ width: 1200, height: 500 }); // too small for more than it
    await page.reload();
    const isAtTop = async () => Math.abs((await target.boundingBox())?.y ?? NaN) < 50;
    while (!(await isAtTop())) await setTimeout(50);
    await setTimeout(500); // and there it stays
    assert.ok(await isAtTop());
    assert.deepEqual(faults, []);
  });

  it('runs no script that is written into it', async (t) => {
    const { url } = await serve(t, '');
    const { page, faults } = await watch(browser, url);
    const ran = await page.evaluate(() => {
      const script = document.createElement('script');
      script.textContent = 'window.ran = true';
      document.body.append(script);
      return 'ran' in window;
    });
    assert.equal(ran, false);
    assert.match(faults.join(), /script-src/);
  });

  it('is shown in no frame', async (t) => {
    const { url } = await serve(t, '');
    const page = await browser.newPage(); // which has no policy of its own
    await page.setContent(`<iframe src="${url}"></iframe>`);
    const frame = page.frames()[1];
    await frame?.waitForLoadState();
    assert.ok(frame && !(await frame.content()).includes('id="viewer"'));
  });
});
