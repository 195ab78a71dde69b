// Settings → API access in a browser: a key that is shown once, rotated, revoked, and never left behind.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import type { Page } from 'playwright-core';

import { engineOf } from '../../../src/store/engines.ts';
import type { ServedApp } from '../../support/world/app.ts';
import { issued } from '../../support/world/artifacts.ts';
import { checkScreen, openReader, serve, signIn, skip } from './page.ts';

/** Reads with a key. Returns the status. */
async function statusOf(app: ServedApp, key: string): Promise<number> {
  const url = app.at().replace(/app\/$/, 'v1/memories?limit=1');
  const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
  await response.arrayBuffer();
  return response.status;
}

/** Ends all sessions of Mira, as `memory-gateway sign-out` does. */
async function endSessions({ database }: ServedApp): Promise<void> {
  const store = await engineOf(database).openApp();
  await store.sessions.endAll({ account_id: 'mira', agent: 'command line' });
  await store.close();
}

/** Creates a key in the page. Returns its text. */
async function createKey(page: Page, label: string): Promise<string> {
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByLabel('Label').fill(label);
  await page.getByRole('button', { name: 'Create key' }).click();
  return issued(await page.getByRole('textbox', { name: 'API key' }).inputValue());
}

describe('API access in the app', { skip, timeout: 300_000 }, () => {
  it('shows a new key once, proves that it works, and keeps nothing of it', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t, {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const { page, faults } = reader;
    await signIn(reader, app, { path: 'settings/access' });
    const key = await createKey(page, 'notebook script');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Copy' }).first().click();
    await dialog.getByText('Copied').waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), key);
    const curl = await dialog.getByRole('textbox', { name: 'Try it' }).inputValue();
    const url = app.at().replace(/app\/$/, 'v1/memories?limit=1');
    assert.equal(curl, `curl -H "Authorization: Bearer ${key}" "${url}"`);
    await dialog.getByText('Waiting for its first use').waitFor();
    assert.equal(await statusOf(app, key), 200);
    await dialog.getByText('The key works.').waitFor({ timeout: 90_000 });
    await dialog.getByRole('button', { name: 'Done' }).click();
    const row = page.locator('.items li', { hasText: /notebook script/ });
    await row.getByText(`mem_…${key.slice(-4)}`).waitFor();
    await row.getByText('in 90 days').waitFor();
    await row.getByText(/just now|minute/).waitFor();

    const left = async () =>
      [
        await page.content(),
        await page.evaluate(() => JSON.stringify([localStorage, sessionStorage])),
        await page.evaluate(() => JSON.stringify(history.state)),
        page.url(),
      ].join('\n');
    assert.ok(!(await left()).includes(key), 'after the dialog');
    await page.reload();
    await row.waitFor();
    assert.ok(!(await left()).includes(key), 'after a reload');
    for (const requested of reader.requested) assert.ok(!requested.includes(key), requested);
    assert.deepEqual(faults, []);
  });

  it('connects a client by its tile: the key reads what it needs, and its first call is seen', async (t) => {
    const app = await serve(t, { app: { keyLog: true } });
    const reader = await openReader(t, {});
    const { page, faults } = reader;
    await signIn(reader, app, { path: 'connect' });
    await page.getByRole('button', { name: 'Home Assistant' }).click();
    const question = page.getByRole('dialog', { name: 'Connect Home Assistant' });
    await question.getByText('Choose what it may read').click();
    assert.ok(await question.getByRole('radio', { name: /no transcripts/ }).isChecked());
    await question.getByRole('button', { name: 'Make a key' }).click();
    const text = await page.getByRole('textbox', { name: 'For Home Assistant' }).inputValue();
    const [, key = ''] = /Bearer (mem_\w+)/.exec(text) ?? [];
    issued(key);
    await page.getByText('Waiting for Home Assistant…').waitFor();
    const [, url = ''] = /resource: "(.*)"/.exec(text) ?? [];
    const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
    assert.equal(response.status, 200);
    await page.getByText('✓ Home Assistant has just read your memories.').waitFor();
    const one = url.replace(/memories.*/, 'memories/2026-11-19-standup?fields=name');
    await fetch(one, { headers: { authorization: `Bearer ${key}` } });
    await page.getByText('✓ Home Assistant has just read 1 memory.').waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText(/claude\.ai and ChatGPT call your gateway from the internet/).waitFor();
    const tile = page.getByRole('button', { name: /^Home Assistant/ });
    await tile.getByText('connected, last used just now').waitFor();
    assert.equal(await page.getByText(/key made|connected,/).count(), 1, 'the others have none');
    await checkScreen(page, 'a tile of a connected program');
    await tile.click();
    await page.getByText('It has a key already: connected, last used just now.').waitFor();
    assert.deepEqual(faults, []);
  });

  it('shows how to connect an agent with the new key, and keeps nothing of it', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t, {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const { page } = reader;
    await signIn(reader, app, { path: 'connect' });
    const tiles = page.locator('.tiles').getByRole('button');
    await tiles.first().waitFor();
    assert.equal(await tiles.count(), 15);
    await tiles.getByText('Claude Code').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Make a key' }).click();
    const key = issued(await dialog.getByRole('textbox', { name: 'API key' }).inputValue());
    const field = dialog.getByRole('textbox', { name: 'For Claude Code' });
    await field.waitFor();
    await dialog
      .getByText('Put this into a terminal. Start a new session, and type /mcp.')
      .waitFor();
    await dialog.getByRole('button', { name: 'Copy' }).first().click();
    await dialog.getByText('Copied').waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    const url = app.at().replace(/app\/$/, 'mcp');
    assert.equal(
      copied,
      `claude mcp add --transport http memories ${url} --header "Authorization: Bearer ${key}"`,
    );
    const response = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    });
    assert.match(await response.text(), /check_quote/);
    await dialog.getByRole('button', { name: 'Done' }).click();
    const left = `${await page.content()}${page.url()}${await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))}`;
    assert.ok(!left.includes(key));
    for (const requested of reader.requested) assert.ok(!requested.includes(key), requested);
    assert.deepEqual(reader.faults, []);
  });

  it('leaves the focus where it was when the keys arrive, and gives it to the heading otherwise', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t);
    const { page, context, faults } = reader;
    await signIn(reader, app);
    const release = Promise.withResolvers<undefined>();
    await context.route(/\/app\/v1\/keys$/, async (route) => {
      await release.promise;
      await route.continue();
    });
    await page.goto(app.at('settings/access'));
    const link = page.getByRole('link', { name: 'Devices' });
    await link.focus();
    release.resolve(undefined);
    await page.getByText('No keys yet.').waitFor();
    assert.ok(await link.evaluate((shown) => shown === document.activeElement));
    await page.keyboard.press('Enter');
    await page.locator('h1:focus', { hasText: 'Devices' }).waitFor();
    assert.deepEqual(faults, []);
  });

  it('reads what its owner chooses by keyboard, which the list shows', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t);
    const { page } = reader;
    await signIn(reader, app, { path: 'settings/access' });
    await page.getByRole('button', { name: 'New key' }).press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Label').fill('widget');
    await dialog.getByRole('radio', { name: 'Everything' }).press('ArrowDown');
    assert.ok(await dialog.getByRole('radio', { name: /no transcripts/ }).isChecked());
    assert.equal(await dialog.getByLabel('First day').isVisible(), false);
    await page.keyboard.press('Tab'); // to "All days", which follows the choice
    await page.keyboard.press('ArrowDown');
    await dialog.getByRole('button', { name: 'Create key' }).press('Enter');
    await dialog.getByText('Choose a first day, a last day or all days.').waitFor();
    await dialog.getByLabel('First day').fill('2026-11-01');
    await dialog.getByLabel('Last day').fill('2026-10-31');
    await checkScreen(page, 'a new key with a scope');
    await page.setViewportSize({ width: 320, height: 800 });
    await checkScreen(page, 'a new key with a scope, on a phone');
    await page.setViewportSize({ width: 1200, height: 860 });
    await dialog.getByLabel('Last day').press('Enter');
    await dialog.getByText('Choose a last day that is not before the first.').waitFor();
    await dialog.getByLabel('Last day').fill('2026-11-30');
    await dialog.getByRole('button', { name: 'Create key' }).press('Enter');
    const key = issued(await page.getByRole('textbox', { name: 'API key' }).inputValue());
    const scope = 'no transcripts, from Nov 1, 2026, until Nov 30, 2026';
    await dialog.getByText(scope).waitFor();
    const read = async (path: string) =>
      fetch(app.at().replace(/app\/$/, `v1/memories${path}`), {
        headers: { authorization: `Bearer ${key}` },
      });
    const found = (await (await read('')).json()) as Record<string, string>[];
    assert.ok(found.length > 0);
    // Days are those of the browser.
    const bounds = await page.evaluate(() => [
      new Date(2026, 10, 1).toISOString(),
      new Date(2026, 11, 1).toISOString(),
    ]);
    for (const { started_at = '', transcript } of found) {
      assert.ok(started_at >= String(bounds[0]) && started_at < String(bounds[1]), started_at);
      assert.equal(transcript, undefined);
    }
    assert.equal((await read(`/${found[0]?.['id']}/lines`)).status, 403);
    await dialog.getByRole('button', { name: 'Copy' }).first().click();
    await dialog.getByText('Copied').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).press('Enter');
    const row = page.locator('.items li', { hasText: /widget/ });
    await row.getByText(scope).waitFor();
    const focused = await page.evaluate(() => document.activeElement?.textContent);
    assert.equal(focused, 'New key', 'the focus returns to where it was');
    await checkScreen(page, 'a key with a scope');
    await page.setViewportSize({ width: 320, height: 800 });
    await checkScreen(page, 'a key with a scope, on a phone');
    assert.deepEqual(reader.faults, []);
  });

  it('reads the source and the tag that its owner chooses from those that there are', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t);
    const { page } = reader;
    await signIn(reader, app, { path: 'settings/access' });
    await page.getByRole('button', { name: 'New key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Label').fill('tagged');
    const choose = async (label: string) => {
      const select = dialog.getByLabel(label);
      await select.waitFor();
      const option = select.locator('option').nth(1);
      const [value, text] = [
        await option.evaluate((each) => (each as HTMLOptionElement).value),
        await option.innerText(),
      ];
      await select.selectOption(value);
      return { value, text };
    };
    const [source, tag] = [await choose('From which source'), await choose('With which tag')];
    await checkScreen(page, 'a new key with a source and a tag');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const scope = `everything, only ${source.text}, only with “${tag.text}”`;
    await dialog.getByText(scope).waitFor();
    const key = issued(await page.getByRole('textbox', { name: 'API key' }).inputValue());
    const url = app.at().replace(/app\/$/, 'v1/tags');
    const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
    const known = (await response.json()) as { name: string; kind: string }[];
    const sources = known.filter(({ kind }) => kind === 'source').map(({ name }) => name);
    assert.deepEqual(
      [sources, known.some(({ name }) => name === tag.value)],
      [[source.value], true],
    );
    await dialog.getByRole('button', { name: 'Copy' }).first().click();
    await dialog.getByText('Copied').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).press('Enter');
    const row = page.locator('.items li', { hasText: /tagged/ });
    await row.getByText(scope).waitFor();
    assert.deepEqual(reader.faults, []);
  });

  it('reads the days of the time zone in the settings, which is not that of the browser', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t, { timezoneId: 'America/New_York' });
    const { page } = reader;
    await signIn(reader, app, { path: 'settings/reading' });
    await page.getByLabel('Time zone').selectOption('Asia/Tokyo');
    await page.goto(app.at('settings/access'));
    await page.getByRole('button', { name: 'New key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Label').fill('all days after all');
    await dialog.getByLabel('Only some days').check();
    await dialog.getByLabel('Last day').fill('2026-11-18');
    await dialog.getByLabel('All days').check();
    const create = async () => {
      const made = page.waitForResponse((response) => response.request().method() === 'POST');
      await dialog.getByRole('button', { name: 'Create key' }).click();
      return (await (await made).json()) as Record<string, unknown>;
    };
    assert.equal((await create())['started_before'], null, 'days that are not chosen do not count');
    await dialog.getByText('It may read everything.').waitFor();
    await dialog.getByRole('button', { name: 'Copy' }).first().click();
    await dialog.getByText('Copied').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'New key' }).click();
    await dialog.getByLabel('Label').fill('one day');
    await dialog.getByLabel('Only some days').check();
    await dialog.getByLabel('First day').fill('2026-11-18');
    await dialog.getByLabel('Last day').fill('2026-11-18');
    const { started_after, started_before } = await create();
    assert.deepEqual(
      [started_after, started_before].map((each) => Date.parse(String(each))),
      ['2026-11-18T00:00:00+09:00', '2026-11-19T00:00:00+09:00'].map(Date.parse),
    );
    await dialog.getByText('from Nov 18, 2026, until Nov 18, 2026').waitFor();
    assert.deepEqual(reader.faults, []);
  });

  it('asks once before it closes a key that nobody copied', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t);
    const { page } = reader;
    await signIn(reader, app, { path: 'settings/access' });
    await createKey(page, 'forgotten');
    await page.keyboard.press('Escape');
    await page.getByText('You have not copied the key').waitFor();
    await page.getByRole('button', { name: 'Back to the key' }).click();
    assert.equal(await page.getByText('You have not copied the key').count(), 0);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Close without copying' }).click();
    await page.locator('.items li', { hasText: /forgotten/ }).waitFor();
    assert.equal(await page.getByRole('dialog').count(), 0);
    assert.deepEqual(reader.faults, []);
  });

  it('stays over the page when the session ends and when the reader goes Back, until it is closed', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t, { expects: /status of 401/ });
    const { page } = reader;
    await signIn(reader, app);
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('link', { name: 'API access' }).click();
    const key = await createKey(page, 'held');
    const field = page.getByRole('textbox', { name: 'API key' });
    for (let i = 0; i < 3; i++) await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Back to the key' }).click();
    await page.goBack();
    await page.waitForURL(app.at('settings/reading'));
    assert.equal(await field.inputValue(), key);

    await endSessions(app);
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Your session has ended. Copy the key').waitFor();
    await checkScreen(page, 'a key after the end of the session');
    assert.equal(await field.inputValue(), key);
    assert.equal(await statusOf(app, key), 200);
    await dialog.getByRole('button', { name: 'Copy' }).first().click();
    await dialog.getByText('Copied').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByText('Your session has ended. Sign in').waitFor();
    assert.ok(!(await page.content()).includes(key));
    assert.deepEqual(reader.faults, []);
  });

  it('is asked about by the browser before it leaves the page with a key that nobody copied', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t);
    const { page } = reader;
    await signIn(reader, app, { path: 'settings/access' });
    await createKey(page, 'left');
    let asked = 0;
    page.on('dialog', (question) => {
      asked += 1;
      assert.equal(question.type(), 'beforeunload');
      void question.accept();
    });
    await page.reload();
    assert.equal(asked, 1);
    await createKey(page, 'copied');
    await page.getByRole('dialog').getByRole('button', { name: 'Copy' }).first().click();
    await page.getByText('Copied').waitFor();
    await page.reload();
    assert.equal(asked, 1);
    assert.deepEqual(reader.faults, []);
  });

  it('rotates with a grace period, revokes at once, and folds ended keys away', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t);
    const { page } = reader;
    await signIn(reader, app, { path: 'settings/access' });
    const old = await createKey(page, 'tablet');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Copy' }).first().click();
    await dialog.getByText('Copied').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();

    await page.getByText('expires in 90 days').waitFor();
    await page.getByRole('button', { name: 'Rotate', exact: true }).click();
    await dialog.getByLabel('in 1 hour').check();
    await dialog.getByRole('button', { name: 'Rotate' }).click();
    const next = issued(await dialog.getByRole('textbox', { name: 'API key' }).inputValue());
    assert.notEqual(next, old);
    assert.deepEqual([await statusOf(app, old), await statusOf(app, next)], [200, 200]);
    await dialog.getByRole('button', { name: 'Copy' }).first().click();
    await dialog.getByText('Copied').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page
      .locator('.items li', { hasText: /tablet/ })
      .nth(1)
      .waitFor();

    const row = page.locator('.items li', { hasText: new RegExp(`tablet.*${old.slice(-4)}`) });
    await row.getByRole('button', { name: 'Revoke' }).click();
    await dialog.getByText(/(last|never) used/).waitFor();
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('1 ended key').waitFor();
    assert.deepEqual([await statusOf(app, old), await statusOf(app, next)], [401, 200]);
    await page.getByText('1 ended key').click();
    await page.locator('details').getByText('revoked').waitFor();
    assert.deepEqual(reader.faults, []);
  });
});
