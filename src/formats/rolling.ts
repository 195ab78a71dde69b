// Rolling captions: each line is shown again while the next one is spoken, as YouTube's own are.

import type { Cue } from './cues.ts';
import { INLINE_TIME, plainText } from './markup.ts';

/** Takes off lines that the cue before has already shown, where words have times of their own. */
export function unrolled(cues: readonly Cue[]): readonly Cue[] {
  if (!cues.some(({ lines }) => lines.some(isTimed))) return cues;
  let shown = new Set<string>();
  return cues.map((cue) => {
    const lines = cue.lines.filter((line) => isTimed(line) || !shown.has(wordsOf(line)));
    shown = new Set(cue.lines.map(wordsOf));
    return { ...cue, lines };
  });
}

function isTimed(line: string): boolean {
  return INLINE_TIME.test(line);
}

function wordsOf(line: string): string {
  return plainText(line).trim();
}
