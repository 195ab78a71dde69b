// Who takes part in the memories of some days, in the order in which they are named.

import type { PersonTotals } from '../../../contract/schemas/facets.ts';
import { isSpeakerLabel } from '../../../text/speaker.ts';

/** Returns the names of those who take part, those in most memories first, then those who say most. A label is nobody's name. */
export function takingPart(people: readonly PersonTotals[]): string[] {
  return people
    .toSorted((a, b) => b.memories - a.memories || b.words - a.words)
    .flatMap(({ name }) => (isSpeakerLabel(name) ? [] : name));
}
