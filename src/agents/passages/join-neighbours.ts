// Joins passages of a response that follow each other in a transcript, so that they share a head line.

import type { Passage } from '../../contract/schemas/passages.ts';

/** Returns passages in their order, each neighbour joined with the better one. */
export function joinNeighbours(passages: readonly Passage[]): Passage[] {
  const joined: Passage[] = [];
  for (const passage of passages) {
    let [whole, place] = [passage, joined.length];
    for (let i = joined.findIndex((other) => touches(other, whole)); i >= 0;) {
      whole = join(joined[i] as Passage, whole);
      joined.splice(i, 1);
      place = Math.min(place, i);
      i = joined.findIndex((other) => touches(other, whole));
    }
    joined.splice(place, 0, whole);
  }
  return joined;
}

function touches(a: Passage, b: Passage): boolean {
  return a.memory_id === b.memory_id && (follows(a, b) || follows(b, a));
}

/** Passages of a name or a summary have no lines. */
function follows({ lines: [, last] }: Passage, { lines: [first] }: Passage): boolean {
  return last !== undefined && first === last + 1;
}

function join(a: Passage, b: Passage): Passage {
  const [before, after] = follows(a, b) ? [a, b] : [b, a];
  const [[first = 0], [, last = 0]] = [before.lines, after.lines];
  return { ...before, lines: [first, last], text: `${before.text}\n${after.text}`, marks: [] };
}
