// Stars and notes in a browser: given in the reader, seen in the list, and found together on one page.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import Database from 'better-sqlite3';

import { checkScreen, openReader, serve, signIn, skip } from './page.ts';

describe('A star and a note', { skip, timeout: 300_000 }, () => {
  it('are given in the reader, shown in the list and on the page Starred, and taken away again', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t, { locale: 'en-US' });
    const { page, faults } = reader;
    await signIn(reader, app, { path: 'starred' });
    await page.getByText('Nothing yet').waitFor();
    await checkScreen(page, 'no stars');

    await page.goto(app.at('m/2026-11-19-standup'));
    const star = page.getByRole('button', { name: 'Star' });
    await star.waitFor();
    assert.equal(await star.getAttribute('aria-pressed'), 'false');
    await page.keyboard.press('s');
    await page.locator('.star[aria-pressed=true]').waitFor();
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('button', { name: 'Add a note' }).click();
    const field = page.getByRole('textbox', { name: /^Only you see it/ });
    const { height = 0 } = (await field.boundingBox()) ?? {};
    assert.ok(height > 120, `${height} px are no text of several lines`);
    await field.fill('Ask Henrik.\n<b>Twice</b>.');
    await page.keyboard.press('Control+Enter');
    await page.getByText('<b>Twice</b>.').waitFor();
    await checkScreen(page, 'a memory with a note');
    await page.emulateMedia({ media: 'print' });
    assert.equal(
      await page.locator('.own-note').isVisible(),
      false,
      'nobody else sees it on paper',
    );
    await page.emulateMedia({ media: 'screen' });

    await page.goto(app.at());
    const row = page.locator('a.row', { hasText: 'Stand-up: 2.8.3' });
    await row.getByRole('img', { name: 'Starred' }).waitFor();
    assert.equal(await page.getByRole('img', { name: 'Starred' }).count(), 1);
    await page.getByRole('link', { name: 'Starred', exact: true }).click();
    await page.getByRole('heading', { name: 'Starred', level: 1 }).waitFor();
    await page.getByText('Ask Henrik.').waitFor();
    assert.equal(await page.locator('a.row').count(), 1);
    const [name, note] = await Promise.all(
      ['.row .title', '.own-note'].map((each) => page.locator(each).boundingBox()),
    );
    assert.equal(note?.x, name?.x, 'the note is below the name');
    await checkScreen(page, 'a star');

    await page.keyboard.press('j');
    await page.keyboard.press('o');
    await page.locator('.star[aria-pressed=true]').click();
    await page.locator('.star[aria-pressed=false]').waitFor();
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('button', { name: 'Change your note' }).click();
    await field.fill('  ');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('.own-note').waitFor({ state: 'detached' });
    await page.goto(app.at('starred'));
    await page.getByText('Nothing yet').waitFor();
    assert.deepEqual(faults, []);
  });

  it('are shown by star or note alone, as the address says', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t, { locale: 'en-US' });
    const { page, context, faults } = reader;
    await signIn(reader, app);
    const marks = [
      { id: '2026-11-16-standup', is_starred: true, note: '' },
      { id: '2026-11-18-memo-milk', is_starred: false, note: 'Bought.' },
      { id: '2026-11-19-standup', is_starred: true, note: 'Ask Henrik.' },
    ];
    for (const { id, ...data } of marks) {
      const { origin } = new URL(app.at());
      await context.request.post(app.at(`v1/bookmarks/${id}`), { headers: { origin }, data });
    }
    await page.goto(app.at('starred'));
    const shows = (...expected: string[]) =>
      page.waitForFunction(
        (wanted) =>
          String(
            Array.from(document.querySelectorAll('a.row .at'), (at) =>
              at.getAttribute('datetime')?.slice(8, 10),
            ),
          ) === wanted,
        String(expected),
      );
    await shows('19', '18', '16');
    await page.getByRole('link', { name: 'Notes' }).click();
    await shows('19', '18');
    await page.getByRole('link', { name: 'Stars' }).click();
    await shows('19', '16');
    await checkScreen(page, 'stars alone');
    await page.reload();
    await shows('19', '16');
    assert.deepEqual(faults, []);
  });

  it('keep each other, also if the star is given before the note is read', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t, { locale: 'en-US' });
    const { page, faults } = reader;
    await signIn(reader, app, { path: 'm/2026-11-19-standup' });
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('button', { name: 'Add a note' }).click();
    await page.getByRole('textbox', { name: /^Only you see it/ }).fill('Ask Henrik.');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Ask Henrik.').waitFor();

    const { promise: pressed, resolve: goOn } = Promise.withResolvers<void>();
    await page.route('**/app/v1/bookmarks', async (route) => {
      await pressed;
      await route.continue();
    });
    await page.reload();
    await page.locator('.star[aria-pressed=false]').waitFor();
    assert.equal(await page.getByText('Ask Henrik.').isVisible(), false);
    await page.keyboard.press('s');
    goOn();
    await page.locator('.star[aria-pressed=true]').waitFor();
    await page.reload();
    await page.locator('.star[aria-pressed=true]').waitFor();
    await page.getByText('Ask Henrik.').waitFor();
    assert.deepEqual(faults, []);
  });

  it('are found on the page Starred beside those of a damaged memory, which fails nothing', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t, { locale: 'en-US', expects: /500/ });
    const { page, faults } = reader;
    await signIn(reader, app);
    for (const id of ['2026-11-19-standup', '2026-11-18-memo-milk']) {
      await page.goto(app.at(`m/${id}`));
      await page.locator('#L1').waitFor();
      await page.keyboard.press('s');
      await page.locator('.star[aria-pressed=true]').waitFor();
    }
    const db = new Database(app.database);
    db.exec(
      `UPDATE memories SET slim_sha256 = hex(zeroblob(32)) WHERE id = '2026-11-18-memo-milk'`,
    );
    db.close();
    await page.goto(app.at('starred'));
    await page.locator('a.row', { hasText: 'Stand-up: 2.8.3' }).waitFor();
    await page.getByText('This memory is damaged').waitFor();
    assert.equal(await page.locator('.row').count(), 2);
    await checkScreen(page, 'a star of a damaged memory');
    assert.deepEqual(faults, []);
  });
});
