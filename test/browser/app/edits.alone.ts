// Edits in a browser: a memory gets another name and start, a speaker a name, and both are undone.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';

import { prepareMemory } from '../../../src/store/import/memory-row.ts';
import { withFileWriterSync } from '../../../src/store/sqlite/writer.ts';
import { createLaterChanges } from '../../support/app/later-changes.ts';
import { person, readDetails } from '../../support/world/details.ts';
import { lastIfShort } from '../../support/world/thorough.ts';
import { memory } from '../../support/world/world.ts';
import { claim, startProgram } from './first-visit.ts';
import { checkScreen, openReader, put, serve, signIn, skip } from './page.ts';

const TALK = {
  id: 'talk',
  name: 'Recording 7',
  started_at: '2026-07-18T18:30:00.000Z',
  ended_at: '2026-07-18T18:31:00.000Z',
  is_processing: false,
  user_id: 'mira',
  duration_seconds: 60,
  summary: { quick_summary: '', key_takeaways: [] },
  transcript: 'Speaker 1: It hums.\nSpeaker 2: Since when?',
};

/** A gateway whose app edits. */
async function serveEditing(t: TestContext) {
  const { changes, open } = createLaterChanges(t);
  const app = await serve(t, { app: { changes } });
  open(app.database);
  put(app, TALK);
  return app;
}

describe('An edit in the app', { skip, timeout: 120_000 }, () => {
  for (const width of lastIfShort([1280, 390]))
    it(`renames a memory, moves its start and names a speaker, and is undone, at ${width} px`, async (t) => {
      const app = await serveEditing(t);
      const reader = await openReader(t, {
        locale: 'en-GB',
        timezoneId: 'Europe/Berlin',
        viewport: { width, height: 800 },
      });
      const { page, faults } = reader;
      await signIn(reader, app, { path: 'm/talk' });
      const choose = async (name: string) => {
        await page.locator('.reader-bar').getByRole('button', { name: 'More' }).click();
        await page.getByRole('button', { name, exact: true }).click();
      };
      const dialog = page.getByRole('dialog');
      const heading = (name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();
      await heading('Recording 7');

      await choose('Rename');
      await checkScreen(page, 'the dialog for a name');
      assert.equal(await dialog.getByLabel('Start').count(), 0, 'it changes nothing but the name');
      await page.keyboard.type('The noise in the fridge'); // replaces the name
      await page.keyboard.press('Enter');
      await page.getByText('Memory changed.').waitFor();
      await heading('The noise in the fridge');
      await page.getByRole('button', { name: 'Undo' }).click();
      await heading('Recording 7');

      await choose('Change the start');
      assert.equal(await dialog.getByLabel('Start').inputValue(), '2026-07-18T20:30');
      await checkScreen(page, 'the dialog for a start');
      await dialog.getByLabel('Start').fill('2026-01-18T20:30');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.locator('time[datetime="2026-01-18T19:30:00.000Z"]').first().waitFor();
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.locator(`time[datetime="${TALK.started_at}"]`).first().waitFor();

      for (const name of ['Fridge', 'Freezer']) {
        await choose('Rename');
        await dialog.getByLabel('Name').fill(name);
        await dialog.getByRole('button', { name: 'Save' }).click();
        await heading(name);
      }
      await page.getByRole('button', { name: 'Undo' }).click();
      await heading('Fridge');

      await choose('Name a speaker');
      await dialog.getByLabel('Speaker', { exact: true }).selectOption('Speaker 2');
      await dialog.getByLabel('Name', { exact: true }).fill('Mira');
      await dialog.getByLabel('Everywhere').check();
      await checkScreen(page, 'the dialog for a speaker');
      await dialog.getByLabel('In this memory').check();
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.locator('.line', { hasText: 'Mira' }).waitFor();
      await checkScreen(page, 'the notice with Undo');
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.locator('.line', { hasText: 'Speaker 2' }).waitFor();

      await page.goto(app.at('settings/edits'));
      // Loaded anew, the app does not know the list.
      const item = page.locator('.items li', { hasText: '“Recording 7” → “Fridge”' });
      await item.getByRole('link', { name: 'Fridge' }).waitFor();
      await checkScreen(page, 'the edit of a name');
      await page.goto(app.at('settings/devices'));
      await page.getByText('1 memory edited').first().waitFor();
      await page.getByText('1 edit undone').first().waitFor();
      assert.deepEqual(faults, []);
    });

  it('is offered for a name that goes on in exactly one other, and makes both one person', async (t) => {
    const app = await serveEditing(t);
    const add = (id: string, name: string) =>
      withFileWriterSync(app.database, ({ memories }) => {
        const people = [person(name, { words: 1 }), person('Speaker 2', { words: 1 })];
        const own = memory({ id, transcript: `${name}: Garlic.\nSpeaker 2: Beans.` });
        memories.putReady([prepareMemory('mira', own, { read: readDetails({ people }) })]);
      });
    add('short', 'Abeo');
    add('long', 'Abeo Lawal');
    const reader = await openReader(t);
    const { page, faults } = reader;
    await signIn(reader, app, { path: 'people' });
    const asked = page.getByRole('button', { name: 'Same as Abeo Lawal?' });
    await asked.click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('heading', { name: 'Merge “Abeo” with “Abeo Lawal”' }).waitFor();
    await checkScreen(page, 'the question in the list of people');
    await dialog.getByRole('button', { name: 'Merge' }).click();
    await asked.waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'People', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await asked.waitFor();
    await page.goto(app.at('people/Abeo%20Lawal'));
    await page.getByRole('button', { name: 'Is Abeo the same person?' }).waitFor();
    await page.goto(app.at('people/Abeo'));
    await page.getByRole('button', { name: 'Is Abeo Lawal the same person?' }).click();
    assert.equal(await dialog.getByLabel('Name').inputValue(), 'Abeo Lawal');
    await dialog.getByText('Abeo will be one person with Abeo Lawal, in all memories').waitFor();
    await dialog.getByLabel('Name').fill('Abeo L');
    await dialog.getByRole('heading', { name: 'Rename “Abeo” everywhere' }).waitFor();
    await dialog.getByText('In all memories, and in those').waitFor();
    assert.equal(await dialog.getByRole('button', { name: 'Merge' }).count(), 0);
    await dialog.getByLabel('Name').fill('Abeo Lawal');
    await dialog.getByRole('heading', { name: 'Merge “Abeo” with “Abeo Lawal”' }).waitFor();
    await dialog.getByRole('button', { name: 'Merge' }).click();
    await page.getByRole('heading', { name: 'Abeo Lawal', level: 1 }).waitFor();
    await page.getByText(/^2 memories/).waitFor();
    const offer = page.getByRole('button', { name: /same person/ });
    assert.equal(await offer.count(), 0);
    // Also more than a first word, and what somebody has behind the name.
    add('office', 'Abeo Lawal (office)');
    await page.goto(app.at('people/Abeo%20Lawal%20(office)'));
    await page.getByRole('button', { name: 'Is Abeo Lawal the same person?' }).waitFor();
    // With two of them nobody knows who is meant.
    add('third', 'Bo');
    add('fourth', 'Bo Lund');
    add('fifth', 'Bo Madsen');
    await page.goto(app.at('people/Bo'));
    await page.getByRole('button', { name: 'Rename or merge' }).waitFor();
    assert.equal(await offer.count(), 0);
    // Both can be parted again.
    await page.goto(app.at('people/Abeo%20Lawal'));
    await page.getByText('Also imported as “Abeo”').waitFor();
    await page.getByRole('button', { name: 'Part' }).click();
    await page.getByRole('heading', { name: 'Abeo', level: 1 }).waitFor();
    await page.getByText(/^1 memory/).waitFor();
    // The name that more memories have is proposed for both.
    for (const [id, name] of Object.entries({ c1: 'Cy', c2: 'Cy', c3: 'Cy Holm' })) add(id, name);
    await page.goto(app.at('people/Cy%20Holm'));
    await page.getByRole('button', { name: 'Is Cy the same person?' }).click();
    await dialog.getByRole('heading', { name: 'Merge “Cy Holm” with “Cy”' }).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    // A label is who has no name yet.
    await page.goto(app.at('m/long'));
    await page.locator('.reader-bar').getByRole('button', { name: 'More' }).click();
    await page.getByRole('button', { name: 'Name a speaker' }).click();
    assert.equal(await dialog.getByLabel('Speaker').inputValue(), 'Speaker 2');
    assert.deepEqual(faults, []);
  });

  it('makes two people one, stands in the list of edits, and is undone there', async (t) => {
    const { page, faults } = await claim(t, await startProgram(t));
    const base = page.url().replace(/start$/, '');
    await page.getByRole('link', { name: 'See sample memories' }).click();
    await page.getByRole('link', { name: /Voice memo/ }).waitFor();
    await page.goto(`${base}people/Henrik`);
    await page.getByRole('button', { name: 'Rename or merge' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Rename or merge' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Parveen');
    await page.getByRole('button', { name: 'Merge', exact: true }).waitFor();
    await checkScreen(page, 'the dialog for a person');
    await page.getByRole('button', { name: 'Merge', exact: true }).click();
    await page.getByRole('heading', { name: 'Parveen', level: 1 }).waitFor();
    await page.goto(`${base}people`);
    await page.locator('.person-row', { hasText: 'Parveen' }).waitFor();
    assert.equal(await page.locator('.person-row', { hasText: 'Henrik' }).count(), 0);

    await page.goto(`${base}settings/edits`);
    await page
      .locator('.items li', { hasText: /“Henrik” → “Parveen”.*in all memories/s })
      .waitFor();
    await checkScreen(page, 'the list of edits');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('No edits yet.').waitFor();
    await page.goto(`${base}people`);
    await page.locator('.person-row', { hasText: 'Henrik' }).waitFor();
    assert.deepEqual(faults, []);
  });

  it('is not offered where the app is read-only', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t);
    await signIn(reader, app, { path: 'm/2026-11-19-standup' });
    await reader.page.getByRole('button', { name: 'More' }).click();
    await reader.page.getByRole('button', { name: 'Print', exact: true }).waitFor();
    assert.equal(await reader.page.getByRole('button', { name: 'Rename' }).count(), 0);
  });
});
