// Removes the repeated lines of rolling captions, which YouTube generates.

import { INLINE_TIME, stripMarkup } from '../markup.ts';
import type { Cue } from './cue-store.ts';

/** Removes lines that the cue before has already shown, if words have times of their own. */
export function removeRepeats(cues: Iterable<Cue>): Iterable<Cue> {
  for (const { lines } of cues)
    if (lines.some(isTimed)) return { [Symbol.iterator]: () => withoutRepeats(cues) };
  return cues;
}

function* withoutRepeats(cues: Iterable<Cue>): Generator<Cue> {
  let shown = new Set<string>();
  for (const cue of cues) {
    const lines = cue.lines.filter((line) => isTimed(line) || !shown.has(textOfLine(line)));
    shown = new Set(cue.lines.map(textOfLine));
    yield { ...cue, lines };
  }
}

function isTimed(line: string): boolean {
  return INLINE_TIME.test(line);
}

function textOfLine(line: string): string {
  return stripMarkup(line).trim();
}
