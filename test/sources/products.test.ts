// Every source against its product's API as documented. The special cases of each product have tests of their own.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

import { sources } from '../../src/sources/sources.ts';
import { testSource } from '../support/sources/api-promises.ts';
import { meetingApis } from '../support/sources/meeting-apis.ts';
import { personalApis } from '../support/sources/personal-apis.ts';

const apis = [...personalApis, ...meetingApis];

for (const api of apis) testSource(api);

describe('Each source', () => {
  it('is tested here, except those with tests of their own', () => {
    const tested = new Set(['gateway', 'limitless', ...apis.map(({ source }) => source.name)]);
    assert.deepEqual(new Set(sources.map(({ name }) => name)), tested);
  });

  it('is described with its credential and its documents', () => {
    const page = readFileSync('docs/reference/sources.md', 'utf8');
    for (const { name, credential, documents } of sources) {
      assert.ok(page.split(`| \`${name}\` |`).length > 2, name);
      if (credential !== undefined) assert.ok(page.includes(`\`${credential.variable}\``), name);
      for (const each of documents.filter((url) => url.startsWith('https:')))
        assert.ok(page.includes(`(${each})`), each);
    }
  });
});
