// The postings that a search reads: those it caches are of one state of the account, and similar words cost a limited number.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import {
  countMemories,
  createPostingsCache,
  readPostings,
  type Searched,
} from '../../src/gateway/endpoints/search/cached-postings.ts';
import { findHints } from '../../src/gateway/endpoints/search/hints.ts';
import { findInTime } from '../../src/gateway/endpoints/search/in-time.ts';
import type { Steps } from '../../src/gateway/fair-share/time.ts';
import type { Store } from '../../src/store/store.ts';
import { readRankedQuery } from '../../src/text/ranked-query.ts';

const SECOND_WEEK = { started_at: 7, id: '' };

/** A store that reads in transactions, in two batches. `commit` runs between them. */
function inTwoBatches(commit: () => string): Searched {
  let revision = 'before';
  const store: Partial<Store> = {
    readTransaction: (work) => work(),
    account: () => ({ revision, disabled_at: null }),
    postings({ before }) {
      if (before !== undefined) return { weeks: [{ start: 0, keys: [1] }], rest: undefined };
      revision = commit();
      return { weeks: [{ start: 7, keys: [2] }], rest: SECOND_WEEK };
    },
    memoryCount({ before }) {
      if (before !== undefined) return { memories: 1, rest: undefined };
      revision = commit();
      return { memories: 1, rest: SECOND_WEEK };
    },
  };
  const cache = createPostingsCache();
  return { store: store as Store, account_id: 'ana', revision: 'before', cache };
}

function run<T>(steps: Steps<T>): T {
  for (let next = steps.next(); ; next = steps.next(next.value))
    if (next.done === true) return next.value;
}

describe('Postings that are read in two batches', () => {
  for (const [title, after, entries] of [
    ['are cached if the account stays as it is', 'before', 2],
    ['are not cached if the account changes between them', 'after', 0],
  ] as const)
    it(title, () => {
      const searched = inTwoBatches(() => after);
      assert.equal(run(readPostings(searched, {}, { any: [['cedar']] })).found, 2);
      assert.equal(run(countMemories(searched, {})).memories, 2);
      assert.equal(searched.cache.size, entries);
    });
});

describe('The memories of a time', () => {
  for (const [title, revision, isConsistent] of [
    ['are consistent if all reads are of one state', 'before', true],
    ['are not if the account changes before their positions are read', 'after', false],
  ] as const)
    it(title, () => {
      const store: Partial<Store> = {
        memoryCount: () => ({ memories: 1, rest: undefined, revision: 'before' }),
        positions: () => ({ items: [], rest: undefined, revision }),
      };
      const searched = { ...inTwoBatches(() => ''), store: store as Store };
      assert.equal(run(findInTime(searched, {}, { spans: [[0, 7]] })).isConsistent, isConsistent);
    });
});

describe('Similar words', () => {
  it('are looked up among words of 400,000 postings, and of as many with the same first letter', () => {
    const prefixes: string[] = [];
    const store: Partial<Store> = {
      vocabulary({ prefix }) {
        prefixes.push(prefix);
        return { words: ['crystal'], postings: 150_000, rest: SECOND_WEEK };
      },
    };
    const searched = { ...inTwoBatches(() => ''), store: store as Store };
    const { nearest_words } = run(findHints(searched, readRankedQuery('crystl'), [0], true));
    assert.deepEqual(nearest_words, { crystl: ['crystal'] });
    assert.deepEqual(prefixes, ['', '', '', 'c', 'c', 'c']);
  });
});
