// Hits: where the words of a query stand in a transcript, by the marks of the gateway's own search.

import type { Passage } from '../../../../contract/schemas/passages.ts';
import type { TranscriptLine } from '../../../../text/turns.ts';
import type { Span } from './lines.ts';

/** Returns the marks of passages as parts of lines, in order. Passages of a transcript that has changed have none. */
export function hitsOf(passages: readonly Passage[], lines: readonly TranscriptLine[]): Span[] {
  const hits: Span[] = [];
  for (const { source, lines: [first = 0] = [], text, marks } of passages) {
    if (source !== 'transcript') continue;
    let before = 0;
    for (const [i, part] of text.split('\n').entries()) {
      const line = first + i;
      // A piece of a very long line is only a part of it.
      const at = lines[line - 1]?.text.indexOf(part) ?? -1;
      for (const [start = 0, end = 0] of at < 0 ? [] : marks)
        if (start >= before && end <= before + part.length)
          hits.push({ line, start: start - before + at, end: end - before + at });
      before += part.length + 1;
    }
  }
  return hits.toSorted(inOrder).reduce(join, []);
}

/** Joins words of a phrase, which have one character between them, so that a step goes over all of them. */
function join(hits: Span[], next: Span): Span[] {
  const last = hits.at(-1);
  if (last?.line === next.line && next.start - last.end <= 1)
    hits[hits.length - 1] = { ...last, end: Math.max(last.end, next.end) };
  else hits.push(next);
  return hits;
}

/** Lower case of the same length. "İ" would become two characters, and what follows it would be elsewhere. */
const lowerOf = (text: string) => text.replaceAll('İ', 'I').toLowerCase();

/** Finds a text as it is written, apart from case. */
export function findText(lines: readonly TranscriptLine[], q: string): Span[] {
  const wanted = lowerOf(q.replaceAll(/["*]/g, ' ').trim());
  const hits: Span[] = [];
  if (wanted === '') return hits;
  for (const [i, { text }] of lines.entries()) {
    const lower = lowerOf(text);
    for (let start = lower.indexOf(wanted); start >= 0;) {
      hits.push({ line: i + 1, start, end: start + wanted.length });
      start = lower.indexOf(wanted, start + wanted.length);
    }
  }
  return hits;
}

/**
 * Returns the query for what somebody types in the find bar: several words are a phrase, and one word may go on.
 * Quotes and an asterisk mean what they mean in a search.
 */
export function typedQuery(typed: string): string {
  const q = typed.trim();
  if (isPlain(q) && /\s/.test(q)) return `"${q}"`;
  return /[\p{L}\p{N}]$/u.test(typed) && q.split('"').length % 2 === 1 ? `${q}*` : q;
}

/** Returns whether a text has none of the signs that queries have. */
export function isPlain(q: string): boolean {
  return !/["*]/.test(q);
}

/** Returns hits in order, without those of `more` that overlap others. */
export function mergeHits(hits: readonly Span[], more: readonly Span[]): Span[] {
  const known = Map.groupBy(hits, ({ line }) => line);
  const added = more.filter(
    ({ line, start, end }) =>
      known.get(line)?.some((each) => each.start < end && start < each.end) !== true,
  );
  return [...hits, ...added].toSorted(inOrder);
}

function inOrder(a: Span, b: Span): number {
  return a.line - b.line || a.start - b.start;
}
