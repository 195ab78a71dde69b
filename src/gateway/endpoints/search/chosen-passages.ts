// Which passages of the candidates a response has: the ranked ones, the lines around them, the rest of a memory, or how each memory begins. Memories that the query names come first.

import { around, remaining } from '../../../text/ranking/join.ts';
import {
  comparePassages,
  type PassageOfWords,
  type RankedPassage,
} from '../../../text/ranking/rank.ts';
import type { Candidate } from '../../../text/ranking/windows.ts';
import { wordsOf } from '../../../text/tokenizer.ts';

/** Yields passages, and of the name, the summary and the takeaways of a memory only the best. */
export function* withOneSummary(ranked: readonly RankedPassage[]): Generator<RankedPassage> {
  const seen = new Set<string>();
  for (const passage of ranked) {
    const { id, analysis } = passage.candidate;
    if (analysis.units[passage.from]?.source !== 'transcript') {
      if (seen.has(id)) continue;
      seen.add(id);
    }
    yield passage;
  }
}

/**
 * What a passage gets whose memory has the query as its name, as the first words of it, or as the beginning of these:
 * more than words ever score. Of several, the shortest name is the nearest.
 */
const NAMED = { whole: 3e6, words: 2e6, begun: 1e6 };

/** Words that a name may begin with, and that nobody remembers. */
const ARTICLE = /^(?:the|an?) (?=.)/;

/** Raises the best passage of each memory that the folded words of a query name, among those that pass a test. */
export function namedFirst(
  ranked: readonly RankedPassage[],
  words: readonly string[],
  isShown: (passage: RankedPassage) => boolean,
): readonly RankedPassage[] {
  const asked = words.join(' ').replace(ARTICLE, '');
  if (asked === '') return ranked;
  const bonusOf = ({ analysis }: Candidate) => {
    const name = wordsOf(analysis.units[0]?.text ?? '')
      .join(' ')
      .replace(ARTICLE, '');
    if (!name.startsWith(asked)) return 0;
    const next = name[asked.length];
    return NAMED[next === undefined ? 'whole' : next === ' ' ? 'words' : 'begun'] - name.length;
  };
  const bonuses = new Map<Candidate, number>();
  return ranked
    .map((passage) => {
      const { candidate } = passage;
      const bonus = bonuses.get(candidate) ?? bonusOf(candidate);
      const isRaised = bonus > 0 && isShown(passage);
      bonuses.set(candidate, isRaised ? 0 : bonus);
      return isRaised ? { ...passage, score: passage.score + bonus } : passage;
    })
    .toSorted(comparePassages);
}

/**
 * Adds the lines around passages, as passages of their own behind the first ones. They count as much as their memory:
 * the answer to a question often stands a few lines from its words.
 */
export function withAround(ranked: readonly PassageOfWords[], first: number): RankedPassage[] {
  const most = ranked[first]?.score;
  if (most === undefined) return [...ranked];
  const added = Map.groupBy(ranked, ({ candidate }) => candidate)
    .entries()
    .flatMap(([candidate, passages]) => {
      const score = Math.min(most, passages[0]?.ofMemory ?? 0);
      return around(candidate.analysis.units, passages).map((lines) => ({
        candidate,
        ...lines,
        score,
      }));
    });
  return [...ranked, ...added].toSorted(comparePassages);
}

/** Yields the passages of memories, then the rest of their transcripts, as far as it is read. */
export function* withRest(
  ranked: readonly RankedPassage[],
  candidates: readonly Candidate[],
): Generator<RankedPassage> {
  yield* ranked;
  for (const candidate of candidates)
    for (const rest of remaining(candidate.analysis.units, ranked))
      yield { candidate, ...rest, score: 0 };
}

/** How many lines show how a talk begins. */
const LINES = 3;

/** Yields the beginning of each memory without excluded words: its summary, else its first lines, else its name. */
export function* openings(candidates: readonly Candidate[]): Generator<RankedPassage> {
  for (const candidate of candidates) {
    const { units, excludedUnits } = candidate.analysis;
    if (excludedUnits.size > 0) continue;
    const summary = units.findIndex(
      ({ source, start, end }) => source === 'summary' && end > start,
    );
    const [lines] = remaining(units, []);
    const from = summary < 0 ? (lines?.from ?? 0) : summary;
    const to = summary < 0 && lines !== undefined ? Math.min(lines.to, from + LINES) : from + 1;
    yield { candidate, from, to, score: 0 };
  }
}
