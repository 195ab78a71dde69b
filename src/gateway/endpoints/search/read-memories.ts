// Reads the memories of a search and finds the words of the query in them.

import { fromJson } from '../../../contract/json.ts';
import type { Memory } from '../../../contract/schemas/memory.ts';
import { Refusal } from '../../../store/refusal.ts';
import type { PlacedMemory } from '../../../store/search/postings.ts';
import { analyse } from '../../../text/analysis.ts';
import type { Matcher } from '../../../text/matcher.ts';
import { boostOf } from '../../../text/question/closeness.ts';
import { MAX_SEARCHED_BYTES } from '../../../text/units.ts';
import { step } from '../../fair-share/time.ts';
import type { PagedSearch } from '../cursor.ts';
import type { Searched } from './cached-postings.ts';
import { readWords, type WordsCache } from './cached-words.ts';
import type { ReadCandidate } from './meaning.ts';

/** Which memories are read, and for what. */
export interface Reading {
  readonly tier: readonly PlacedMemory[];
  readonly matcher: Matcher;
  readonly words: WordsCache;
  /** Gets the error of each memory that is damaged. */
  readonly damage: unknown[];
  readonly dates: PagedSearch['dates'];
}

/** How many memories an engine on a network reads at a time. */
const READ_AHEAD = 8;

/** Reads memories and finds the words of the query in them. */
export function* readMemories(
  { store, account_id, revision, scope }: Searched,
  { tier, matcher, words, damage, dates = [] }: Reading,
) {
  const candidates: ReadCandidate[] = [];
  const memories = new Map<string, Memory>();
  let isConsistent = true;
  const isSlim = ({ size }: PlacedMemory) =>
    size > MAX_SEARCHED_BYTES || scope?.reads === 'summaries';
  const begin = (placed: PlacedMemory) => {
    const { id } = placed;
    const projection = isSlim(placed) ? 'slim' : 'body';
    try {
      const read = store.memory({ account_id, revision, id, projection, known: '' });
      // An error is a value until its turn comes: others may be read at the same time.
      return read instanceof Promise ? read.catch((error: unknown) => ({ error })) : read;
    } catch (error) {
      return { error };
    }
  };
  const begun: ReturnType<typeof begin>[] = [];
  for (const [i, placed] of tier.entries()) {
    if (begun.length <= i) {
      begun.push(begin(placed));
      if (begun[i] instanceof Promise)
        for (const next of tier.slice(i + 1, i + READ_AHEAD)) begun.push(begin(next));
    }
    const stored = yield* step(begun[i]);
    if (stored === undefined) continue; // deleted meanwhile
    if ('error' in stored) {
      if (!isDamage(stored.error)) throw stored.error;
      damage.push(stored.error);
      continue;
    }
    if (stored.revision !== revision) isConsistent = false;
    if (stored.bytes === null) continue;
    const memory = fromJson(stored.bytes) as Memory;
    const texts = { ...memory, transcript: memory.transcript ?? '' };
    const { id, started_at, size } = placed;
    const { body_sha256 } = stored;
    const folded = isSlim(placed)
      ? undefined
      : yield* readWords(words, { body_sha256, size }, texts);
    const analysis = yield* analyse(texts, matcher, folded);
    const boost = boostOf(started_at, started_at + 1, dates);
    memories.set(id, memory);
    candidates.push({ id, started_at, boost, analysis, body_sha256 });
  }
  return { candidates, memories, isConsistent };
}

function isDamage(error: unknown): boolean {
  return error instanceof Refusal && error.code === 'damaged';
}
