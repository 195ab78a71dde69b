// Runs of words of a query: what may be a phrase that names days or somebody.

/** A phrase of a query, and the query without it. */
export interface Phrase {
  readonly phrase: string;
  readonly rest: string;
}

/** The most words of a date: on the 12th of November 2026. */
const MOST_WORDS = 6;

/** Returns a query as one phrase, if it has few words and no quotes. */
export function wholeOf(q: string): string | undefined {
  const [longest] = phrasesOf(q);
  return longest?.rest === '' ? longest.phrase : undefined;
}

/** Returns all runs of words outside of quotes, the longest first. */
export function phrasesOf(q: string): Phrase[] {
  const pieces = q.split(/\s+/).filter((piece) => piece !== '');
  let quotes = 0;
  const isWord = pieces.map((piece) => {
    const own = piece.split('"').length - 1;
    const isOutside = own === 0 && quotes % 2 === 0;
    quotes += own;
    return isOutside;
  });
  const found: Phrase[] = [];
  for (let length = Math.min(MOST_WORDS, pieces.length); length > 0; length--)
    for (let at = 0; at + length <= pieces.length; at++)
      if (isWord.slice(at, at + length).every(Boolean))
        found.push({
          phrase: pieces.slice(at, at + length).join(' '),
          rest: [...pieces.slice(0, at), ...pieces.slice(at + length)].join(' '),
        });
  return found;
}
