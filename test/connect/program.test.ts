// serve --connect as a process: a scripted client goes from its first 401 to a tool, and the options that it needs are checked.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { createTestBrowser } from '../support/app/app-world.ts';
import { CHOICE } from '../support/connect/connect-world.ts';
import { createOAuthClient } from '../support/connect/oauth-client.ts';
import { appAddress } from '../support/engines/database-addresses.ts';
import { send } from '../support/wire/wire.ts';
import { issued } from '../support/world/artifacts.ts';
import { freePort } from '../support/world/free-port.ts';
import { run, start, stop, waitFor } from '../support/world/program.ts';
import { createWorld, memory } from '../support/world/world.ts';

const REDIRECT = 'http://127.0.0.1:1/callback';

describe('serve --connect', () => {
  for (const processes of [1, 2])
    it(`connects a client that registers itself, with ${processes} on the port, until its grant is revoked`, async (t) => {
      const { database, ...world } = await createWorld(t);
      world.addAccount('ana', [memory({ id: 'one', name: 'Quokkas' })]);
      const port = await freePort();
      const base = `http://127.0.0.1:${port}`;
      const from = ['--database', appAddress(database)];
      const at = ['--port', String(port), '--reuse-port'];
      for (let i = 0; i < processes; i++) {
        const child = start(['serve', '--connect', '--base-url', base, ...at, ...from]);
        t.after(() => stop(child, 'SIGKILL'));
        await waitFor(child, 'stdout', /"listening"/);
      }

      const link = await run(['sign-in', 'ana', '--base-url', base, ...from]);
      const secret = issued(new URL(link.stdout.trim()).hash.slice(1));
      const owner = createTestBrowser({ port });
      assert.equal((await owner.post('/sessions', { way: 'link', secret })).status, 204);

      const client = await createOAuthClient({
        base,
        redirect: REDIRECT,
        kind: 'registration',
        document: '',
      });
      const led = await fetch(client.authorizationUrl, { redirect: 'manual' });
      const page = new URL(led.headers.get('location') ?? '', base);
      assert.equal(page.pathname, '/app/consent');
      assert.equal((await fetch(page)).status, 200);
      const query = page.search.slice(1);
      const allowed = await owner.post('/consents', { query, ...CHOICE });
      assert.equal(allowed.status, 200, allowed.text);
      await client.redeem(JSON.parse(allowed.text).location);
      for (let i = 0; i < 4; i++) assert.match(await client.call('list_memories'), /Quokkas/);
      await client.refresh();
      assert.match(await client.call('list_memories'), /Quokkas/);

      const { stdout } = await run(['grants', 'list', '--json', '--database', database]);
      const [{ id, account_id }] = JSON.parse(stdout);
      assert.equal(account_id, 'ana');
      assert.equal((await run(['grants', 'revoke', id, '--database', database])).code, 0);
      for (let i = 0; i < 4; i++) assert.match(await client.refusal(), /error="invalid_token"/);
    });

  it('is off by default: there are no metadata and no endpoints of OAuth', async (t) => {
    const { database } = await createWorld(t);
    const port = await freePort();
    const base = `http://127.0.0.1:${port}`;
    const from = ['--database', appAddress(database), '--port', String(port)];
    const child = start(['serve', '--base-url', base, ...from]);
    t.after(() => stop(child, 'SIGKILL'));
    await waitFor(child, 'stdout', /"listening"/);
    for (const path of [
      '/.well-known/oauth-protected-resource/mcp/connect',
      '/.well-known/oauth-authorization-server/oauth',
      '/mcp/connect',
      '/oauth/authorize',
      '/oauth/token',
      '/oauth/register',
    ])
      assert.equal((await send(port, { path })).status, 404, path);
    assert.equal(await stop(child), 0);
  });

  it('needs the app, and a base URL that is public and has TLS', async (t) => {
    const { database } = await createWorld(t);
    const from = ['--database', appAddress(database), '--port', '0'];
    const refused: [args: string[], says: RegExp][] = [
      [
        [],
        /--connect needs --base-url with the public https:\/\/ address of this gateway; on this/,
      ],
      [['--base-url', '/memories'], /--connect needs --base-url/],
      [['--base-url', 'http://memories.example'], /--connect needs --base-url.* not "http:/],
      [
        ['--base-url', 'https://memories.example', '--app', 'off'],
        /--connect needs the web app, .*leave --app off out/,
      ],
    ];
    for (const [args, says] of refused) {
      const { code, stdout, stderr } = await run(['serve', '--connect', ...args, ...from]);
      assert.deepEqual([code, stdout], [2, ''], args.join(' '));
      assert.match(stderr, says);
    }
  });
});
