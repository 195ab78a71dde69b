// Runs: raises passages that have three words in a row as the question has them.

import type { Matcher } from '../passages/matcher.ts';
import { wordsOf } from '../tokenizer.ts';
import { byLength } from './join.ts';
import type { Candidate, Weights } from './windows.ts';

/** What a run counts, as a share of the least weight of its terms. In a long meeting it is more often chance. */
const RUN = { short: 0.5, long: 0.25 };

/** How many of the best passages are looked at: with 60, no more answers come first. It takes 20 µs for each. */
const LOOKED_AT = 20;

/** A passage: the units `[from, to)` of its memory. */
interface Scored {
  readonly candidate: Candidate;
  readonly from: number;
  readonly to: number;
  readonly score: number;
}

/** Raises the best of some passages, which are sorted. The order may be another one then. */
export function raiseRuns<Passage extends Scored>(
  sorted: readonly Passage[],
  { runs }: Matcher,
  { window }: Weights,
): readonly Passage[] {
  if (runs.length === 0) return sorted;
  const wanted = runs.map(({ words, terms }) => ({
    text: inARow(words),
    weight: Math.min(...terms.map((term) => window[term] ?? 0)),
  }));
  return sorted.map((passage, i) => {
    if (i >= LOOKED_AT) return passage;
    const text = inARow(wordsOf(textOf(passage)));
    const share = byLength(passage.candidate.analysis.units.length, RUN);
    const found = wanted.filter((run) => text.includes(run.text));
    const bonus = share * found.reduce((sum, { weight }) => sum + weight, 0);
    return { ...passage, score: passage.score + passage.candidate.boost * bonus };
  });
}

/** Writes words so that whole ones are found in a row of them. */
function inARow(words: readonly string[]): string {
  return ` ${words.join(' ')} `;
}

function textOf({ candidate: { analysis }, from, to }: Scored): string {
  const first = analysis.units[from];
  return first?.text.slice(first.start, analysis.units[to - 1]?.end) ?? '';
}
