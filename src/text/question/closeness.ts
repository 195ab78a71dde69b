// Closeness: how near a memory is to the dates that a question names.

import { DAY_MS } from '../../lib/time.ts';

/** A span in milliseconds since 1970: from the first to before the second. */
export type Span = readonly [from: number, before: number];

/** How long after a day people talk about it. */
const AFTER_MS = 14 * DAY_MS;

/** What a memory within the dates of a question gains, as a share of its score. Right after them it gains half. */
const BOOST = 0.5;

/** Returns what the score of memories that start from `from` to before `before` is multiplied by: 1 if none is near. */
export function boostOf(from: number, before: number, spans: readonly Span[]): number {
  const meets = (after: number) => spans.some((span) => from < span[1] + after && before > span[0]);
  return 1 + (meets(0) ? BOOST : meets(AFTER_MS) ? BOOST / 2 : 0);
}
