// Sign-in and sessions of the app in a browser: links, several devices, and plain http in a home network.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import type { Page } from 'playwright-core';

import { openReader, serve, signIn, signOut, skip } from './page.ts';

const REFUSED = /status of 401/;
const LAN = (port: number) => `memories.lan:${port}`;

/** What a browser stores of a page. */
function stored(page: Page): Promise<string> {
  return page.evaluate(() =>
    JSON.stringify([localStorage, sessionStorage, document.cookie, history.state]),
  );
}

describe('Signing in to the app', { skip, timeout: 300_000 }, () => {
  it('by a link leads to the memories, and leaves the secret nowhere', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t);
    const { page, faults, requested } = reader;
    const link = await app.link();
    const secret = link.replace(/.*#/, '');
    await page.goto(link);
    await page.getByRole('button', { name: 'Sign in as Mira Okafor' }).waitFor();
    // By keyboard as well, how long it lasts is chosen before it is done.
    await page.keyboard.press('Tab');
    await page.getByRole('checkbox', { name: 'Sign me out when I close the browser' }).waitFor();
    assert.equal(await page.locator(':focus').getAttribute('type'), 'checkbox');
    assert.equal(page.url(), app.at('sign-in'), 'the secret has left the address');
    await page.getByRole('button', { name: 'Sign in as Mira Okafor' }).click();
    await page.getByRole('link', { name: /Crystal supplier call/ }).waitFor();
    assert.equal(page.url(), app.at());
    assert.ok(!(await stored(page)).includes(secret));
    assert.ok(!(await page.content()).includes(secret));
    await page.goBack();
    assert.ok(!page.url().includes(secret), 'Back');
    for (const url of requested) assert.ok(!url.includes(secret), url);
    const base = app.at().replace(/app\/$/, '');
    for (const url of requested) assert.ok(url.startsWith(base), `a request to ${url}`);
    assert.deepEqual(faults, []);
  });

  it('by the same link a second time is refused in words', async (t) => {
    const app = await serve(t);
    const [first, second] = [await openReader(t), await openReader(t, { expects: REFUSED })];
    const link = await app.link();
    await first.page.goto(link);
    await first.page.getByRole('button', { name: /^Sign in as/ }).click();
    await first.page.getByRole('heading', { name: 'Memories' }).waitFor();
    await second.page.goto(link);
    await second.page.getByText('This link does not work any more').waitFor();
    await second.page.getByRole('heading', { name: 'Get a link to sign in', level: 1 }).waitFor();
    // The whole command is in view: what is cut looks like a command that ends there.
    const command = second.page.getByRole('textbox', { name: /^On the computer/ });
    assert.equal(await command.inputValue(), `memory-gateway sign-in --port ${app.port}`);
    const width = (await command.boundingBox())?.width ?? 0;
    assert.ok(width > 600, 'as wide as a long command on one line');
    await second.page.setViewportSize({ width: 320, height: 700 });
    const isWhole = await command.evaluate(
      (field) => field.scrollWidth <= field.clientWidth && field.scrollHeight <= field.clientHeight,
    );
    assert.ok(isWhole);
    await second.page.getByRole('button', { name: 'Copy' }).waitFor();
    assert.deepEqual([first.faults, second.faults], [[], []]);
  });

  it('keeps the address: a link to a line opens there after the sign-in', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t, { expects: REFUSED });
    const { page, faults } = reader;
    const line = app.at('m/2026-11-19-standup#L2');
    await page.goto(line);
    await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
    assert.equal(page.url(), line);
    const other = await reader.context.newPage();
    await other.goto(await app.link());
    await other.getByRole('button', { name: /^Sign in as/ }).click();
    await other.getByRole('heading', { name: 'Memories' }).waitFor();
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await page.locator('#L2.marked').waitFor();
    assert.ok(await page.locator('#L2').isVisible());
    assert.deepEqual(faults, []);
  });

  it('"Sign out all others" ends the other browser at its next step, with its address kept', async (t) => {
    const app = await serve(t);
    const here = await openReader(t);
    const there = await openReader(t, { expects: REFUSED });
    await signIn(here, app);
    await signIn(there, app);
    await here.page.getByRole('link', { name: 'Settings' }).click();
    await here.page.getByRole('link', { name: 'Devices' }).click();
    await here.page.getByRole('button', { name: 'Sign out all others' }).click();
    await here.page.getByText('Sessions ended').waitFor();
    await there.page.getByRole('link', { name: /Voice memo/ }).click();
    await there.page.getByText('Your session has ended').waitFor();
    assert.equal(there.page.url(), app.at('m/2026-11-18-memo-milk'));
    assert.deepEqual([here.faults, there.faults], [[], []]);
  });

  it('another device signs in with the link that the first one shows', async (t) => {
    const app = await serve(t);
    const here = await openReader(t);
    const there = await openReader(t, { viewport: { width: 390, height: 780 } });
    await signIn(here, app);
    await here.page.goto(app.at('settings/devices'));
    await here.page.getByRole('button', { name: 'Sign in another device' }).click();
    await here.page.getByText('Other devices cannot reach this address.').waitFor();
    assert.equal(await here.page.getByRole('img', { name: /QR code/ }).count(), 0);
    const link = await here.page.getByRole('textbox', { name: 'Sign-in link' }).inputValue();
    assert.ok(link.startsWith(app.at('sign-in#')), link);
    await there.page.goto(link);
    await there.page.getByRole('button', { name: 'Sign in as Mira Okafor' }).click();
    await there.page.getByRole('heading', { name: 'Memories' }).waitFor();
    await here.page.getByRole('button', { name: 'Done' }).click();
    const rows = here.page.locator('.items li');
    assert.match(await rows.first().innerText(), /This browser/);
    // The menu asks whoever has no other way back.
    assert.equal(await rows.first().getByRole('button').count(), 0);
    await rows.nth(1).getByText('last used just now').waitFor();
    await rows.nth(1).getByRole('button', { name: 'Sign out' }).waitFor();
    assert.deepEqual([here.faults, there.faults], [[], []]);
  });

  it('signs out, and Back shows nothing', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t, { expects: REFUSED });
    await signIn(reader, app);
    await reader.page.getByRole('link', { name: /Voice memo/ }).click();
    await reader.page.locator('#L1').waitFor();
    await signOut(reader.page);
    await reader.page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
    await reader.page.goBack();
    await reader.page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
    assert.equal(await reader.page.getByText('Voice memo').count(), 0);
    assert.deepEqual(reader.faults, []);
  });

  it('shows nothing of an account in a tab after another tab has signed in to another', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t, { expects: REFUSED });
    await signIn(reader, app);
    const { page } = reader;
    await page.getByRole('link', { name: /Voice memo/ }).waitFor();
    const second = await reader.context.newPage();
    await second.goto(app.at());
    await signOut(second);
    await second.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
    await second.goto(await app.link('leila'));
    await second.getByRole('button', { name: 'Sign in as Leila Haddad' }).click();
    await second.getByRole('link', { name: /Board call/ }).waitFor();
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await page.getByRole('link', { name: /Board call/ }).waitFor();
    assert.equal(await page.getByText('Voice memo').count(), 0);
    assert.deepEqual(reader.faults, []);
  });

  it('by a link of another account offers to stay who one is', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t);
    await signIn(reader, app);
    const { page, faults } = reader;
    await page.goto(await app.link('leila'));
    await page.getByRole('button', { name: 'Sign in as Leila Haddad' }).waitFor();
    await page.getByRole('button', { name: 'Go on as Mira Okafor' }).click();
    await page.getByRole('link', { name: /Voice memo/ }).waitFor();
    await page.reload();
    await page.getByRole('link', { name: /Voice memo/ }).waitFor();
    assert.deepEqual(faults, []);
  });

  it('holds on plain http in a home network, where copying works and passkeys say why not', async (t) => {
    const app = await serve(t);
    const host = LAN(app.port);
    const reader = await openReader(t);
    const { page, faults } = reader;
    await signIn(reader, app, { host });
    await page.reload();
    await page.getByRole('link', { name: /Voice memo/ }).waitFor();
    assert.equal(await page.evaluate(() => isSecureContext), false);
    await page.goto(app.at('settings/access', host));
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByText('Copied').waitFor();
    await page.goto(app.at('settings/devices', host));
    await page.getByText('Passkeys need an address with https.').waitFor();
    await page.getByRole('link', { name: 'How to get one' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Add a passkey' }).count(), 0);
    assert.deepEqual(faults, []);
  });

  it('keeps the sessions of two gateways on two ports of one host', async (t) => {
    const [one, two] = [await serve(t), await serve(t)];
    const reader = await openReader(t);
    await signIn(reader, one, { host: LAN(one.port) });
    await signIn(reader, two, { host: LAN(two.port), account: 'leila' });
    await reader.page.goto(one.at('settings/about', LAN(one.port)));
    await reader.page.getByRole('definition').getByText('Mira Okafor').waitFor();
    await reader.page.goto(two.at('settings/about', LAN(two.port)));
    await reader.page.getByRole('definition').getByText('Leila Haddad').waitFor();
    assert.deepEqual(reader.faults, []);
  });

  it('refuses a request from another origin, from another port of the host, and changes nothing', async (t) => {
    const app = await serve(t);
    const other = await serve(t);
    const reader = await openReader(t, { expects: /403|favicon|ERR_BLOCKED_BY_RESPONSE/ });
    const host = LAN(app.port);
    await signIn(reader, app, { host });
    const { page } = reader;
    // The other gateway's pages may connect only to themselves, so a plain page of its origin asks.
    const target = app.at('v1/keys', host);
    await page.goto(`http://${LAN(other.port)}/healthz`);
    const answered = await page.evaluate(async (url) => {
      const init: RequestInit = {
        method: 'POST',
        credentials: 'include',
        mode: 'no-cors',
        body: '{"label":"stolen","expires_at":null}',
      };
      return fetch(url, init).then(
        ({ type }) => type,
        () => 'withheld',
      );
    }, target);
    assert.equal(answered, 'withheld', 'the response is for pages of its own origin alone');
    assert.ok(reader.requested.includes(target), 'it was sent');
    await page.goto(app.at('settings/access', host));
    await page.getByText('No keys yet').waitFor();
    assert.deepEqual(reader.faults, []);
  });
});
