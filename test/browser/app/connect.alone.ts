// Connecting OAuth clients in a browser: from the client's link over the sign-in to the owner's decision, and to Revoke in the settings.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it, type TestContext } from 'node:test';

import type { Page } from 'playwright-core';

import { createConnector } from '../../../src/connect/connector.ts';
import { createOAuthClient, type Registration } from '../../support/connect/oauth-client.ts';
import { freePort } from '../../support/world/free-port.ts';
import { lastIfShort } from '../../support/world/thorough.ts';
import { checkScreen, openReader, redeem, serve, skip } from './page.ts';

const DOCUMENT = 'https://assistant.example/client.json';

/** A client whose document and codes have the same host, with a name that is not the host's. */
const HOSTED = 'https://assistants.example/client.json';
const HOSTED_REDIRECT = 'https://assistants.example/callback';

/** A gateway with connectors at an address of this machine, and a site that codes are sent to. */
async function serveConnector(t: TestContext) {
  const site = createServer((request, response) => {
    response
      .setHeader('content-type', 'text/html')
      .end(`<title>Back</title>${String(request.url?.length)}`);
  }).listen(0, '127.0.0.1');
  await once(site, 'listening');
  t.after(() => site.close());
  const redirect = `http://127.0.0.1:${(site.address() as AddressInfo).port}/callback`;
  const about = { client_id: DOCUMENT, client_name: 'Assistant', redirect_uris: [redirect] };
  const hosted = { client_id: HOSTED, client_name: 'Claude', redirect_uris: [HOSTED_REDIRECT] };
  const documents = new Map<string, object>([
    [DOCUMENT, about],
    [HOSTED, hosted],
  ]);
  const connect = createConnector({
    fetchDocument: async (url) => Response.json(documents.get(url) ?? {}),
  });
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const app = await serve(t, { port, gateway: { baseUrl: base }, app: { connect, keyLog: true } });
  return { app, base, redirect };
}

/** Signs in by a link from the terminal in another tab, as somebody does who has no password. */
async function signInElsewhere(page: Page, link: string): Promise<void> {
  const tab = await page.context().newPage();
  await tab.goto(link);
  await tab.getByRole('button', { name: /^Sign in as / }).click();
  await tab.getByRole('searchbox', { name: 'Search' }).waitFor();
  await tab.close();
}

describe('Connecting a client in the app', { skip, timeout: 300_000 }, () => {
  const kinds: readonly Registration[] = ['registration', 'document'];
  for (const kind of lastIfShort(kinds))
    it(`leads a client with a ${kind} from its first 401 over sign-in and consent to a tool, and Revoke ends it`, async (t) => {
      const { app, base, redirect } = await serveConnector(t);
      const client = await createOAuthClient({ base, redirect, kind, document: DOCUMENT });
      const { page, faults } = await openReader(t, { expects: /401/ });
      await page.goto(client.authorizationUrl);
      await page.waitForURL(/\/app\/sign-in\?/);
      await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
      await page.getByText('A client asks to read your memories.').waitFor();
      await signInElsewhere(page, await app.link());
      await page.waitForURL(/\/app\/consent\?/);
      await page.getByRole('heading', { name: /“.+” wants to read your memories/ }).waitFor();
      await page.getByText(new URL(redirect).host, { exact: true }).waitFor();
      await page.getByText(/a program on your own device/).waitFor();
      await checkScreen(page, `consent for a ${kind}`);
      await page.getByRole('radio', { name: /no transcripts/ }).check();
      await page.getByLabel('For how long').selectOption('7 days');
      await page.context().clearCookies(); // as if the session had ended
      await page.reload();
      await page.waitForURL(/\/app\/sign-in\?/);
      await signInElsewhere(page, await app.link());
      await page.reload(); // a browser with a window would notice it when the tab is shown
      await page.waitForURL(/\/app\/consent\?/);
      assert.ok(await page.getByRole('radio', { name: /no transcripts/ }).isChecked());
      await page.getByRole('button', { name: 'Allow' }).click();
      await page.waitForURL((url) => url.href.startsWith(redirect));
      await client.redeem(page.url());
      assert.match(await client.call('list_memories'), /results|memories/);
      await client.refresh();
      assert.match(await client.call('list_memories'), /results|memories/);

      await page.goto(app.at('connect'));
      await page.getByText('✓ Assistant is connected, last used just now.').waitFor();
      await client.call('list_memories');
      await page.getByText('✓ Assistant has just read your memories.').waitFor();
      await checkScreen(page, 'a client that has just read');

      await page.goto(app.at('settings/access'));
      const row = page.locator('.items li', { hasText: /Assistant/ });
      await row.getByText('no transcripts').waitFor();
      await row.getByText('in 7 days').waitFor();
      await row.getByText(/just now|minute/).waitFor();
      await checkScreen(page, 'a connected client');
      await row.getByRole('button', { name: 'Revoke' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
      await page.getByText('No connected clients.').waitFor();
      const focused = await page.evaluate(() => document.activeElement?.textContent);
      assert.equal(focused, 'Connected clients');
      assert.match(await client.refusal(), /^Bearer error="invalid_token".*resource_metadata="/);
      assert.deepEqual(faults, []);
    });

  it('says who has given a client its name, for one that has published its document', async (t) => {
    const { app, base } = await serveConnector(t);
    const asked = { base, redirect: HOSTED_REDIRECT, kind: 'document', document: HOSTED } as const;
    const client = await createOAuthClient(asked);
    const reader = await openReader(t, { expects: /401/ });
    const { page, faults } = reader;
    await redeem(reader, await app.link());
    await page.goto(client.authorizationUrl);
    await page.getByRole('heading', { name: /“Claude” wants to read your memories/ }).waitFor();
    await page.getByText(/Only assistants\.example has given this client its name/).waitFor();
    await checkScreen(page, 'consent for a hosted client');
    assert.deepEqual(faults, []);
  });

  it('tells a client that it was denied, and shows a fault without sending the browser on', async (t) => {
    const { app, base, redirect } = await serveConnector(t);
    const asked = { base, redirect, kind: 'document', document: DOCUMENT } as const;
    const client = await createOAuthClient(asked);
    const reader = await openReader(t, { expects: /401|ERR_/ });
    const { page, faults } = reader;
    await redeem(reader, await app.link());
    await page.goto(client.authorizationUrl);
    await page.getByRole('button', { name: 'Deny' }).waitFor();
    // A connection that is lost for a moment leaves nothing behind.
    await page.route('**/v1/me', (route) => route.abort());
    const isBack = page.waitForResponse(/\/v1\/ways/);
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await isBack;
    await page.unroute('**/v1/me');
    assert.equal(await page.getByRole('alert').count(), 0);
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.waitForURL((url) => url.href.startsWith(redirect));
    assert.equal(new URL(page.url()).searchParams.get('error'), 'access_denied');

    await page.goto(client.authorizationUrl.replace('S256', 'plain'));
    await page.getByRole('alert').waitFor();
    await page.getByRole('button', { name: `Tell ${new URL(redirect).host}` }).waitFor();
    await checkScreen(page, 'a request with a fault');
    assert.match(page.url(), /\/app\/consent\?/);

    // The address of a program of this machine has no host.
    const itself = { ...asked, redirect: 'com.example:/back', kind: 'registration' } as const;
    const own = await createOAuthClient(itself);
    await page.goto(own.authorizationUrl.replace('S256', 'plain'));
    await page.getByRole('button', { name: 'Tell the client' }).waitFor();
    assert.deepEqual(faults, []);
  });
});
