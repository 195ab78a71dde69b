// Details of the screens in Chromium: what is not known, what lasts for days, names that are still read, and forced colours.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { memory } from '../../support/world/world.ts';
import { checkScreen, openReader, put, serve, signIn, skip } from './page.ts';

const MILK = { id: 'milk', name: 'Milk', started_at: '2026-11-20T14:00:00.000Z' };

describe('The screens', { skip, timeout: 300_000 }, () => {
  it('leave out a length and an end that are not known, and wait for no transcript', async (t) => {
    const app = await serve(t);
    put(app, memory({ ...MILK, ended_at: MILK.started_at, transcript: '' }));
    const reader = await openReader(t, { timezoneId: 'UTC' });
    const { page, faults } = reader;
    await signIn(reader, app, { path: 'days/2026-11-20' });
    await page.getByRole('link', { name: /Milk/ }).click();
    await page.getByText('No transcript.').waitFor();
    assert.equal(await page.locator('.when').textContent(), 'Friday, November 20, 2026, 2:00 PM');
    for (const path of ['', 'days/2026-11-20', 'calendar/2026']) {
      await page.goto(app.at(path));
      await page
        .getByText(/Milk|memories, /)
        .first()
        .waitFor();
      assert.equal(await page.getByText(/\b0 s\b/).count(), 0, path);
    }
    assert.deepEqual(faults, []);
  });

  it('name the half of the day once for a recording within it', async (t) => {
    const app = await serve(t);
    const ends = { half: '2026-11-20T14:16:00.000Z', noon: '2026-11-20T14:30:00.000Z' };
    put(app, memory({ ...MILK, ended_at: ends.half, duration_seconds: 960 }));
    const noon = { id: 'noon', started_at: '2026-11-20T11:30:00.000Z', duration_seconds: 10_800 };
    put(app, memory({ ...MILK, ...noon, ended_at: ends.noon }));
    const reader = await openReader(t, { locale: 'en-US', timezoneId: 'UTC' });
    const { page, faults } = reader;
    await signIn(reader, app, { path: 'm/milk' });
    await page.getByText('2:00–2:16 PM').waitFor();
    await page.goto(app.at('m/noon'));
    await page.getByText('11:30 AM–2:30 PM').waitFor();
    // A phone shows the start alone.
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(app.at('m/milk'));
    await page.getByText('2:00 PM', { exact: false }).first().waitFor();
    assert.match(await page.locator('.when').innerText(), /2026, 2:00 PM · 16 min/);
    assert.deepEqual(faults, []);
  });

  it('say until when a recording of six days lasted', async (t) => {
    const app = await serve(t);
    const duration_seconds = 5 * 86_400 + 3600;
    put(app, memory({ ...MILK, ended_at: '2026-11-25T15:00:00.000Z', duration_seconds }));
    const reader = await openReader(t, { timezoneId: 'UTC' });
    const { page, faults } = reader;
    await signIn(reader, app);
    const row = page.getByRole('link', { name: /Milk/ });
    await row.getByText('until Wed, Nov 25').waitFor();
    await row.click();
    await page.getByText('–Wednesday, November 25, 2026, 3:00 PM · 121 h').waitFor();
    assert.deepEqual(faults, []);
  });

  it('show no ids in the place of names that are still read', async (t) => {
    const app = await serve(t);
    const all = Array.from({ length: 60 }, (_, i) =>
      memory({ id: `old-${i}`, name: `Old ${i}`, started_at: '2019-01-01T10:00:00.000Z' }),
    );
    put(app, ...all);
    const reader = await openReader(t);
    const { page, context, faults } = reader;
    await signIn(reader, app);
    const release = Promise.withResolvers<undefined>();
    await context.route(/\/v1\/memories/, async (route) => {
      await release.promise;
      await route.continue();
    });
    await page.goto(app.at('changes?since=all'));
    await page
      .getByRole('button', { name: /^\d+ memories imported$/ })
      .first()
      .click();
    await page.locator('.change').nth(49).waitFor();
    assert.equal(await page.locator('.change code').count(), 0);
    release.resolve(undefined);
    await page
      .getByRole('link', { name: /^Old \d+$/ })
      .first()
      .waitFor();
    assert.deepEqual(faults, []);
  });

  it('are dark from the first paint on if dark colours are chosen on a light system', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t, { colorScheme: 'light' });
    const { page, context, faults } = reader;
    await signIn(reader, app, { path: 'settings/reading' });
    await page.getByLabel('Dark', { exact: true }).check();
    const release = Promise.withResolvers<undefined>();
    await context.route(/\/app-\w+\.js$/, async (route) => {
      await release.promise;
      await route.continue();
    });
    await page.reload({ waitUntil: 'commit' });
    await page.waitForFunction(() => document.styleSheets.length > 0);
    const color = () =>
      page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    assert.equal(await color(), 'rgb(22, 25, 29)', 'before the script');
    release.resolve(undefined);
    await page.getByLabel('As the system').check();
    assert.deepEqual(
      (await context.cookies()).filter(({ name }) => name === 'memories-theme'),
      [],
    );
    assert.equal(await color(), 'rgb(251, 250, 247)');
    assert.deepEqual(faults, []);
  });

  it('keep what is chosen in another tab when something else is chosen in this one', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t);
    const { page, context, faults } = reader;
    await signIn(reader, app, { path: 'settings/reading' });
    const other = await context.newPage();
    await other.goto(app.at('settings/reading'));
    await page.getByLabel('Wide', { exact: true }).check();
    await other.getByLabel('Sans serif', { exact: true }).check();
    await page.reload();
    for (const name of ['Wide', 'Sans serif'])
      assert.ok(await page.getByLabel(name, { exact: true }).isChecked(), name);
    assert.deepEqual(faults, []);
  });

  it('say what to do if an update has removed the script of a screen, and go on after a reload', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t, { expects: /404/ });
    const { page, context, faults } = reader;
    const later = /\/(?!app-)[\w-]+\.js$/;
    await context.route(later, async (route) => route.fulfill({ status: 404, body: '' }));
    await signIn(reader, app);
    await page.getByRole('link', { name: 'Calendar' }).click();
    await page.getByText('There is no connection, or the app was updated.').waitFor();
    await checkScreen(page, 'a screen without its script');
    await context.unroute(later);
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByRole('heading', { name: /^Calendar \d{4}$/ }).waitFor();
    assert.deepEqual(faults, []);
  });

  it('ask before they sign somebody out who could not come back', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t);
    const { page, faults } = reader;
    await signIn(reader, app);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('This account has no passkey and no password.').waitFor();
    await checkScreen(page, 'the question');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('link', { name: /Voice memo/ }).waitFor();
    assert.deepEqual(faults, []);
  });

  it('mark only the current link in forced colours', async (t) => {
    const app = await serve(t);
    for (const width of [1280, 390]) {
      const reader = await openReader(t, {
        forcedColors: 'active',
        viewport: { width, height: 800 },
      });
      const { page, faults } = reader;
      await signIn(reader, app, { path: 'calendar/2025' });
      await page.getByText('No memories in this year').waitFor();
      for (const nav of ['Main', 'Days']) {
        const marks = await page
          .getByRole('navigation', { name: nav })
          .getByRole('link')
          .evaluateAll((links) =>
            links.map((link) => {
              const { borderBlockEndColor, borderInlineStartColor, borderInlineStartWidth } =
                getComputedStyle(link);
              const color =
                borderInlineStartWidth === '0px' ? borderBlockEndColor : borderInlineStartColor;
              const canvas = getComputedStyle(document.documentElement).backgroundColor;
              return [link.hasAttribute('aria-current'), color !== canvas] as const;
            }),
          );
        assert.ok(
          marks.some(([isCurrent]) => isCurrent),
          nav,
        );
        for (const [isCurrent, isMarked] of marks) assert.equal(isMarked, isCurrent, nav);
      }
      assert.deepEqual(faults, []);
    }
  });

  it('darken all of the page behind a dialog, also beside it where a scroll bar would be', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t);
    const { page, faults } = reader;
    await signIn(reader, app, { path: 'settings/about' });
    const gutter = () =>
      page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const before = await gutter();
    await page.getByRole('button', { name: 'Keyboard' }).click();
    await page.getByRole('dialog').waitFor();
    assert.notEqual(await gutter(), before);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.equal(await gutter(), before);
    assert.deepEqual(faults, []);
  });
});
