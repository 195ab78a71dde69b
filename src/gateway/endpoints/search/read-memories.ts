// Reads the memories of a search and finds the words of the query in them.

import { fromJson } from '../../../contract/json.ts';
import type { Memory } from '../../../contract/schemas/memory.ts';
import { Refusal } from '../../../store/refusal.ts';
import type { PlacedMemory } from '../../../store/search/postings.ts';
import { analyse, analyseFolded } from '../../../text/passages/analysis.ts';
import { foldTexts } from '../../../text/passages/folded.ts';
import type { Matcher } from '../../../text/passages/matcher.ts';
import { MAX_SEARCHED_BYTES } from '../../../text/passages/units.ts';
import { boostOf } from '../../../text/question/closeness.ts';
import { step } from '../../fair-share/time.ts';
import type { PagedSearch } from '../cursor.ts';
import type { Searched } from './cached-postings.ts';
import { isLong, type LongMemories } from './long-memories.ts';
import type { ReadCandidate } from './meaning.ts';

/** Which memories are read, and for what. */
export interface Reading {
  readonly tier: readonly PlacedMemory[];
  readonly matcher: Matcher;
  readonly long: LongMemories;
  /** Gets the error of each memory that is damaged. */
  readonly damage: unknown[];
  readonly dates: PagedSearch['dates'];
}

/** How many memories an engine on a network reads at a time. */
const READ_AHEAD = 8;

/** Reads memories and finds the words of the query in them. */
export function* readMemories(
  { store, account_id, revision, scope }: Searched,
  { tier, matcher, long, damage, dates = [] }: Reading,
) {
  const candidates: ReadCandidate[] = [];
  const memories = new Map<string, Memory>();
  let isConsistent = true;
  const isSlim = ({ size }: PlacedMemory) =>
    size > MAX_SEARCHED_BYTES || scope?.reads === 'summaries';
  const isCached = (placed: PlacedMemory) => isLong(placed) && !isSlim(placed);
  const keyOf = ({ id }: PlacedMemory) => JSON.stringify([account_id, id]);
  const begin = (placed: PlacedMemory) => {
    const { id } = placed;
    const projection = isSlim(placed) ? 'slim' : 'body';
    const cached = isCached(placed) ? long.get(keyOf(placed)) : undefined;
    const known = cached?.body_sha256 ?? '';
    try {
      const read = store.memory({ account_id, revision, id, projection, known });
      // An error is a value until its turn comes: others may be read at the same time.
      const safe = read instanceof Promise ? read.catch((error: unknown) => ({ error })) : read;
      return { cached, read: safe };
    } catch (error) {
      return { cached, read: { error } };
    }
  };
  const begun: ReturnType<typeof begin>[] = [];
  for (const [i, placed] of tier.entries()) {
    if (begun.length <= i) {
      begun.push(begin(placed));
      if (begun[i]?.read instanceof Promise)
        for (const next of tier.slice(i + 1, i + READ_AHEAD)) begun.push(begin(next));
    }
    const stored = yield* step(begun[i]?.read);
    if (stored === undefined) continue; // deleted meanwhile
    if ('error' in stored) {
      if (!isDamage(stored.error)) throw stored.error;
      damage.push(stored.error);
      continue;
    }
    if (stored.revision !== revision) isConsistent = false;
    const { id, started_at } = placed;
    const { body_sha256, bytes } = stored;
    const cached = bytes === null ? begun[i]?.cached : undefined;
    const memory = bytes === null ? cached?.memory : (fromJson(bytes) as Memory);
    if (memory === undefined) continue;
    const texts = { ...memory, transcript: memory.transcript ?? '' };
    let folded = cached?.folded;
    if (bytes !== null && isCached(placed)) {
      folded = yield* foldTexts(texts);
      long.set(keyOf(placed), { body_sha256, memory, folded });
    }
    const analysis = folded ? analyseFolded(folded, matcher) : yield* analyse(texts, matcher);
    const boost = boostOf(started_at, started_at + 1, dates);
    memories.set(id, memory);
    candidates.push({ id, started_at, boost, analysis, body_sha256 });
  }
  return { candidates, memories, isConsistent };
}

function isDamage(error: unknown): boolean {
  return error instanceof Refusal && error.code === 'damaged';
}
