// The app in a browser behind nginx and Caddy, as scripts/deploy has them: https at the root and below a path.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { lacks, proxies, startProxy } from '../../support/wire/proxies.ts';
import { freePort } from '../../support/world/free-port.ts';
import { run } from '../../support/world/program.ts';
import { lastIfShort } from '../../support/world/thorough.ts';
import { openReader, serve, signIn, signOut, skip } from './page.ts';

/** Browsers fetch no service worker under a certificate of nobody's, also if they were told to ignore it, and say so. */
const NO_WORKER = /SSL certificate error/;

for (const name of proxies)
  describe(`The app behind ${name}`, { skip: skip || lacks(name), timeout: 240_000 }, () => {
    for (const prefix of lastIfShort(['', '/recordings']))
      it(`signs in over https with a Secure cookie, reads, and has passkeys and keys, at ${prefix}/app/`, async (t) => {
        const port = await freePort();
        const proxy = await startProxy(t, name, port, prefix);
        const base = `https://localhost:${proxy.port}${prefix}`;
        // The shipped configuration of nginx sends no port, because https has its own.
        const gateway =
          name === 'nginx'
            ? { baseUrl: base }
            : { throttle: { perMinute: 60, proxies: ['127.0.0.1'] } };
        const app = await serve(t, { port, prefix, gateway });
        const reader = await openReader(t, { ignoreHTTPSErrors: true, expects: NO_WORKER });
        const { page, faults } = reader;
        const printed = await run([
          'sign-in',
          'mira',
          '--database',
          app.database,
          '--base-url',
          base,
        ]);
        const link = printed.stdout.trim();
        assert.ok(link.startsWith(`${base}/app/sign-in#`), printed.stderr);
        await page.goto(link);
        await page.getByRole('button', { name: 'Sign in as Mira Okafor' }).click();
        await page.getByRole('link', { name: /Voice memo/ }).click();
        await page.locator('#L1').waitFor();
        const cookies = await reader.context.cookies(base);
        assert.deepEqual(
          cookies.map((each) => [each.name, each.path, each.secure, each.httpOnly, each.sameSite]),
          [['__Host-memories', '/', true, true, 'Lax']],
        );
        await page.getByRole('link', { name: 'Settings' }).click();
        await page.getByRole('link', { name: 'API access' }).click();
        await page.getByText('No keys yet').waitFor();
        assert.equal(await page.getByLabel('Base address').inputValue(), `${base}/v1`);
        await page.getByRole('link', { name: 'Devices' }).click();
        await page.getByRole('button', { name: 'Add a passkey' }).waitFor();
        assert.deepEqual(faults, []);
      });
  });

describe(
  'One gateway under an http and an https name',
  { skip: skip || lacks('caddy'), timeout: 240_000 },
  () => {
    it('keeps a session for each in one browser, and signing out of one leaves the other', async (t) => {
      const port = await freePort();
      const proxy = await startProxy(t, 'caddy', port);
      const gateway = { throttle: { perMinute: 60, proxies: ['127.0.0.1'] } };
      const app = await serve(t, { port, gateway });
      const reader = await openReader(t, {
        ignoreHTTPSErrors: true,
        expects: RegExp(`status of 401|${NO_WORKER.source}`),
      });
      const { page } = reader;
      const host = `localhost:${port}`;
      const secure = `https://localhost:${proxy.port}/app/`;
      await signIn(reader, app, { host });
      const link = await app.link('leila');
      await page.goto(`${secure}sign-in#${link.replace(/.*#/, '')}`);
      await page.getByRole('button', { name: 'Sign in as Leila Haddad' }).click();
      await page.getByRole('link', { name: /Board call/ }).waitFor();
      await page.goto(app.at('', host));
      await page.getByRole('link', { name: /Voice memo/ }).waitFor();
      const names = (await reader.context.cookies()).map((each) => each.name);
      assert.deepEqual(names.toSorted(), ['__Host-memories', `memories_${port}`]);
      await signOut(page);
      await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
      await page.goto(secure);
      await page.getByRole('link', { name: /Board call/ }).waitFor();
      assert.deepEqual(reader.faults, []);
    });

    it('with --base-url has sessions under that name alone, and the other name says so', async (t) => {
      const port = await freePort();
      const proxy = await startProxy(t, 'caddy', port);
      const app = await serve(t, { port, gateway: { baseUrl: `https://localhost:${proxy.port}` } });
      const reader = await openReader(t, { expects: /status of 403/ });
      await reader.page.goto(await app.link('mira', `localhost:${port}`));
      await reader.page.getByText("comes from another address than the app's").waitFor();
      assert.deepEqual(reader.faults, []);
    });
  },
);
