// Turns: which lines are said by somebody whom the query names, and how much words count in them.

import type { Analysis, Hit } from '../passages/analysis.ts';
import { labelOf } from '../passages/units.ts';

/** A term is a name if it labels lines in fewer of the memories. Where most have it, as "Professor", it tells nothing. */
export const NAME_SHARE = 0.2;

/** What words count that the named person says, what those of others count beside them, and what the name counts. */
const SAID = 1.6;
const SAID_BY_OTHERS = 0.4;
const NAME = 0.5;

/** The lines of a memory by the terms in their labels. */
export type Labels = ReadonlyMap<number, ReadonlySet<number>>;

/** Finds the lines whose label has a term of the query. */
export function labelsOf({ units, hits }: Analysis): Labels {
  const labels = new Map<number, Set<number>>();
  for (const { term, isExact, first, marks } of hits) {
    const unit = units[first];
    // The unit begins with its line, or no label is in it.
    if (!isExact || unit?.source !== 'transcript' || unit.start !== unit.lineStart) continue;
    if ((marks.at(-1) ?? 0) > (labelOf(unit)?.length ?? 0)) continue;
    const lines = labels.get(term);
    if (lines === undefined) labels.set(term, new Set([unit.line]));
    else lines.add(unit.line);
  }
  return labels;
}

/** Returns how much a hit in a memory counts, given which terms are names. */
export function weightOfHits(
  { units }: Analysis,
  labels: Labels,
  isName: readonly boolean[],
): (hit: Hit) => number {
  const said = new Set<number>();
  for (const [term, lines] of labels)
    if (isName[term] === true) for (const line of lines) said.add(line);
  return ({ term, first }) => {
    if (isName[term] === true) return NAME;
    const unit = units[first];
    if (said.size === 0 || unit?.source !== 'transcript') return 1;
    return said.has(unit.line) ? SAID : SAID_BY_OTHERS;
  };
}
