// The tokenizer: which terms texts and queries have, in many scripts.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import * as fc from 'fast-check';

import { fitsIndex, indexTerms, prefixTerms } from '../../src/store/search/index-terms.ts';
import { readQuery } from '../../src/text/search-query.ts';
import { foldText, splitFolded, wordsOf } from '../../src/text/tokenizer.ts';
import { anything } from '../support/model/arbitrary-text.ts';
import { cases, sized } from '../support/world/thorough.ts';

const show = (text: string): string =>
  `${text} (${Array.from(text, (char) => char.codePointAt(0)?.toString(16)).join(' ')})`;

/** Texts that find each other. */
const ALIKE: Record<string, readonly (readonly string[])[]> = {
  Latin: [
    ['Café', 'CAFE', 'cafe\u0301', 'ｃａｆｅ', 'ca\u00ADfé', '\uFEFFcafé'],
    ['Việt Nam', 'VIET NAM', 'Viê\u0323t Nam', 'viet nam'],
    ['Đà Nẵng', 'da nang', 'ĐA NANG'],
    ['İstanbul', 'istanbul', 'ISTANBUL', 'ıstanbul'],
    ['Straße', 'STRASSE', 'STRAẞE', 'ſtraſse'],
    ['Łódź', 'lodz'],
    ['Søren Æbelø', 'soren aebelo', 'SØREN ÆBELØ'],
    ['cœur', 'COEUR', 'CŒUR'],
    ['ﬁn', 'FIN', 'fin'],
    ['Ŀ', 'l'],
    ['m²', 'M2'],
    ['Ⅷ', 'viii'],
    ['™', 'TM'],
    ['ǆ', 'Ǆ', 'ǅ', 'dž'],
    ['Qur’ān', "Qur'an", 'Qurʼan', 'Qurʾān'],
  ],
  Greek: [
    ['Όνομα', 'ΟΝΟΜΑ', 'ονομα', 'ὄνομα'],
    ['λόγος', 'ΛΟΓΟΣ', 'λογοσ'],
    ['ᾳ', 'ᾼ', 'α', '\u03B1\u0345'],
    ['ϐιϐλίο', 'βιβλίο'],
  ],
  Cyrillic: [
    ['ёлка', 'Елка', 'е\u0308лка'],
    ['Йод', 'иод', 'и\u0306од'],
    ['п’ять', "п'ять", 'пʼять'],
    ['а҃зъ', 'азъ'],
  ],
  Georgian: [['საქართველო', 'ᲡᲐᲥᲐᲠᲗᲕᲔᲚᲝ']],
  Armenian: [['և', 'եւ', 'ԵՒ']],
  Arabic: [
    ['مُحَمَّد', 'محمد', 'محـــمد', 'ﻣﺤﻤﺪ'],
    ['أحمد', 'احمد', 'ا\u0654حمد'],
    ['إسلام', 'اسلام'],
    ['قرآن', 'قران'],
    ['رحمٰن', 'رحمن'],
    ['ﻻ', 'لا'],
  ],
  Persian: [['می\u200Cخواهم', 'میخواهم']],
  Hebrew: [['שָׁלוֹם', 'שלום', '\uFB2Aלום']],
  Syriac: [['ܫܠܳܡܳܐ', 'ܫܠܡܐ']],
  Hindi: [
    ['\u0958लम', 'क\u093Cलम'],
    ['क्\u200Dष', 'क्ष', 'क्\u200Cष'],
  ],
  Tamil: [['கொ', 'க\u0BC6\u0BBE']],
  Thai: [['น้ำ', 'น\u0E49\u0E4D\u0E32']],
  Lao: [['ຳ', '\u0ECD\u0EB2']],
  Khmer: [['ភាសា\u200Bខ្មែរ', 'ភាសាខ្មែរ']],
  Burmese: [['ဦ', '\u1025\u102E']],
  Japanese: [
    ['ガギグ', 'ｶﾞｷﾞｸﾞ', 'カ\u3099キ\u3099ク\u3099'],
    ['パーティー', 'ﾊﾟｰﾃｨｰ'],
    ['㍿', '株式会社'],
    ['２０２６年', '2026年'],
  ],
  Chinese: [['\uF900', '豈']],
  Korean: [
    ['한국어', '\u1112\u1161\u11AB\u1100\u116E\u11A8\u110B\u1165'],
    ['가', '\uFFA1\uFFC2', 'ㄱㅏ', '\u1100\u200B\u1161'],
  ],
  emoji: [
    ['👍', '👍🏽', '👍\uFE0F'],
    ['❤️', '❤'],
    ['👨‍👩‍👧', '👨👩👧'],
    ['1️⃣', '1'],
  ],
};

/** Texts that do not find each other. */
const APART: Record<string, readonly (readonly [string, string])[]> = {
  Latin: [
    ['resume', 'resumes'],
    ['þ', 'th'],
    ['foo bar', 'foobar'],
  ],
  Cyrillic: [
    ['ь', 'ъ'],
    ['А', 'A'], // looks like the Latin one
  ],
  Arabic: [['ء', 'ا']],
  Persian: [['می خواهم', 'میخواهم']],
  Hindi: [
    ['कि', 'की'],
    ['क', 'का'],
    ['क', '\u0958'],
    ['कल', 'क्ल'],
  ],
  Tamil: [
    ['க', 'க்'],
    ['கொ', 'கோ'],
  ],
  Thai: [
    ['มา', 'ม้า'],
    ['กิ', 'กี'],
  ],
  Lao: [['ກາ', 'ກ້າ']],
  Khmer: [['កិ', 'កី']],
  Burmese: [['က', 'ကို']],
  Japanese: [
    ['か', 'が'],
    ['は', 'ぱ'],
    ['ば', 'ぱ'],
    ['ビル', 'ビール'],
    ['つ', 'っ'],
    ['か', 'カ'],
  ],
  Chinese: [['国', '國']],
  Korean: [
    ['가', '각'],
    ['한국 사람', '한국사람'],
  ],
  emoji: [
    ['👍', '👎'],
    ['🇩🇪', '🇫🇷'],
  ],
};

const WORDS: readonly (readonly [string, readonly string[]])[] = [
  ["don't stop—now", ['don', 't', 'stop', 'now']],
  ['snake_case e-mail a.b@c.de', ['snake', 'case', 'e', 'mail', 'a', 'b', 'c', 'de']],
  ['3.14 1,5 2026-03-14', ['3', '14', '1', '5', '2026', '03', '14']],
  ['x1y2', ['x1y2']],
  ['½', ['1', '2']],
  ['2026年', ['2026', '年']],
  ['東京は ラーメン', ['東', '京', 'は', 'ラ', 'ー', 'メ', 'ン']],
  ['人々', ['人', '々']],
  ['日本語abcテスト', ['日', '本', '語', 'abc', 'テ', 'ス', 'ト']],
  ['か\u309Aか', ['か\u309A', 'か']],
  ['ㄅㄆ', ['ㄅ', 'ㄆ']],
  ['ꀀꀁ', ['ꀀ', 'ꀁ']],
  ['한국어 문장', ['한국어', '문장']],
  ['ภาษาที่', ['ภ', 'า', 'ษ', 'า', 'ที่']],
  ['ปี๒๕๖๙', ['ปี', '๒๕๖๙']],
  ['ພາສາ', ['ພ', 'າ', 'ສ', 'າ']],
  ['ខ្មែរ', ['ខ្', 'មែ', 'រ']],
  ['မြန်မာ', ['မြ', 'န်', 'မာ']],
  ['ꦗꦮ', ['ꦗ', 'ꦮ']],
  ['हिन्दी में', ['हिन्दी', 'में']],
  ['བོད་སྐད', ['བོད', 'སྐད']],
  ['a👍b👍🏽', ['a', '👍', 'b', '👍']],
  ['🤷‍♂️', ['🤷', '♂']],
  ['🇩🇪🇫🇷🇮', ['🇩🇪', '🇫🇷']],
  ['© 2026 ®', ['2026']],
  ['´ ¨ \u0301 \u3099 ा', []],
  ['\0\uD83D \uDC4D\uD800a\uFFFD', ['a']],
  ['\uD835\u200D\uDC00', []], // two halves that would meet as 𝐀
  ['  \n\t_*"\'', []],
  ['', []],
];

/**
 * A query and its terms. Each term is written as words between spaces, with a `*` after a prefix.
 */
const QUERIES: readonly (readonly [string, readonly string[]])[] = [
  ['foo bar', ['foo', 'bar']],
  ['  Foo\u3000BAR\n', ['foo', 'bar']],
  ['"foo bar"', ['foo bar']],
  ['a "foo, bar" b', ['a', 'foo bar', 'b']],
  ['a"foo bar"b', ['a', 'foo bar', 'b']],
  ['"foo""bar baz"', ['foo', 'bar baz']],
  ['foo*', ['foo*']],
  ['Caf\u00C9* cafe\u0301*', ['cafe*']],
  ['stra\u00DF* foo\u00AD*', ['strass*', 'foo*']],
  ["don't don’t", ['don t']],
  ['東京', ['東 京']],
  ['東京*', ['東 京*']],
  ['foo-bar*', ['foo bar*']],
  ['foo\uFEFFbar', ['foobar']],
  ['👍🏽 👨‍👩‍👧', ['👍', '👨 👩 👧']],
  // Repeated terms count once.
  ['foo FOO "foo" Foo', ['foo']],
  ['foo foo* foo*', ['foo', 'foo*']],
  ['foo-bar "foo bar"', ['foo bar']],
  ['foo bar foo-bar', ['foo', 'bar', 'foo bar']],
  // There is no other syntax.
  ['foo AND bar OR NOT baz', ['foo', 'and', 'bar', 'or', 'not', 'baz']],
  ['NEAR(foo bar, 5)', ['near foo', 'bar', '5']],
  ['name:foo', ['name foo']],
  ['{name summary}: foo', ['name', 'summary', 'foo']],
  ['^foo -bar +baz', ['foo', 'bar', 'baz']],
  ['(foo)', ['foo']],
  ['foo + bar', ['foo', 'bar']],
  ["'foo bar'", ['foo', 'bar']],
  ['“foo bar”', ['foo', 'bar']],
  ['＂foo bar＂', ['foo', 'bar']],
  ['"foo bar', ['foo', 'bar']],
  ['foo "bar', ['foo', 'bar']],
  ['"foo bar" "baz qux', ['foo bar', 'baz', 'qux']],
  ['a*b', ['a b']],
  ['*foo', ['foo']],
  ['foo *', ['foo']],
  ['foo**', ['foo']],
  ['foo-*', ['foo']],
  ['foo*)', ['foo']],
  ['foo*.', ['foo']],
  ['foo＊', ['foo']],
  ['"foo bar*"', ['foo bar']],
  ['"foo bar"*', ['foo bar']],
  ['foo\\* %foo_', ['foo']],
  ['🐈 \uD83D', ['🐈']],
  // No terms.
  ...['', ' ', '!!!', '*', '"', '""', '"""', '"*"', '-', '\0', '\uDC00'].map(
    (q) => [q, []] as const,
  ),
];

const TRICKY = [
  'ᾳ ẞ İ ı Σ ς ŉ ǆ é đ ﬁ ʼ \uFDFA \u0301 \u0345 か \u3099 ﾞ ー 々 年 ก \u0E33 \u0E49 က \u1039 ि \u093C',
  '\u1100 \u1161 \u11A8 한 ㅎ ㅏ \u3164 \u0640 \u0651 ل ש \u200D \uFE0F \u20E3 \u034F \u{1D15E} \0',
  '👍 🏽 🇩 \uD835 \uDC00 \uD83D \uDC4D a B 7 ٣ \u3000 \uFEFF " * \' _ -',
].flatMap((line) => [' ', ...line.split(' ')]);
const PILES = '\u0F77 \u0CCB \u0344 \uFF9E \u0E48 \u0E38 \uFE71 \u{1D165} ि 年'.split(' ');
const halves = fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit));
const text = fc.oneof(
  fc.string(),
  anything,
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: halves }),
  fc.string({ unit: fc.constantFrom(...TRICKY), maxLength: 20 }),
);

/** More combining marks in a row than the tokenizer reads. Normalisation changes some of them. */
const piles = fc.string({ unit: fc.constantFrom(...PILES), minLength: 60, maxLength: 200 });

function holds(check: (chars: string) => void, of = fc.oneof(text, text, text, piles)): void {
  fc.assert(fc.property(of, check), { numRuns: cases(5000) });
}

/** Upper case turns the iota below ᾳ into a letter, so the two spellings are different words. */
const hasIotaBelow = (chars: string): boolean => chars.normalize('NFD').includes('\u0345');

function assertSameInAnyForm(chars: string): void {
  const words = wordsOf(chars);
  for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD'])
    assert.deepEqual(wordsOf(chars.normalize(form)), words, show(chars));
  if (hasIotaBelow(chars)) return;
  assert.deepEqual(wordsOf(chars.toUpperCase()), words, show(chars));
  assert.deepEqual(wordsOf(chars.toLowerCase()), words, show(chars));
}

describe('A word', () => {
  for (const [script, rows] of Object.entries(ALIKE)) {
    it(`is found however it is written: ${script}`, () => {
      for (const [first = '', ...others] of rows) {
        assert.notDeepEqual(wordsOf(first), [], show(first));
        for (const other of others)
          assert.deepEqual(wordsOf(other), wordsOf(first), `${show(first)}, ${show(other)}`);
      }
    });
  }

  for (const [script, pairs] of Object.entries(APART)) {
    it(`is not the same as another: ${script}`, () => {
      for (const [one, other] of pairs)
        assert.notDeepEqual(wordsOf(one), wordsOf(other), `${show(one)}, ${show(other)}`);
    });
  }

  it('is letters, digits and marks, or an emoji, or a flag', () => {
    const form = /^(?:[\p{L}\p{N}\p{M}]+|[\p{Extended_Pictographic}--[©®]]|\p{RI}{2})$/v;
    holds((chars) => {
      for (const word of wordsOf(chars)) assert.match(word, form);
    });
  });
});

describe('The words of a text', () => {
  it('are in order, and single characters in a script without spaces', () => {
    for (const [chars, words] of WORDS) assert.deepEqual(wordsOf(chars), words, show(chars));
  });

  it('are read from megabytes of one letter, and from texts of anything that could pile up', () => {
    const read = (unit: string, bytes: number): void => {
      const long = unit.repeat(bytes / Buffer.byteLength(unit));
      assert.equal(wordsOf(long).length > 0, wordsOf(unit).length > 0, show(unit));
      assert.equal(readQuery(long).length > 0, readQuery(unit).length > 0, show(unit));
    };
    for (const letter of ['a', 'я']) read(letter, cases(sized(20_000_000, 4_000_000), 1_000_000));
    const marks = ['\u0301\u0316', '\u0E48\u0E38', '\uFF9E\u0323', '\u0E48\u0E38\uFE71', 'ि'];
    for (const unit of [...marks, '東', '👍🏽', '\uD83D', '"', '"a', 'a* ', ' '])
      read(unit, cases(1_000_000));
  });

  it('are cut after 1,024 characters, and lose stacked marks', () => {
    assert.deepEqual(wordsOf('a'.repeat(2500)), [
      'a'.repeat(1024),
      'a'.repeat(1024),
      'a'.repeat(452),
    ]);
    assert.deepEqual(wordsOf(`क${'ि'.repeat(40)}क`), [`क${'ि'.repeat(30)}क`]);
    assert.deepEqual(wordsOf(`क${'ि\u0640'.repeat(40)}क`), [`क${'ि'.repeat(15)}क`]);
  });

  it('are the same with prefixes, whatever is beside them', () => {
    const dashes = fc
      .integer({ min: 0x2010, max: 0x2027 })
      .map((code) => String.fromCharCode(code));
    const ascii = fc.string({ unit: 'binary-ascii', maxLength: 20 });
    const chars = fc.array(fc.oneof(ascii, dashes, fc.constantFrom(' ', 'é', 'Σ', '\u0338'), text));
    const same = (all: string) =>
      assert.ok(
        indexTerms('7_', [all]).toString().trim() === prefixTerms('7_', wordsOf(all)),
        show(all.slice(0, 100)),
      );
    fc.assert(
      fc.property(chars, (parts) => same(parts.join(''))),
      { numRuns: cases(5000) },
    );
    for (const unit of [
      'a',
      'a ',
      'é',
      'é ',
      'a é',
      `é${'a'.repeat(15)}`,
      'é'.padEnd(17),
      '中',
      'a中',
    ])
      for (const times of [40, 1025, cases(100_000)]) same(unit.repeat(times));
  });

  it('fit the index up to a limit, to the byte, however long the text is', () => {
    for (const unit of ['milk and ', 'é', 'ﷺ ', '中a', 'x'])
      for (const times of [1, 1000, cases(300_000)]) {
        const long = unit.repeat(times);
        const { length } = indexTerms('', [long]);
        assert.ok(fitsIndex([long], length), `${unit} ${times}`);
        assert.ok(!fitsIndex([long], length - 1), `${unit} ${times}`);
      }
  });

  it('are the same if a long text is folded in slices', () => {
    const units = [
      'a',
      'Äb ',
      'ﷺ',
      '東',
      'कि',
      'กำ',
      '\uD83D',
      '👍🏽',
      'e\u0301',
      'x\u0327\u0301',
      '한',
      '\u1112\u1161\u11AB',
      'ㅎㅏㄴ',
      'ﾊﾝｶﾞ',
      '🇩🇪',
      'ΑΣ',
      'a\u200Db',
      'ʼa',
      'é'.repeat(1023),
    ];
    for (const unit of units.filter((_, i) => i % cases(1, 4) === 0))
      for (const before of ['', 'x']) {
        const long = before + unit.repeat(140_000 / unit.length);
        const atOnce = splitFolded(foldText(long)).join(' ');
        assert.ok(wordsOf(long).join(' ') === atOnce, show(before + unit));
      }
  });

  it('are unchanged if they are split again', () => {
    holds((chars) => {
      const words = wordsOf(chars);
      assert.deepEqual(wordsOf(words.join(' ')), words);
    });
  });

  it('are the same in any case and any normal form', () => {
    holds((chars) => assertSameInAnyForm(chars.toWellFormed()), text);
  });

  it('are the same in any case and any normal form, for each character there is', () => {
    // Ideographs and syllables are many and behave alike. Every day one in 17 of the others is tried.
    const isUniform = (code: number) => (code >= 0x4e00 && code < 0xd7a4) || code >= 0x2_0000;
    for (let code = 0; code <= 0x10ffff; code += cases(1, isUniform(code) ? 161 : 17)) {
      const char = String.fromCodePoint(code);
      if (!/[\p{L}\p{N}\p{M}\p{S}]/u.test(char)) continue;
      assertSameInAnyForm(char);
      assert.deepEqual(wordsOf(wordsOf(char).join(' ')), wordsOf(char), show(char));
    }
  });
});

describe('A query', () => {
  it('is words, "a phrase", prefix* and no other syntax', () => {
    for (const [q, terms] of QUERIES) {
      const read = readQuery(q).map((term) => term.words.join(' ') + (term.isPrefix ? '*' : ''));
      assert.deepEqual(read, terms, show(q));
    }
  });

  it('has all of its words and no others, each term once', () => {
    holds((q) => {
      const terms = readQuery(q);
      assert.deepEqual(new Set(terms.flatMap((term) => term.words)), new Set(wordsOf(q)));
      assert.equal(new Set(terms.map((term) => JSON.stringify(term))).size, terms.length);
      for (const term of terms) assert.notEqual(term.words.length, 0);
    });
  });

  it('finds the words between spaces in a text, and their prefixes', () => {
    holds((chars) => {
      const piece = chars.replaceAll(/["*\p{White_Space}]/gu, '');
      const words = wordsOf(piece);
      const expected = words.length === 0 ? [] : [{ words, isPrefix: false }];
      assert.deepEqual(readQuery(piece), expected);
      assert.deepEqual(readQuery(`"${piece}"`), expected);
      assert.deepEqual(readQuery(`${piece}x*`), [{ words: wordsOf(`${piece}x`), isPrefix: true }]);
    });
  });
});
