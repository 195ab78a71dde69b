// Look-ups: how the alternatives of a term are found in the index, with few reads for many forms.

import { commonPrefix } from '../../../text/stems.ts';
import type { Alternatives } from '../../search/postings.ts';

/** Words that may exist, by the beginning that they share: one look-up finds which of them do. */
export interface Family {
  readonly prefix: string;
  readonly words: ReadonlySet<string>;
}

/** A term in the form that is looked up: a single word, families of forms, or sequences. */
export interface LookUp {
  readonly word: string | undefined;
  readonly families: readonly Family[];
  readonly sequences: Alternatives;
}

/** How many letters the words of a family share at least, so that few others do. */
const FAMILY_PREFIX = 3;

/** Returns the look-up of a term. */
export function lookUpOf(alternatives: Alternatives): LookUp {
  const singles = alternatives.flatMap(([word = '', ...rest]) => (rest.length === 0 ? [word] : []));
  const sequences = alternatives.filter(({ length }) => length > 1);
  const [word] = singles;
  if (singles.length < 2) return { word, families: [], sequences };
  const families = Map.groupBy(singles, (each) => each.slice(0, FAMILY_PREFIX));
  return {
    word: undefined,
    families: Array.from(families.values(), (words) => ({
      prefix: commonPrefix(words),
      words: new Set(words),
    })),
    sequences,
  };
}
