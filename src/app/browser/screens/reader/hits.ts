// Hits: where the words of a query stand in a transcript, by the marks of the gateway's own search.

import type { Passage } from '../../../../contract/schemas/passages.ts';
import type { Span, TranscriptLine } from './lines.ts';

/** The most hits that are found without the gateway. */
export const MOST_FOUND = 10_000;

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
  return hits.toSorted((a, b) => a.line - b.line || a.start - b.start).reduce(join, []);
}

/** Joins words of a phrase, which have one character between them, so that a step goes over all of them. */
function join(hits: Span[], next: Span): Span[] {
  const last = hits.at(-1);
  if (last?.line === next.line && next.start - last.end <= 1)
    hits[hits.length - 1] = { ...last, end: Math.max(last.end, next.end) };
  else hits.push(next);
  return hits;
}

/** Finds a text as it is written, apart from case. */
export function findText(lines: readonly TranscriptLine[], q: string): Span[] {
  const wanted = q.replaceAll(/["*]/g, ' ').trim().toLowerCase();
  const hits: Span[] = [];
  if (wanted === '') return hits;
  for (const [i, { text }] of lines.entries()) {
    const lower = text.toLowerCase();
    for (let start = lower.indexOf(wanted); start >= 0 && hits.length < MOST_FOUND;) {
      hits.push({ line: i + 1, start, end: start + wanted.length });
      start = lower.indexOf(wanted, start + wanted.length);
    }
  }
  return hits;
}

/** Returns a query whose last word may go on, for words that are still being typed. */
export function whileTyping(q: string): string {
  return /[\p{L}\p{N}]$/u.test(q) && q.split('"').length % 2 === 1 ? `${q}*` : q;
}
