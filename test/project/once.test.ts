// Values that are created once: a failure does not stay until the program is started again.

import assert from 'node:assert/strict';
import { it } from 'node:test';

import { once } from '../../src/lib/once.ts';

it('A value that could not be created is created at the next call, and then stays', async () => {
  const results = [
    () => {
      throw new Error('EMFILE');
    },
    () => Promise.reject(new Error('EMFILE')),
    () => Promise.resolve('files'),
    () => assert.fail('there was a value'),
  ];
  const files = once(() => results.shift()?.());
  assert.throws(() => files(), /EMFILE/);
  const first = files();
  assert.equal(files(), first, 'all wait for the same attempt');
  await assert.rejects(Promise.resolve(first), /EMFILE/);
  assert.equal(await files(), 'files');
  assert.equal(await files(), 'files');
});
