// Fetching the document of a client: public addresses alone, by https alone, small, and without redirects.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import type { LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';

import { createFetchDocument, type ResolveName } from '../../src/connect/fetch-document.ts';
import { isPublicAddress } from '../../src/connect/public-address.ts';
import { absent } from '../support/processes/required-programs.ts';
import { newFolder } from '../support/world/artifacts.ts';

const LARGEST = 16_384;

/** Responses that no `Response` of JavaScript can be, by their paths. */
const ODD: Readonly<Record<string, string>> = {
  '/status-999': 'HTTP/1.1 999 Odd\r\ncontent-length: 2\r\n\r\n{}',
  '/status-205': 'HTTP/1.1 205 Odd\r\ncontent-length: 2\r\n\r\n{}',
  '/status-101': 'HTTP/1.1 101 Odd\r\nconnection: upgrade\r\nupgrade: odd\r\n\r\n',
  '/cut': 'HTTP/1.1 200 Odd\r\ncontent-length: 20\r\n\r\n{}',
};

/** A site `client.example` on this machine, with a certificate of its own. */
async function serveSite(t: TestContext) {
  const [key, cert] = ['key.pem', 'cert.pem'].map((name) => join(newFolder(), name));
  const kind = '-x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2';
  const whom = '-subj /CN=client.example -addext subjectAltName=DNS:client.example';
  const words = `req ${kind} ${whom} -keyout ${key} -out ${cert}`.split(' ');
  execFileSync('openssl', words, { stdio: 'ignore' });
  const ca = readFileSync(String(cert), 'utf8');
  const paths: string[] = [];
  const site = createServer({ key: readFileSync(String(key)), cert: ca }, (request, response) => {
    const path = request.url ?? '';
    paths.push(path);
    const odd = ODD[path];
    if (odd !== undefined) request.socket.end(odd);
    else if (path === '/moved') response.writeHead(302, { location: '/small' }).end();
    else response.end('x'.repeat(path === '/large' ? LARGEST + 1 : LARGEST));
  }).listen(0, '127.0.0.1');
  await once(site, 'listening');
  t.after(() => site.close());
  const { port } = site.address() as AddressInfo;
  const resolve: ResolveName = (_, done) => done(null, [{ address: '127.0.0.1', family: 4 }]);
  const options = { port, ca, resolve, isAllowed: () => true };
  return { options, paths, at: (path: string) => `https://client.example:${port}${path}` };
}

describe('The document of a client', () => {
  it('is fetched from no address of this machine, a private network or a special purpose', () => {
    for (const address of [
      '0.0.0.0',
      '10.1.2.3',
      '100.64.0.1',
      '127.0.0.1',
      '127.255.0.1',
      '169.254.169.254',
      '172.16.0.1',
      '172.31.255.255',
      '192.0.0.1',
      '192.168.1.1',
      '198.18.0.1',
      '224.0.0.1',
      '255.255.255.255',
      '::',
      '::1',
      '::ffff:127.0.0.1',
      '::ffff:8.8.8.8',
      '64:ff9b::7f00:1',
      'fc00::1',
      'fd12::1',
      'fe80::1',
      'fe80::1%eth0',
      'ff02::1',
      '2001::1',
      '2001:db8::1',
      '2002:7f00:1::',
      'localhost',
      '',
    ])
      assert.equal(isPublicAddress(address), false, address);
    for (const address of ['1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111'])
      assert.equal(isPublicAddress(address), true, address);
  });

  it('is not fetched if a name resolves to one such address among others', async () => {
    const resolved: LookupAddress[] = [
      { address: '1.1.1.1', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ];
    const fetchDocument = createFetchDocument({ resolve: (_, done) => done(null, resolved) });
    await assert.rejects(
      fetchDocument('https://client.example/x.json'),
      /not on the public internet/,
    );
  });

  it('is not fetched if its name has no address, and nothing is thrown that nobody would catch', async () => {
    // The resolver of Node, which knows no name below .invalid (RFC 6761).
    const fetchDocument = createFetchDocument();
    await assert.rejects(fetchDocument('https://client.invalid/x.json'), {
      syscall: 'getaddrinfo',
    });
  });

  it('is not fetched without a public name, without https, or from another port', async () => {
    let resolved = 0;
    const fetchDocument = createFetchDocument({
      resolve: (_, done) => {
        resolved += 1;
        done(null, [{ address: '1.1.1.1', family: 4 }]);
      },
    });
    for (const url of [
      'http://client.example/x.json',
      'https://127.0.0.1/x.json',
      'https://2130706433/x.json',
      'https://0x7f.1/x.json',
      'https://[::1]/x.json',
      'https://localhost/x.json',
      'https://printer/x.json',
      'https://client.example:8443/x.json',
    ])
      await assert.rejects(fetchDocument(url), /public name|another port/, url);
    assert.equal(resolved, 0);
  });

  it(
    'is fetched by TLS from a site with a trusted certificate for its name, up to its limit, and no redirect is followed',
    { skip: absent('openssl') },
    async (t) => {
      const { options, paths, at } = await serveSite(t);
      const fetchDocument = createFetchDocument(options);
      assert.equal((await (await fetchDocument(at('/small'))).text()).length, LARGEST);
      assert.equal((await fetchDocument(at('/moved'))).status, 302);
      await assert.rejects(fetchDocument(at('/large')), /has more than 16384 bytes/);
      assert.deepEqual(paths.splice(0), ['/small', '/moved', '/large']);
      const untrusted = createFetchDocument({ ...options, ca: undefined });
      await assert.rejects(untrusted(at('/small')), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
      const another = at('/small').replace('client', 'other');
      await assert.rejects(fetchDocument(another), { code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
      const guarded = createFetchDocument({ ...options, isAllowed: isPublicAddress });
      await assert.rejects(guarded(at('/small')), /not on the public internet/);
      assert.deepEqual(paths, []);
    },
  );

  it(
    'is an error if the site sends a status that is none, another protocol or half a response',
    { skip: absent('openssl') },
    async (t) => {
      const { options, at } = await serveSite(t);
      const fetchDocument = createFetchDocument(options);
      await assert.rejects(fetchDocument(at('/status-999')), /its status is 999/);
      await assert.rejects(fetchDocument(at('/status-101')), /changes the protocol/);
      await assert.rejects(fetchDocument(at('/cut')), /aborted/);
      assert.equal((await fetchDocument(at('/status-205'))).status, 205);
    },
  );
});
