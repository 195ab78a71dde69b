// Fetching the document of a client: public addresses alone, by https alone, small, and without redirects.

import assert from 'node:assert/strict';
import type { LookupAddress } from 'node:dns';
import { describe, it } from 'node:test';

import { createFetchDocument } from '../../src/connect/fetch-document.ts';
import { isPublicAddress } from '../../src/connect/public-address.ts';

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
});
