// The query as the reader sees it understood: words, phrases and prefixes, and what else to try.

/** What a piece of a query asks for. Words are alternatives. Phrases and prefixes must occur, and the rest narrows. */
export type PieceKind = 'word' | 'phrase' | 'prefix' | 'without' | 'only';

/** A piece of a query. */
export interface Piece {
  readonly kind: PieceKind;
  /** Without quotes and the asterisk. */
  readonly text: string;
}

/** A quoted phrase, or a run without spaces. A quote that is not closed is a space. */
const PIECES = /"([^"]*)"|(?:-|(?:speaker|tag|source):)"[^"]+"|[^"\s]+/giu;
const NARROWS = /^(?:before|after|speaker|tag|source):\S/iu;
const HAS_WORD = /[\p{L}\p{N}\p{Extended_Pictographic}]/u;

/** Returns the pieces of a query that have words. */
export function readPieces(q: string): Piece[] {
  return Array.from(q.matchAll(PIECES), ({ 0: text, 1: phrase }): Piece => {
    if (phrase !== undefined) return { kind: 'phrase', text: phrase };
    if (text.startsWith('-')) return { kind: 'without', text: text.slice(1) };
    if (NARROWS.test(text)) return { kind: 'only', text };
    return text.endsWith('*')
      ? { kind: 'prefix', text: text.slice(0, -1) }
      : { kind: 'word', text };
  }).filter(({ text }) => text !== 'OR' && HAS_WORD.test(text));
}

/** Returns whether a query leaves out passages of the memories that it finds: those with a word, or of other speakers. */
export function isStrict(q: string): boolean {
  return readPieces(q).some(({ kind, text }) => kind === 'without' || /^speaker:\S/iu.test(text));
}

/**
 * Returns a query with another word in the place of a folded one. If it is not found, because the gateway
 * folds more letters than this, the other word is added.
 */
export function replaceWord(q: string, word: string, by: string): string {
  const replaced = q.replaceAll(/[\p{L}\p{N}\p{M}]+/gu, (run) => (fold(run) === word ? by : run));
  return replaced === q ? `${q} ${by}` : replaced;
}

/** Returns a query with the words that were searched instead of those that occur nowhere. Several for one are joined. */
export function corrected(
  q: string,
  instead: Readonly<Record<string, readonly string[]>>,
  by = ' ',
): string {
  return Object.entries(instead).reduce(
    (query, [word, near]) => replaceWord(query, word, near.join(by)),
    q,
  );
}

/** The most characters of a query. */
const MOST = 1024;

/** The last word of a query, if a word ends it. */
const LAST = /[\p{L}\p{N}\p{M}]+(?=\s*$)/u;

/** Returns the last word of a query, folded: the one that may be half typed. Empty: something else ends it. */
export function lastWord(q: string): string {
  return readPieces(q).at(-1)?.kind === 'word' ? fold(LAST.exec(q)?.[0] ?? '') : '';
}

/**
 * Returns a query that also finds words that begin with its last one, because it may be half typed. One letter begins too
 * many, except alone.
 */
export function openEnd(q: string): string {
  const { length } = lastWord(q);
  const isOpen = length > 1 || (length === 1 && readPieces(q).length === 1);
  return isOpen && q.length < MOST ? `${q.trimEnd()}…` : q;
}

/** Splits a text at its words, so that every second part is a word, and tells whether it is one of some folded words. */
export function splitAtWords(text: string, words: ReadonlySet<string>) {
  return text
    .split(/([\p{L}\p{N}\p{M}]+)/u)
    .map((part) => ({ text: part, isMarked: words.has(fold(part)) }));
}

/** Folds case and accents. The tokenizer folds more, but it would be 1 kB of the app for these links alone. */
export function fold(text: string): string {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '');
  return plain.toUpperCase().toLowerCase(); // before lower case, for ß
}
