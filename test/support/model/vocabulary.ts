// A small vocabulary in several scripts, which lists the spellings that are one word, independently of the tokenizer.

import * as fc from 'fast-check';

/** A piece of text, and its words. */
export interface Piece {
  readonly spelling: string;
  readonly words: readonly string[];
}

/** Words separated by spaces, with all spellings of each. */
const SPELLINGS: Readonly<Record<string, readonly string[]>> = {
  cafe: ['Café', 'CAFÉ', 'cafe', 'Cafe\u0301'],
  cafes: ['cafés', 'CAFES'],
  caf: ['caf', 'CAF'],
  milk: ['milk', 'Milk', 'MILK'],
  and: ['and', 'AND'],
  or: ['or', 'OR'],
  not: ['not', 'NOT'],
  near: ['near', 'NEAR'],
  7: ['7'],
  strasse: ['Straße', 'STRASSE', 'strasse'],
  λογοσ: ['λόγος', 'ΛΟΓΟΣ', 'Λόγοσ'],
  елка: ['ёлка', 'Елка', 'ЁЛКА'],
  محمد: ['محمد', 'مُحَمَّد'],
  한국: ['한국', '\u1112\u1161\u11AB\u1100\u116E\u11A8'],
  한국어: ['한국어', '\u1112\u1161\u11AB\u1100\u116E\u11A8\u110B\u1165'],
};

/** Text of scripts without spaces, in which each character is a word. */
const SEQUENCES: readonly Piece[] = [
  { spelling: '日本', words: ['日', '本'] },
  { spelling: '日本語', words: ['日', '本', '語'] },
  { spelling: '本日', words: ['本', '日'] },
  { spelling: '語', words: ['語'] },
  { spelling: 'かく', words: ['か', 'く'] },
  { spelling: 'がく', words: ['が', 'く'] },
  { spelling: 'か\u3099く', words: ['が', 'く'] },
];

/** Prefixes: their spellings, and the words they match. */
const BEGINNINGS: readonly Piece[] = [
  ['c', 'c'],
  ['CAF', 'caf'],
  ['Café', 'cafe'],
  ['cafe\u0301', 'cafe'],
  ['mil', 'mil'],
  ['straß', 'strass'],
  ['ΛΌ', 'λο'],
  ['λόγος', 'λογοσ'],
  ['ЁЛ', 'ел'],
  ['مُح', 'مح'],
  ['한국', '한국'],
  ['7', '7'],
  ['日', '日'],
].map(([spelling = '', word = '']) => ({ spelling, words: [word] }));

const PIECES: readonly Piece[] = [
  ...Object.entries(SPELLINGS).flatMap(([word, all]) =>
    all.map((spelling) => ({ spelling, words: [word] })),
  ),
  ...SEQUENCES,
];

const BETWEEN = [' ', ' ', ' ', ', ', '. ', ' - ', '\n', '_', '/', ' “', ' _ ', '" "', '*'];

/** A text: its pieces, each with the separator before it. */
export interface Text {
  readonly spelling: string;
  readonly words: readonly string[];
}

/** A few words come often, so that searches find them. */
export const piece: fc.Arbitrary<Piece> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(...PIECES.filter(({ words }) => /^(caf|milk)/.test(words[0] ?? ''))),
  },
  { weight: 2, arbitrary: fc.constantFrom(...PIECES) },
);

export const beginning: fc.Arbitrary<Piece> = fc.constantFrom(...BEGINNINGS);

/** Text of up to the given number of words. Words of scripts without spaces can be adjacent. */
export function text(maxPieces: number): fc.Arbitrary<Text> {
  const parts = fc.array(fc.tuple(fc.constantFrom(...BETWEEN), piece), { maxLength: maxPieces });
  return parts.map(joinPieces);
}

/** Joins pieces to a text. */
export function joinPieces(parts: readonly (readonly [between: string, piece: Piece])[]): Text {
  return {
    spelling: parts
      .map(([between, { spelling }], i) => (i === 0 ? '' : between) + spelling)
      .join(''),
    words: parts.flatMap(([, { words }]) => words),
  };
}

/** Spells words in one of their spellings, chosen by number. */
export function respell(words: readonly string[], way: number): string {
  return words
    .map((word) => {
      const all = SPELLINGS[word] ?? [word];
      return all[way % all.length] as string;
    })
    .join(' ');
}
