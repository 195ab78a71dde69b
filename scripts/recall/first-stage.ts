// Measures the first stage of a search alone: whether the memories with the answer come among the candidates.

import { createPostingsCache } from '../../src/gateway/endpoints/search/cached-postings.ts';
import { findCandidates, readTier } from '../../src/gateway/endpoints/search/candidates.ts';
import type { Steps } from '../../src/gateway/fair-share/time.ts';
import { engineOf } from '../../src/store/engines.ts';
import { readRankedQuery } from '../../src/text/ranked-query.ts';
import type { RecallSet } from './recall-set.ts';
import { ACCOUNT } from './server.ts';

/** The groups of candidates, about 100 memories each, within which the right memory counts. */
export const TIERS = [1, 2, 5] as const;

/** The shares of the first stage, in percent, in the order of `TIERS`. */
export interface FirstStage {
  /** How often a memory with the answer is among the candidates. */
  readonly any: readonly number[];
  /** How often all memories with the answer are. */
  readonly all: readonly number[];
}

/** Looks up the candidates of all questions in a database. */
export async function measureFirstStage(
  database: string,
  { questions }: RecallSet,
): Promise<FirstStage> {
  const store = await engineOf(database).open();
  try {
    const account = await store.account(ACCOUNT);
    const { revision = '' } = account ?? {};
    const searched = { store, account_id: ACCOUNT, revision, cache: createPostingsCache() };
    const count = { any: TIERS.map(() => 0), all: TIERS.map(() => 0) };
    for (const { q, gold } of questions) {
      const found = await finish(findCandidates(searched, {}, readRankedQuery(q)));
      const tierOf = new Map<string, number>();
      for (let [tier, skip] = [1, 0]; tier <= Math.max(...TIERS) && skip < Infinity; tier++) {
        const { memories, next } = await finish(readTier(searched, found, skip));
        for (const { id } of memories) tierOf.set(id, tier);
        skip = next;
      }
      const tiers = [...new Set(gold.map(([id]) => tierOf.get(id) ?? Infinity))];
      for (const [i, within] of TIERS.entries()) {
        if (Math.min(...tiers) <= within) count.any[i] = (count.any[i] ?? 0) + 1;
        if (Math.max(...tiers) <= within) count.all[i] = (count.all[i] ?? 0) + 1;
      }
    }
    const percent = (n: number) => Math.round((1000 * n) / questions.length) / 10;
    return { any: count.any.map(percent), all: count.all.map(percent) };
  } finally {
    await store.close();
  }
}

/** Runs steps to their end. */
async function finish<T>(steps: Steps<T>): Promise<T> {
  for (let given: unknown; ;) {
    const next = steps.next(given);
    if (next.done === true) return next.value;
    given = await next.value;
  }
}
