// A small vocabulary in several scripts: which spellings are one word is said here, and asked of no code.

import * as fc from 'fast-check';

/** A piece of text, and the words it stands for. */
export interface Piece {
  readonly spelling: string;
  readonly words: readonly string[];
}

/** Words between spaces, and how each may be spelt. */
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

/** Text of scripts without spaces: each of its characters is a word. */
const SEQUENCES: readonly Piece[] = [
  { spelling: '日本', words: ['日', '本'] },
  { spelling: '日本語', words: ['日', '本', '語'] },
  { spelling: '本日', words: ['本', '日'] },
  { spelling: '語', words: ['語'] },
  { spelling: 'かく', words: ['か', 'く'] },
  { spelling: 'がく', words: ['が', 'く'] },
  { spelling: 'か\u3099く', words: ['が', 'く'] },
];

/** Beginnings of words: how they are spelt, and what they stand for. */
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

/** A text: pieces, and what stands before each of them. */
export interface Text {
  readonly spelling: string;
  readonly words: readonly string[];
}

/** Few words come often, so that they meet. */
export const piece: fc.Arbitrary<Piece> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(...PIECES.filter(({ words }) => /^(caf|milk)/.test(words[0] ?? ''))),
  },
  { weight: 2, arbitrary: fc.constantFrom(...PIECES) },
);

export const beginning: fc.Arbitrary<Piece> = fc.constantFrom(...BEGINNINGS);

/** Text of up to so many pieces; those of scripts without spaces may stand close. */
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

/** Spells words in one of the ways they may be spelt; a way is a number. */
export function respell(words: readonly string[], way: number): string {
  return words
    .map((word) => {
      const all = SPELLINGS[word] ?? [word];
      return all[way % all.length] as string;
    })
    .join(' ');
}
