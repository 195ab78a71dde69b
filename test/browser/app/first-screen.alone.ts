// The first screen in a browser: what it asks for while its script is on its way, and what it shows until then.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';

import { openReader, serve, signIn, skip, type Reader } from './page.ts';

const SCRIPT = /\/app-[0-9A-Z]{8}\.js$/;

/** Holds the app's script back until the returned function is called. */
async function holdScript({ context }: Reader): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await context.route(SCRIPT, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

describe('The first screen of the app', { skip, timeout: 120_000 }, () => {
  async function open(t: TestContext) {
    const app = await serve(t, { prefix: '/prefix' });
    const reader = await openReader(t, { timezoneId: 'Europe/Berlin' });
    return { app, reader, page: reader.page };
  }

  for (const { screen, path, wanted, shown } of [
    { screen: 'list', path: '', wanted: ['days', 'me', 'memories'], shown: 'a.row' },
    {
      screen: 'reader',
      path: 'm/2026-11-19-standup',
      wanted: ['me', 'memories/2026-11-19-standup', 'memories/2026-11-19-standup/details'],
      shown: '#L1',
    },
  ])
    it(`asks for what the ${screen} shows before the app's script is there, and not again`, async (t) => {
      const { app, reader, page } = await open(t);
      await signIn(reader, app);
      await page.goto('about:blank'); // the list behind the sign-in may still send requests
      const release = await holdScript(reader);
      reader.requested.length = 0;
      const answered = wanted.map((name) =>
        page.waitForResponse((response) =>
          new URL(response.url()).pathname.endsWith(`/v1/${name}`),
        ),
      );
      await page.goto(app.at(path), { waitUntil: 'commit' });
      await Promise.all(answered);
      const early = reader.requested.filter((url) => url.includes('/v1/'));
      assert.deepEqual(
        early.map((url) => new URL(url).pathname.replace('/prefix/app/v1/', '')).toSorted(),
        wanted,
      );
      assert.equal(await page.locator('.skeleton').count(), 1);
      release();
      await page.locator(shown).first().waitFor();
      assert.equal(await page.locator('.skeleton').count(), 0);
      // The list reads its rows once more, in a larger part.
      const nameOf = (url: string) =>
        `${new URL(url).pathname} ${new URL(url).searchParams.get('limit')}`;
      for (const name of early.map(nameOf))
        assert.equal(reader.requested.filter((url) => nameOf(url) === name).length, 1, name);
      assert.deepEqual(reader.faults, []);
    });

  it('asks for nothing before somebody has signed in', async (t) => {
    const { app, reader, page } = await open(t);
    const release = await holdScript(reader);
    await page.goto(app.at(), { waitUntil: 'commit' });
    await page.waitForResponse(/\/early-/);
    await page.locator('.skeleton').waitFor({ state: 'attached' });
    assert.deepEqual(
      reader.requested.filter((url) => url.includes('/v1/')),
      [],
    );
    release();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    assert.equal(await page.locator('.skeleton').count(), 0);
  });
});
