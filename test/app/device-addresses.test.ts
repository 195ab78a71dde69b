// The addresses for other devices: each is tried, and only they and the address of the page get codes.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { describe, it } from 'node:test';

import { createAppWorld, jsonOf, listOf, NO_STORE } from '../support/app/app-world.ts';
import { assertFailure } from '../support/wire/response-shape.ts';
import { issued } from '../support/world/artifacts.ts';
import { freePort } from '../support/world/free-port.ts';
import { listen } from '../support/world/server-in-process.ts';

/** 127.0.0.1 as an IPv6 address, which stands for an address of the network. */
const NETWORK = 'http://[::ffff:7f00:1]';

describe('The addresses for other devices', () => {
  it('are tried, and this machine’s own are left out', async (t) => {
    const addresses: string[] = [];
    const { port, signIn } = await createAppWorld(t, { app: { addresses: () => addresses } });
    const another = await listen(
      t,
      createServer((_, response) => response.writeHead(500).end()),
    );
    const unused = await freePort();
    addresses.push(
      `http://127.0.0.1:${port}`,
      `http://localhost:${port}`,
      `http://[::1]:${port}`,
      `${NETWORK}:${port}`,
      `${NETWORK}:${another}`,
      `${NETWORK}:${unused}`,
      `http://desk.invalid:${port}`,
      'https://memories.invalid/base',
    );
    const ana = await signIn();
    assert.deepEqual(listOf(await ana.get('/addresses')), [
      { url: `${NETWORK}:${port}/app/`, by: 'network', answers: true },
      { url: `${NETWORK}:${another}/app/`, by: 'network', answers: false },
      { url: `${NETWORK}:${unused}/app/`, by: 'network', answers: false },
      { url: `http://desk.invalid:${port}/app/`, by: 'network', answers: false },
      { url: 'https://memories.invalid/base/app/', by: 'base-url', answers: false },
    ]);
  });

  it('are known as those of Tailscale by their range', async (t) => {
    const of = (host: string) => `http://${host}:1`;
    const hosts = [
      '100.64.0.1',
      '100.127.255.254',
      '100.63.0.1',
      '[fd7a:115c:a1e0::1]',
      '[fd7a::1]',
    ];
    const { signIn } = await createAppWorld(t, { app: { addresses: () => hosts.map(of) } });
    const found = listOf(await (await signIn()).get('/addresses'));
    assert.deepEqual(
      found.map(({ by }) => by),
      ['tailscale', 'tailscale', 'network', 'tailscale', 'network'],
    );
  });

  it('are none if the gateway knows none, and nobody sees them who is not signed in', async (t) => {
    const { browser, signIn } = await createAppWorld(t);
    assert.deepEqual(listOf(await (await signIn()).get('/addresses')), []);
    assertFailure(await browser().get('/addresses'), 401, '', NO_STORE);
  });

  it('get codes that sign in, and other addresses get none', async (t) => {
    const addresses = [`${NETWORK}:1`];
    const { signIn } = await createAppWorld(t, { app: { addresses: () => addresses } });
    const ana = await signIn();
    const made = jsonOf(await ana.post('/links', { page: `${NETWORK}:1/app/sign-in` }));
    issued(String(made['secret']));
    assert.ok(made['qr_code'] !== null);
    for (const page of [
      `${NETWORK}:2/app/sign-in`,
      `${NETWORK}:1/other/app/sign-in`,
      'https://desk.example/app/sign-in',
    ])
      assertFailure(await ana.post('/links', { page }), 422, page, NO_STORE);
  });
});
