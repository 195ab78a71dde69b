// Expensive searches of an account with 20,000 memories: each one completes, and other clients get responses at the same time.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { ids } from '../support/wire/lists.ts';
import { send } from '../support/wire/wire.ts';
import { EXPENSIVE_QUERIES, serveLong } from '../support/world/long-account.ts';

describe('An expensive query', () => {
  it('completes on an account of 20,000 memories, while other clients get responses', async (t) => {
    for (const [what, q] of Object.entries(EXPENSIVE_QUERIES)) {
      const { port, key, turns } = await serveLong(t, 20_000);
      const text = encodeURIComponent(Array.from(q).slice(0, 1024).join(''));
      const path = `/v1/memories?limit=5&fields=id&q=${text}`;
      const found = ids(await send(port, { path, key }));
      const { batches, answeredAt } = await turns();
      t.diagnostic(`${what}: ${found.length} found in ${batches} batches`);
      // A search of few batches may end before the other response.
      if (batches >= 10) assert.ok(answeredAt < batches, what);
    }
  });
});
