// The app in a browser when something fails: the gateway is gone or slow, a memory is damaged, another tab signs out.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { checkScreen, openReader, serve, signIn, signOut, skip } from './page.ts';

describe('The app when something fails', { skip, timeout: 300_000 }, () => {
  it('keeps what is on the screen when the gateway stops, says so, and goes on when it is back', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t, { expects: /ERR_/ });
    const { page, faults } = reader;
    await signIn(reader, app);
    const row = page.getByRole('link', { name: /Voice memo/ });
    await row.waitFor();
    await app.stop();
    await row.click();
    await page.getByText('No connection. Trying again').waitFor();
    await checkScreen(page, 'lost');
    await page.goBack();
    await row.waitFor(); // the list was read before
    await page.goForward();
    await app.restart();
    await page.locator('#L1').waitFor({ timeout: 40_000 }); // without a click
    assert.equal(await page.getByText('No connection. Trying again').count(), 0);
    assert.deepEqual(faults, []);
  });

  it('says so beside the find bar, which stays in sight as well', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t, { expects: /ERR_/ });
    const { page, faults } = reader;
    await signIn(reader, app);
    await page.getByRole('link', { name: /Voice memo/ }).click();
    await page.locator('#L1').waitFor();
    await page.keyboard.press('f');
    await page.locator('.find input').fill('milk');
    await app.stop();
    await page.getByText('No connection. Trying again').waitFor({ timeout: 90_000 });
    for (const width of [1200, 360]) {
      await page.setViewportSize({ width, height: 500 });
      // As far below the top as in a long memory.
      await page
        .locator('.lines')
        .evaluate((lines) => (lines as HTMLElement).style.setProperty('padding-bottom', '3000px'));
      await page.mouse.wheel(0, 1500);
      await page.waitForFunction(() => scrollY > 1000);
      const bar = await page.locator('.bar').boundingBox();
      const find = await page.locator('.find').boundingBox();
      assert.ok(bar !== null && bar.y >= 0 && bar.y < 20, `${width}: the bar`);
      assert.ok(
        find !== null && find.y >= bar.y + bar.height - 1 && find.y < 200,
        `${width}: the find bar`,
      );
      await page.evaluate(() => scrollTo(0, 0));
    }
    assert.deepEqual(faults, []);
  });

  it('starts when the gateway is back, if it was not there at first', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t, { expects: /ERR_|50[23]/ });
    const { page, faults } = reader;
    await signIn(reader, app);
    await page.route('**/app/v1/**', (route) => route.abort());
    await page.reload();
    await page.getByText('No connection. Trying again').first().waitFor();
    await page.unroute('**/app/v1/**');
    await page.getByRole('link', { name: /Voice memo/ }).waitFor({ timeout: 40_000 });
    assert.deepEqual(faults, []);
  });

  it('shows the sentence of the gateway for a memory that cannot be read, and tries again', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t, { expects: /500/ });
    const { page, faults } = reader;
    await signIn(reader, app);
    const detail = 'The memory is damaged. Run memory-gateway verify.';
    await page.route('**/v1/memories/*', (route) =>
      route.fulfill({ status: 500, json: { detail }, headers: { 'x-request-id': 'request-7' } }),
    );
    await page.getByRole('link', { name: /Voice memo/ }).click();
    await page.getByText(detail).waitFor();
    await page.getByText('Request request-7').waitFor();
    await checkScreen(page, 'a damaged memory');
    await page.unroute('**/v1/memories/*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('#L1').waitFor();
    await page.locator('h1:focus').waitFor();
    assert.deepEqual(faults, []);
  });

  it('returns to a heading that had the focus, and opens beside a history that another script wrote', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t);
    const { page, faults } = reader;
    await signIn(reader, app);
    await page.getByRole('link', { name: /Voice memo/ }).click();
    await page.locator('h1:focus').waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('c');
    await page.waitForURL(/calendar/);
    await page.goBack();
    await page.getByRole('heading', { name: 'Voice memo', level: 1 }).waitFor();
    await page.locator('h1:focus').waitFor();
    for (const anchor of [
      7,
      { id: 7, at: 'x', row: 'y' },
      { id: 'a', at: 'x', row: 1, below: 1 },
    ]) {
      await page.goto(app.at(''));
      await page.getByRole('link', { name: /Voice memo/ }).waitFor();
      // The page keeps its own place when it goes, so the other script writes last.
      await page.evaluate(
        (state) => {
          addEventListener('pagehide', () => history.replaceState(state, ''));
        },
        { y: 0, depth: 'x', focus: {}, anchor },
      );
      await page.reload();
      await page.getByRole('link', { name: /Voice memo/ }).waitFor();
    }
    assert.deepEqual(faults, []);
  });

  it('shows nothing for a moment and then rows while the gateway is slow', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t);
    const { page, faults } = reader;
    await signIn(reader, app);
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/v1/memories/*', async (route) => {
      await held;
      await route.continue();
    });
    await page.getByRole('link', { name: /Voice memo/ }).click();
    await page.locator('.loading').waitFor();
    await checkScreen(page, 'loading');
    release();
    await page.locator('#L1').waitFor();
    assert.equal(await page.locator('.loading').count(), 0);
    assert.deepEqual(faults, []);
  });

  it('ends the session in both tabs of a browser when one signs out', async (t) => {
    const app = await serve(t);
    const reader = await openReader(t, { expects: /401/ });
    await signIn(reader, app);
    const second = await reader.context.newPage();
    await second.goto(app.at('settings/about'));
    await signOut(second);
    await second.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
    await reader.page.getByRole('link', { name: /Voice memo/ }).click();
    await reader.page.getByText('Your session has ended').waitFor();
    assert.deepEqual(reader.faults, []);
  });
});
