// Sources: an owner adds a product by keyboard, the server pulls from it, and the page says how it went.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';

import { createLimitless } from '../../support/sources/lifelogs.ts';
import { SECRET } from '../../support/sources/pulls.ts';
import { newFolder } from '../../support/world/artifacts.ts';
import { claim, startProgram } from './first-visit.ts';
import { checkScreen, type openReader, skip } from './page.ts';

/** Opens the Sources page of a new program. */
async function openSources(
  t: TestContext,
  { folder, ...options }: Parameters<typeof openReader>[1] & { readonly folder?: string } = {},
) {
  const reader = await claim(t, await startProgram(t, folder), options);
  const { page } = reader;
  await page.getByRole('link', { name: 'Add a source' }).click();
  await page.getByRole('heading', { name: 'Sources' }).waitFor();
  return reader;
}

describe('The Sources page', { skip, timeout: 180_000 }, () => {
  it('adds a product by keyboard, pulls from it, and shows what came and what failed', async (t) => {
    const { source } = await createLimitless(t);
    const { page, faults } = await openSources(t, { expects: /422/ });
    await page.getByText('No sources yet.').or(page.getByText('Watched folder')).waitFor();
    await checkScreen(page, 'no product yet');
    await page.getByRole('button', { name: 'Limitless lifelogs' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Add Limitless lifelogs' });
    await page.keyboard.type('sk-wrong'); // the key is what it begins with
    await dialog.getByText('From the developer settings of app.limitless.ai.').waitFor();
    await dialog.getByText('If you host it yourself').click();
    await dialog.getByLabel('Address').fill(source.url);
    await checkScreen(page, 'the form');
    await page.keyboard.press('Enter');
    await dialog.getByText('The product refuses this key (401); enter it as').waitFor();
    await checkScreen(page, 'a wrong key');
    await dialog.getByLabel('Key').fill(SECRET);
    await page.keyboard.press('Enter');
    await page.getByText(/every hour · last run just now · 4 new/).waitFor();
    await page.getByRole('button', { name: 'Change' }).click();
    const change = page.getByRole('dialog', { name: /^Change “Limitless lifelogs at / });
    assert.equal(await change.getByLabel('Key').inputValue(), '', 'the key is not shown again');
    await change.getByLabel('Key').fill(SECRET);
    await change.getByLabel('Import what is new').selectOption('every 15 minutes');
    await page.keyboard.press('Enter');
    await page.getByText(/every 15 minutes · last run just now · nothing new/).waitFor();
    await checkScreen(page, 'a source');
    await page.getByRole('button', { name: 'Sync now' }).click();
    await page.getByText(/last run just now · nothing new/).waitFor();
    await page.getByRole('button', { name: 'Limitless lifelogs' }).click();
    await page.keyboard.type(SECRET);
    await dialog.getByText('If you host it yourself').click();
    await dialog.getByLabel('Address').fill('http://127.0.0.1:9');
    await page.keyboard.press('Enter');
    await page.getByText('because its address cannot be reached now').waitFor();
    await page.locator('.items li').filter({ hasText: '127.0.0.1:9' }).waitFor();
    await page.getByRole('button', { name: 'Remove' }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('not set up here').waitFor();
    await page.getByRole('link', { name: 'Memories', exact: true }).first().click();
    await page.getByRole('link', { name: /Walk d/ }).waitFor();
    assert.deepEqual(faults, []);
  });

  it('says of a watched folder when it was looked into, and which files it could not read', async (t) => {
    const folder = newFolder();
    const { page, faults } = await openSources(t, { folder });
    writeFileSync(join(folder, 'inbox', 'a.json'), '{"a":');
    await page.getByText(/looked .* · 1 not imported/).waitFor();
    const place = page.getByLabel('Put exports here');
    assert.equal(await place.inputValue(), join(folder, 'inbox'));
    await page.getByText('What was not read').click();
    await page.getByText(/^a\.json, item 1: it is not JSON, or breaks off/).waitFor();
    await checkScreen(page, 'a watched folder');
    // It is no change, so Changes leads here.
    await page.getByRole('link', { name: /^Changes/ }).click();
    await page.getByRole('link', { name: 'A source has a problem' }).click();
    await page.getByText('What was not read').waitFor();
    assert.deepEqual(faults, []);
  });

  it('fits a phone in dark colours', async (t) => {
    const { page, faults } = await openSources(t, {
      viewport: { width: 390, height: 844 },
      colorScheme: 'dark',
    });
    await page.locator('.tiles').getByRole('button').first().click();
    await page.getByRole('dialog').getByLabel('Key').fill('sk-wrong');
    await checkScreen(page, 'the form on a phone');
    assert.deepEqual(faults, []);
  });
});
