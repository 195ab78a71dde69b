// Search queries: words, "phrases" and prefix*, read from any text.

import { foldText, splitFolded } from './tokenizer.ts';

/** One term of a query: words in sequence. The last one may be a prefix. */
export interface QueryTerm {
  readonly words: readonly string[];
  readonly isPrefix: boolean;
}

/** Not `\s`, which includes the invisible U+FEFF. */
export const SPACE = /\p{White_Space}/u;

/**
 * Reads a query and returns its distinct terms, all of which must be found: words, `"a phrase"`,
 * `prefix*`. Every text is valid. A text without any word returns [].
 */
export function readQuery(q: string): QueryTerm[] {
  const terms = new Map<string, QueryTerm>();
  const parts = q.split('"');
  for (const [i, part] of parts.entries()) {
    const isPhrase = i % 2 === 1 && i < parts.length - 1; // otherwise its quote is not closed
    for (const piece of isPhrase ? [part] : part.split(SPACE)) {
      const term = readTerm(piece, !isPhrase && piece.endsWith('*'));
      if (term) terms.set(term.words.join(' ') + (term.isPrefix ? '*' : ''), term);
    }
  }
  return [...terms.values()];
}

function readTerm(text: string, hasStar: boolean): QueryTerm | undefined {
  const folded = foldText(text);
  const words = splitFolded(folded);
  const last = words.at(-1);
  if (last === undefined) return undefined;
  return { words, isPrefix: hasStar && folded.endsWith(`${last}*`) };
}
