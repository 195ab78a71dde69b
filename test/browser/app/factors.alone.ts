// Passkeys and passwords of the app in a browser, with a virtual authenticator.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import type { Page } from 'playwright-core';

import { createLaterChanges } from '../../support/app/later-changes.ts';
import { checkScreen, openReader, serve, signIn, skip } from './page.ts';

const REFUSED = /status of 401/;

/** Gives a page an authenticator that verifies its user without asking. */
async function addAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  });
}

describe('Passkeys and passwords in the app', { skip, timeout: 300_000 }, () => {
  it('a passkey is added, renamed, signs in, and is removed', async (t) => {
    const app = await serve(t);
    const host = `localhost:${app.port}`; // an address such as 127.0.0.1 has no passkeys
    const reader = await openReader(t, { expects: REFUSED });
    const { page, faults } = reader;
    await addAuthenticator(page);
    await signIn(reader, app, { host });
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('link', { name: 'Devices' }).click();
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('laptop');
    await dialog.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByText('Passkey added · laptop').waitFor();
    await page.getByRole('button', { name: 'Rename' }).click();
    await dialog.getByLabel('Name').fill('work laptop');
    await dialog.getByRole('button', { name: 'Rename' }).click();
    await page.getByText('work laptop', { exact: true }).waitFor();
    await checkScreen(page, 'devices with a passkey');

    await page.getByRole('button', { name: 'Sign out' }).first().click();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByText('by passkey').waitFor();
    assert.equal(page.url(), app.at('settings/devices', host), 'the address is kept');

    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Passkey removed').waitFor();
    assert.deepEqual(faults, []);
  });

  for (const way of ['command', 'password'] as const)
    it(`after an old sign-in a dialog asks for a new one first, by ${way}`, async (t) => {
      const { changes, open } = createLaterChanges(t);
      const app = await serve(t, { app: { changes } });
      open(app.database);
      const reader = await openReader(t, { expects: REFUSED });
      const { page, faults } = reader;
      await signIn(reader, app);
      const button = page.getByRole('button', { name: /^(Set|Change) password$/ }).first();
      const dialog = page.getByRole('dialog');
      const set = async () => {
        await dialog.getByLabel('New password').fill('a tram that would not go to bed');
        await dialog.getByRole('button', { name: 'Set password' }).click();
        await page.getByText('A password is set.').waitFor();
      };
      await page.goto(app.at('settings/devices'));
      if (way === 'password') {
        await button.click();
        await set();
      }
      const isOld = '**/app/v1/me';
      await page.route(isOld, async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, json: { ...(await response.json()), fresh_until: null } });
      });
      await page.reload();
      const rule = page.getByText('To add a passkey or a password, sign in again by a new link.');
      if (way === 'command') {
        await rule.waitFor();
        assert.equal(await button.isDisabled(), true, 'it would only lead to the same command');
        await page.getByLabel('On the computer that has the memories').waitFor();
        await checkScreen(page, 'a new sign-in by command');
        await page.getByRole('link', { name: 'About' }).click();
        await page.getByText('Delete the account').click();
        await page.getByRole('button', { name: 'Delete everything' }).click();
      } else {
        await button.click();
        assert.equal(await rule.count(), 0);
      }
      await dialog.getByText('First sign in again').waitFor();
      await checkScreen(page, `a new sign-in by ${way}, asked for by a dialog`);
      if (way === 'command') {
        const command = dialog.getByLabel('On the computer that has the memories');
        await dialog
          .getByText('A link from another device is only as new as the sign-in of that one.')
          .waitFor();
        assert.match(await command.inputValue(), /^memory-gateway sign-in .*--port \d+/);
        await dialog.getByRole('button', { name: 'Cancel' }).click();
        await page.getByRole('link', { name: 'Devices' }).click();
        await rule.waitFor();
        // It was followed in another tab, and the reader comes back.
        await page.unroute(isOld);
        await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
        await page.getByText(/add a passkey or a password before \d/).waitFor();
        await button.click();
      } else {
        await dialog.getByLabel('Account').waitFor();
        await dialog.getByLabel('Password', { exact: true }).fill('not the right password');
        await dialog.getByRole('button', { name: 'Sign in' }).click();
        await dialog.getByRole('alert').waitFor();
        await page.unroute(isOld);
        await dialog
          .getByLabel('Password', { exact: true })
          .fill('a tram that would not go to bed');
        await dialog.getByRole('button', { name: 'Sign in' }).click();
      }
      await set();
      assert.equal(await page.locator('.items li').filter({ hasText: 'This browser' }).count(), 1);
      assert.deepEqual(faults, []);
    });

  it('at the number of this computer its name is one click away, where passkeys work', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t);
    const { page, faults } = reader;
    await signIn(reader, app, { path: 'settings/devices' });
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('button', { name: 'Go to localhost' }).click();
    await page.getByRole('button', { name: 'Sign in as Mira Okafor' }).click();
    await page.getByRole('heading', { name: 'Devices' }).waitFor();
    assert.equal(page.url(), app.at('settings/devices', `localhost:${app.port}`));
    assert.deepEqual(faults, []);
  });

  it('a link of an account without them leads to them, and no longer when there is one', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t, { expects: REFUSED });
    const { page, faults } = reader;
    const offered = page.getByRole('button', { name: 'Sign in and set a password or passkey' });
    await page.goto(await app.link('mira'));
    await page.getByText('Memory Gateway').waitFor();
    await offered.click();
    await page.getByText('To need no link next time').waitFor();
    assert.equal(page.url(), app.at('settings/devices'));
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByLabel('New password').fill('a tram that would not go to bed');
    await page.getByRole('dialog').getByRole('button', { name: 'Set password' }).click();
    await page.getByText('A password is set.').waitFor();
    assert.equal(await page.getByText('To need no link next time').count(), 0);
    await page.goto(await app.link('mira'));
    await page.getByRole('button', { name: 'Sign in as Mira Okafor' }).waitFor();
    assert.equal(await offered.count(), 0);
    assert.deepEqual(faults, []);
  });

  it('a password is set, signs in, a wrong one is refused in words, and it is removed', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t, { expects: REFUSED });
    const { page, faults } = reader;
    const password = 'a tram that would not go to bed';
    await signIn(reader, app, { path: 'settings/devices' });
    await page.getByRole('button', { name: 'Set password' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('New password').fill('a short one');
    await dialog.getByText('4 more.').waitFor();
    await dialog.getByRole('button', { name: 'Set password' }).click();
    await dialog.getByText('Use at least 15 characters.').waitFor();
    await dialog.getByLabel('New password').fill(password);
    const place = await page.getByRole('button', { name: 'Set password' }).first().boundingBox();
    await dialog.getByRole('button', { name: 'Set password' }).click();
    await page.getByText('A password is set.').waitFor();
    const later = await page.getByRole('button', { name: 'Change password' }).boundingBox();
    const right = (box: typeof place) => (box?.x ?? 0) + (box?.width ?? 0);
    assert.equal(right(later), right(place), 'what takes its place does not remove it');
    await page.getByRole('button', { name: 'Sign out' }).first().click();

    await page.locator('input:focus').fill('Mira Okafor'); // it has the focus
    await page.getByLabel('Password', { exact: true }).fill('not the right password');
    await checkScreen(page, 'sign-in with password');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('by password').waitFor();

    await page.getByRole('button', { name: 'Remove password' }).click();
    await dialog.getByRole('button', { name: 'Remove password' }).click();
    await page.getByText('No password is set.').waitFor();
    await dialog.waitFor({ state: 'detached' });
    assert.deepEqual(faults, []);
  });
});
