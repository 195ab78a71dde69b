// Sources: an owner adds a product by keyboard, the server pulls from it, and the page says how it went.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';

import { createLimitless } from '../../support/sources/lifelogs.ts';
import { SECRET } from '../../support/sources/pulls.ts';
import { issued, newFolder } from '../../support/world/artifacts.ts';
import { freePort } from '../../support/world/free-port.ts';
import { startProcess, stop, waitFor } from '../../support/world/program.ts';
import { checkScreen, openReader, skip } from './page.ts';

/** Starts the program in a new folder, and opens its Sources page. */
async function openSources(t: TestContext, options: Parameters<typeof openReader>[1] = {}) {
  const program = startProcess([
    'start',
    newFolder(),
    '--no-open',
    '--port',
    String(await freePort()),
  ]);
  t.after(() => stop(program));
  const said = await waitFor(program, 'stdout', /Ctrl\+C/);
  const [, link = ''] = /^ {2}(http:\S+)$/m.exec(said) ?? [];
  issued(new URL(link).hash.slice(1));
  const reader = await openReader(t, options);
  const { page, context } = reader;
  await page.goto(link);
  await page.getByLabel('Your name').fill('Mira');
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByRole('link', { name: 'Add a source' }).click();
  for (const { value } of await context.cookies()) issued(value);
  await page.getByRole('heading', { name: 'Sources' }).waitFor();
  return reader;
}

describe('The Sources page', { skip, timeout: 180_000 }, () => {
  it('adds a product by keyboard, pulls from it, and shows what came and what failed', async (t) => {
    const { source } = await createLimitless(t);
    const { page, faults } = await openSources(t);
    await page.getByText('No sources yet.').or(page.getByText('watched folder')).waitFor();
    await checkScreen(page, 'no product yet');
    await page.getByRole('button', { name: 'Add a source' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Add a source' });
    await dialog.getByLabel('Product').selectOption('Limitless lifelogs');
    await dialog.getByLabel('Address').fill(source.url);
    await dialog.getByLabel('Key').fill('sk-wrong');
    await checkScreen(page, 'the form');
    await page.keyboard.press('Enter');
    await page.getByText('limitless refuses the credential (401); enter a valid one').waitFor();
    await checkScreen(page, 'a wrong key');
    await page.getByRole('button', { name: 'Change' }).click();
    const change = page.getByRole('dialog', { name: /^Change “Limitless lifelogs at / });
    assert.equal(await change.getByLabel('Key').inputValue(), '', 'the key is not shown again');
    await change.getByLabel('Key').fill(SECRET);
    await change.getByLabel('Import what is new').selectOption('every 15 minutes');
    await page.keyboard.press('Enter');
    await page.getByText(/every 15 minutes · last run just now · 4 new/).waitFor();
    await checkScreen(page, 'a source');
    await page.getByRole('button', { name: 'Sync now' }).click();
    await page.getByText(/last run just now · nothing new/).waitFor();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('not set up here').waitFor();
    await page.getByRole('link', { name: 'Memories', exact: true }).first().click();
    await page.getByRole('link', { name: /Walk d/ }).waitFor();
    assert.deepEqual(faults, []);
  });

  it('fits a phone in dark colours', async (t) => {
    const { page, faults } = await openSources(t, {
      viewport: { width: 390, height: 844 },
      colorScheme: 'dark',
    });
    await page.getByRole('button', { name: 'Add a source' }).click();
    await page.getByRole('dialog').getByLabel('Key').fill('sk-wrong');
    await checkScreen(page, 'the form on a phone');
    assert.deepEqual(faults, []);
  });
});
