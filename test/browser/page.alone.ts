// The reference page in a browser: at any prefix, without requests to other hosts.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';

import type { Locator, Page } from 'playwright-core';

import { readFixtures } from '../../src/cli/commands/database/seed.ts';
import { serveDocs, type Docs } from '../support/world/reference-page.ts';
import { isShort, lastIfShort } from '../support/world/thorough.ts';
import { findBrowser } from './browser.ts';
import { sharedBrowser } from './shared-browser.ts';

const isRequired = process.env['REQUIRE_CHROMIUM'] === '1';
const skip = isRequired || findBrowser() !== undefined ? false : 'there is no chromium here';

/** The visible text of each operation. */
const shown = {
  'memories.list':
    /\/v1\/memories\s+List the memories[^]+limit\s[^]+started_after\s[^]+q\s[^]+fields\s[^]+200\s/,
  'memories.get': /\/v1\/memories\/\{memory_id\}\s+Get one memory[^]+memory_id\s[^]+200\s/,
  'changes.list': /\/v1\/changes\s+List what has changed[^]+since\s[^]+200\s[^]+"delete"/,
};

/** A page, what it has requested, and what went wrong. */
interface Watched {
  readonly page: Page;
  readonly requested: readonly string[];
  readonly faults: readonly string[];
}

/** Opens a page, and records errors and requests to other hosts. */
async function watch(url: string, height = 900): Promise<Watched> {
  const browser = await sharedBrowser();
  const context = await browser.newContext({ viewport: { width: 1200, height } });
  context.setDefaultTimeout(60_000); // on a busy machine
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
    // Some violations do not appear on the console.
    document.addEventListener('securitypolicyviolation', (event) =>
      console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`),
    );
  });
  await page.goto(url);
  for (const id of Object.keys(shown)) await operation(page, id).waitFor();
  return { page, requested, faults };
}

// The viewer escapes the dot.
const operation = (page: Page, id: string) =>
  page.locator(`[id="operations-${id.split('.')[0]}-${id.replace('.', String.raw`\\.`)}"]`);

/** Opens the operations that the tests run, and are still closed. */
async function unfold(page: Page): Promise<void> {
  for (const id of Object.keys(shown)) {
    const run = operation(page, id).getByRole('button', { name: 'Execute' });
    if ((await run.count()) === 0) await operation(page, id).getByRole('button').first().click();
    await run.waitFor();
  }
}

/** Runs an operation. Returns the request target and the response that the page shows. */
async function execute(part: Locator): Promise<{ target: string; said: string }> {
  await part.getByRole('button', { name: 'Execute' }).click();
  const answer = part.locator('.live-responses-table .response');
  await answer.getByText('Response headers').waitFor();
  const { pathname, search } = new URL(await part.locator('.request-url pre').innerText());
  return { target: pathname + search, said: await answer.innerText() };
}

/** Parses the visible part of a response as JSON. */
function bodyOf(said: string): Record<string, unknown>[] {
  return JSON.parse(said.slice(said.indexOf('['), said.indexOf('\nResponse headers')));
}

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
  .slice(0, 3) // the number of examples in the document
  .map(({ id }) => id);

describe('The reference page', { skip, timeout: 300_000 }, () => {
  // The other tests serve the page at the root as well.
  for (const prefix of lastIfShort(['', '/some/prefix'])) {
    // One page for all of them, as one reader uses it.
    describe(`at ${prefix}/docs`, () => {
      let docs: Docs;
      let watched: Watched;
      before(async () => {
        docs = await serveDocs(prefix);
        watched = await watch(docs.url);
      });
      after(async () => {
        await docs.close();
        await watched.page.context().close(); // otherwise the examples slow down the next test
      });

      it('lists all operations, opens them ready to run, and fits the screen of a phone', async () => {
        const { page, faults } = watched;
        assert.match(await page.title(), /Memory Gateway/);
        assert.equal(await page.getByRole('button', { name: 'Execute' }).count(), 0, 'all closed');
        await unfold(page);
        for (const [id, text] of Object.entries(shown)) {
          assert.match(await operation(page, id).innerText(), text);
        }
        for (const width of [1200, 400]) {
          await page.setViewportSize({ width, height: 900 });
          const taken = await page.evaluate(() => document.documentElement.scrollWidth);
          assert.equal(taken, width, 'nothing is wider than the screen');
        }
        await page.setViewportSize({ width: 1200, height: 900 });
        assert.deepEqual(faults, []);
      });

      it('gets memories with a pasted key', async () => {
        const { key } = docs;
        const { page, faults } = watched;
        await authorize(page, key);

        const get = operation(page, 'memories.get');
        await get.getByPlaceholder('memory_id').fill('2026-11-18-memo-milk');
        await get.getByRole('button', { name: 'Execute' }).click();
        const answer = get.locator('.live-responses-table .response');
        await answer.getByText('"Mira: Milk."').waitFor();
        assert.match(await answer.innerText(), /^200\s/);
        const curl = await get.locator('.curl').innerText();
        assert.ok(curl.includes(`-H 'Authorization: Bearer ${key}'`), 'a curl command to copy');

        const list = operation(page, 'memories.list');
        await list.getByRole('button', { name: 'Execute' }).click();
        const memories = list.locator('.live-responses-table .response');
        await memories.getByText('"transcript"').nth(2).waitFor();
        const ids = (await memories.innerText()).match(/(?<="id": ")[^"]+/g);
        assert.deepEqual(ids, newest);
        // The viewer draws it anew with every letter that is typed.
        await list.getByRole('button', { name: 'Clear' }).click();
        await memories.waitFor({ state: 'detached' });
        assert.deepEqual(faults, []);
      });

      it('searches, filters and selects fields of a list, and reads changes from a cursor', async () => {
        const { page, faults } = watched;
        const list = operation(page, 'memories.list');
        await list.getByPlaceholder('limit').fill('');
        await list.getByPlaceholder('started_after').fill('2026-11-18T18:42:10+01:00');
        await list.getByPlaceholder('q', { exact: true }).fill('"get milk"');
        await list.locator('select[multiple]').selectOption(['started_at', 'name']);
        const found = await execute(list);
        assert.equal(
          found.target,
          `${prefix}/v1/memories?started_after=2026-11-18T18%3A42%3A10%2B01%3A00&q=%22get%20milk%22&fields=name,started_at`,
        );
        assert.deepEqual(bodyOf(found.said), [
          {
            id: '2026-11-18-memo-milk',
            name: 'Voice memo',
            started_at: '2026-11-18T17:42:10.250Z',
          },
        ]);

        const changes = operation(page, 'changes.list');
        const first = await execute(changes);
        assert.equal(first.target, `${prefix}/v1/changes?limit=3`);
        assert.equal(bodyOf(first.said).length, 3);
        const [, since = ''] = /link: .*[?]since=([\w-]+)>; rel="next"/.exec(first.said) ?? [];
        await changes.getByPlaceholder('since').fill(since);
        await changes.getByRole('button', { name: 'Clear' }).click();
        const second = await execute(changes);
        assert.equal(second.target, `${prefix}/v1/changes?since=${since}&limit=3`);
        const ids = [...bodyOf(first.said), ...bodyOf(second.said)].map(
          (each) => each['memory_id'],
        );
        assert.equal(new Set(ids).size, 6);
        assert.deepEqual(faults, []);
      });

      it('sends requests only to the gateway, and none of them fails', async () => {
        const { page, requested, faults } = watched;
        for (const tab of await page.getByRole('button', { name: 'Schema', exact: true }).all())
          await tab.click();
        await page.getByRole('button', { name: 'Schemas' }).click();
        await page.emulateMedia({ colorScheme: 'dark' });
        await page.locator('html.dark-mode').waitFor();
        await page.screenshot(); // so that everything is rendered
        const base = docs.url.slice(0, -'docs'.length);
        const outside = requested.filter(
          (address) => !address.startsWith(base) && !address.startsWith('data:'),
        );
        assert.deepEqual(outside, []);
        assert.ok(requested.includes(`${base}openapi.json`));
        assert.deepEqual(faults, []);
      });

      it('stores the key nowhere', async () => {
        const { page, requested, faults } = watched;
        const kept = await page.evaluate(() => [
          document.cookie,
          ...Object.values(localStorage),
          ...Object.values(sessionStorage),
        ]);
        assert.doesNotMatch(kept.join(), /mem_/);
        for (const address of requested) assert.ok(!address.includes(docs.key), address);
        await page.reload();
        // The address names the operation that was opened last.
        await operation(page, 'changes.list').getByRole('button', { name: 'Execute' }).waitFor();
        if (!isShort) await unfold(page);
        assert.ok(!(await page.content()).includes(docs.key), 'still there after a reload');
        assert.deepEqual(faults, []);
      });

      it('runs no script from text', async () => {
        const { page, faults } = watched;
        const ran = await page.evaluate(() => {
          const script = document.createElement('script');
          script.textContent = 'window.ran = true';
          document.body.append(script);
          return 'ran' in window;
        });
        assert.equal(ran, false);
        assert.match(faults.join(), /script-src/);
      });
    });
  }

  it('has a link for every operation', { timeout: 60_000 }, async (t) => {
    const docs = await serveDocs('');
    t.after(() => docs.close());
    // The screen is too small for more than one operation.
    const { page, faults } = await watch(`${docs.url}#/memories/memories.get`, 500);
    t.after(() => page.context().close());
    const target = operation(page, 'memories.get');
    const isAtTop = async () => Math.abs((await target.boundingBox())?.y ?? NaN) < 50;
    while (!(await isAtTop())) await setTimeout(50);
    await setTimeout(500); // the page stays there
    assert.ok(await isAtTop());
    assert.deepEqual(faults, []);
  });

  it('takes a key, opens the document and downloads bodies in the sandbox that it has beside the app', async (t) => {
    const docs = await serveDocs('', true);
    t.after(() => docs.close());
    const { page, faults } = await watch(docs.url);
    const context = page.context();
    t.after(() => context.close());
    assert.equal(await page.evaluate(() => origin), 'null');
    const opened = context.waitForEvent('page');
    await page.getByRole('link', { name: 'openapi.json' }).click();
    await (await opened).getByText('"openapi"').first().waitFor();
    await page.bringToFront();
    await authorize(page, docs.key);
    const list = operation(page, 'memories.list');
    await list.getByRole('button').first().click();
    const { said } = await execute(list);
    assert.deepEqual(
      bodyOf(said).map(({ id }) => id),
      newest,
    );
    const downloaded = page.waitForEvent('download');
    await list.getByRole('button', { name: 'Download' }).click();
    assert.match((await downloaded).suggestedFilename(), /\.json$/);
    assert.deepEqual(faults, []);
  });

  it('cannot be shown in a frame', async (t) => {
    const docs = await serveDocs('');
    t.after(() => docs.close());
    const browser = await sharedBrowser();
    const page = await browser.newPage(); // a page without a policy of its own
    await page.setContent(`<iframe src="${docs.url}"></iframe>`);
    const frame = page.frames()[1];
    await frame?.waitForLoadState();
    assert.ok(frame && !(await frame.content()).includes('id="viewer"'));
  });
});
