// The app in a browser when its database cannot be written: a folder that is read-only, and another program that writes.

import assert from 'node:assert/strict';
import { dirname } from 'node:path';
import { describe, it } from 'node:test';

import Database from 'better-sqlite3';
import type { Page } from 'playwright-core';

import { lock, NO_READ_ONLY } from '../../support/damage/full-disk.ts';
import { issued } from '../../support/world/artifacts.ts';
import { checkScreen, openReader, serve, signIn, signOut, skip } from './page.ts';

const UNAVAILABLE = /status of 503/;
const CANNOT_WRITE =
  'The app cannot write to the database of this gateway, so nothing was changed; reading and the API still work.';

/** Fills in the dialog for a new key, and presses "Create key". */
async function createKey(page: Page, label: string): Promise<void> {
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByLabel('Label').fill(label);
  await page.getByRole('button', { name: 'Create key' }).click();
}

describe('The app on a database that cannot be written', { skip, timeout: 300_000 }, () => {
  it(
    'says so if that happens while a page is open, and changes nothing',
    { skip: NO_READ_ONLY },
    async (t) => {
      const app = await serve(t);
      const reader = await openReader(t, { expects: UNAVAILABLE });
      const { page } = reader;
      await signIn(reader, app);
      const link = await app.link();
      await page.goto(app.at('settings/access'));
      await page.getByText('No keys yet').waitFor();
      const unlock = lock(t, dirname(app.database));
      await createKey(page, 'too late');
      await page.getByRole('alert').getByText(CANNOT_WRITE).waitFor();
      await checkScreen(page, 'read-only, in a dialog');
      await page.getByRole('button', { name: 'Cancel' }).click();

      await page.reload();
      await page.getByText('The database is read-only now.').waitFor();
      assert.ok(await page.getByRole('button', { name: 'New key' }).isDisabled());
      await page.getByText('No keys yet').waitFor();
      await checkScreen(page, 'read-only');
      await page.goto(app.at('settings/devices'));
      await page.getByText('This browser', { exact: true }).waitFor();
      for (const name of ['Sign in another device', 'Set password'])
        assert.ok(await page.getByRole('button', { name }).isDisabled(), name);
      await page.getByRole('link', { name: 'Memories' }).first().click();
      await page.getByRole('link', { name: /Voice memo/ }).click();
      await page.locator('#L1').waitFor();

      const other = await openReader(t, { expects: UNAVAILABLE });
      await other.page.goto(link);
      await other.page.getByRole('button', { name: /^Sign in as/ }).click();
      await other.page.getByRole('alert').getByText(CANNOT_WRITE).waitFor();
      unlock();
      await other.page.getByRole('button', { name: /^Sign in as/ }).click();
      await other.page.getByRole('link', { name: /Voice memo/ }).waitFor();
      await page.goto(app.at('settings/access'));
      await createKey(page, 'in time');
      issued(await page.getByRole('textbox', { name: 'API key' }).inputValue());
      assert.deepEqual([reader.faults, other.faults], [[], []]);
    },
  );

  it('says why nobody can sign out, and stays signed in', { skip: NO_READ_ONLY }, async (t) => {
    const app = await serve(t);
    const reader = await openReader(t, { expects: UNAVAILABLE });
    const { page } = reader;
    await signIn(reader, app);
    lock(t, dirname(app.database));
    await signOut(page);
    await page.getByRole('alert').getByText(CANNOT_WRITE).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('link', { name: /Voice memo/ }).click();
    await page.locator('#L1').waitFor();
    assert.deepEqual(reader.faults, []);
  });

  it('says that another program is writing, and one more press makes one key', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t, { expects: UNAVAILABLE });
    const { page } = reader;
    await signIn(reader, app, { path: 'settings/access' });
    await page.getByText('No keys yet').waitFor();
    const other = new Database(app.database);
    t.after(() => other.close());
    other.exec('BEGIN IMMEDIATE');
    await createKey(page, 'patient');
    const said = page.getByText(
      'Another program is writing to the database, so nothing was changed',
    );
    await said.waitFor();
    await page.goto(app.at('m/2026-11-18-memo-milk'));
    await page.locator('#L1').waitFor(); // reads do not wait
    await page.goto(app.at('settings/access'));
    other.exec('COMMIT');
    await createKey(page, 'patient');
    issued(await page.getByRole('textbox', { name: 'API key' }).inputValue());
    await page.getByRole('button', { name: 'Copy' }).nth(1).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.locator('.items li', { hasText: /patient/ }).waitFor();
    assert.equal(await page.locator('.items li', { hasText: /patient/ }).count(), 1);
    assert.deepEqual(reader.faults, []);
  });
});
