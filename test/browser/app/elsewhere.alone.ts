// What ends when the reader is elsewhere by then, and what another tab has changed: nobody is moved, and nothing is lost.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';

import { createLaterChanges } from '../../support/app/later-changes.ts';
import { openReader, serve, signIn, skip } from './page.ts';

/** A reader of a gateway whose app edits and deletes. */
async function openEditing(t: TestContext, zone = 'Europe/Berlin') {
  const { changes, open } = createLaterChanges(t);
  const app = await serve(t, { app: { changes } });
  open(app.database);
  const reader = await openReader(t, { locale: 'en-GB', timezoneId: zone });
  await signIn(reader, app);
  return { ...reader, app };
}

const MEMO = '2026-11-18-memo-milk';

describe('The app', { skip, timeout: 300_000 }, () => {
  it('leaves a reader who has gone back where they are when their memory is deleted, and shows its return in the bin', async (t) => {
    const { page, app, faults } = await openEditing(t);
    await page.goto(app.at('people'));
    await page.getByRole('link', { name: 'Memories', exact: true }).click();
    await page.locator(`a[href$="${MEMO}"]`).click();
    await page.locator('.reader-bar').getByRole('button', { name: 'More' }).click();
    const held = Promise.withResolvers<void>();
    await page.route('**/v1/deletions', async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('Deleting…').waitFor();
    await page.keyboard.press('u');
    await page.getByRole('heading', { name: 'Memories', level: 1 }).waitFor();
    held.resolve();
    await page.getByText(/^“.+” moved to the bin\./).waitFor({ timeout: 90_000 });
    await page.locator(`a[href$="${MEMO}"]`).waitFor({ state: 'detached' });
    assert.equal(page.url(), app.at());

    await page.getByRole('link', { name: 'Bin' }).click();
    await page.locator('.items li').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('The bin is empty.').waitFor({ timeout: 90_000 });
    assert.deepEqual(faults, []);
  });

  it('leaves a reader where they are when the new name of a person is undone, and says why if it is not', async (t) => {
    const { page, app } = await openEditing(t);
    await page.goto(app.at('people/Henrik'));
    await page.getByRole('button', { name: 'Rename or merge' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Hendrik');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Hendrik', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Calendar', exact: true }).click();
    await page.getByRole('heading', { name: /^Calendar/, level: 1 }).waitFor();
    const path = '**/v1/edits/**';
    await page.route(path, (route) =>
      route.fulfill({ status: 503, json: { status: 503, detail: 'Not now.' } }),
    );
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Not now.').waitFor();
    await page.unroute(path);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText(/“Henrik” is/).waitFor({ state: 'detached' });
    assert.equal(await page.getByText('Not now.').count(), 0);
    await page.getByRole('heading', { name: /^Calendar/, level: 1 }).waitFor();

    await page.goto(app.at('people/Henrik'));
    await page.getByRole('button', { name: 'Rename or merge' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Hendrik');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Hendrik', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('heading', { name: 'Henrik', level: 1 }).waitFor();
  });

  it('shows the note that another tab has written before somebody changes it', async (t) => {
    const { page, context, app, faults } = await openEditing(t);
    const read = page.waitForResponse(/\/bookmarks$/);
    await page.goto(app.at(`m/${MEMO}`));
    await read;
    const posted = await context.request.post(app.at(`v1/bookmarks/${MEMO}`), {
      headers: { origin: new URL(app.at()).origin },
      data: { is_starred: false, note: 'Bought.' },
    });
    assert.ok(posted.ok());
    await page.locator('.reader-bar').getByRole('button', { name: 'More' }).click();
    await page.getByRole('button', { name: 'Add a note' }).click();
    assert.equal(await page.getByRole('dialog').getByRole('textbox').inputValue(), 'Bought.');
    assert.deepEqual(faults, []);
  });

  it('has the today of the reader as the first day on which a key can end', async (t) => {
    const { page, app } = await openEditing(t, 'America/Sao_Paulo');
    await page.clock.setFixedTime('2026-12-01T01:00:00Z');
    await page.goto(app.at('settings/access'));
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('Expires').selectOption('on a date');
    assert.equal(await page.getByLabel('Last day').getAttribute('min'), '2026-11-30');
  });

  it('names each person of a search in its request to the API', async (t) => {
    const { page, app, faults } = await openEditing(t);
    await page.goto(app.at('search?q=fridge&person=Mira&person=Smith%2C+Jo'));
    await page.getByRole('button', { name: 'Options' }).click();
    await page.getByText('As a request to the API').click();
    const command = await page.getByRole('textbox', { name: 'Command' }).inputValue();
    const { searchParams } = new URL(/'(.*)'/.exec(command)?.[1] ?? '');
    assert.deepEqual(searchParams.getAll('person'), ['Mira', 'Smith, Jo']);
    assert.deepEqual(faults, []);
  });
});
