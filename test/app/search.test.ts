// What the search of the app computes without a browser: its request, groups, marks, and the query as it was understood.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import {
  groupPassages,
  saidFirst,
  shownLines,
  linePath,
  splitByMarks,
  withNewWords,
} from '../../src/app/browser/screens/search/passages.ts';
import { inputOf } from '../../src/app/browser/state/search/search-input.ts';
import { searchPath } from '../../src/app/browser/state/search/search-path.ts';
import type { Passage } from '../../src/contract/schemas/passages.ts';
import {
  isStrict,
  corrected,
  openEnd,
  readPieces,
  replaceWord,
  splitAtWords,
} from '../../src/text/query-pieces.ts';

const PASSAGE: Passage = {
  memory_id: 'a',
  name: 'Kitchen plan',
  started_at: '2026-11-18T17:42:10.250Z',
  is_processing: false,
  source: 'transcript',
  lines: [41, 43],
  text: 'Mira: Where is it?\nTomas: The crystal milk went.\nMira: Oh.',
  marks: [
    [30, 37],
    [38, 42],
  ],
};

const textOf = (parts: readonly { readonly text: string; readonly isMarked: boolean }[]) =>
  parts.map(({ text, isMarked }) => (isMarked ? `[${text}]` : text)).join('');

describe('The request of a search', () => {
  it('is the query of the address, and nothing if there is no text', () => {
    assert.deepEqual(inputOf('q=stra%C3%9Fe+kit*', 'UTC'), {
      q: 'straße kit*',
      timezone: 'UTC',
    });
    for (const query of ['', 'q=', 'q=+', 'from=2026-01-01'])
      assert.equal(inputOf(query, 'UTC'), undefined, query);
  });

  it('has days of the zone of the reader, and the last day belongs to it', () => {
    assert.deepEqual(
      inputOf('q=a&from=2026-10-25&to=2026-12-31&state=processing', 'Europe/Berlin'),
      {
        q: 'a',
        started_after: '2026-10-25',
        started_before: '2027-01-01',
        timezone: 'Europe/Berlin',
        is_processing: true,
      },
    );
    assert.equal(inputOf('q=a&state=ready', 'UTC')?.is_processing, false);
    assert.deepEqual(inputOf('q=a&person=Ana+B&person=Cem&tag=work&source=bee', 'UTC'), {
      q: 'a',
      timezone: 'UTC',
      person: ['Ana B', 'Cem'],
      tag: 'work',
      source: 'bee',
    });
  });

  it('leaves a day that is none to the gateway, which says what is wrong', () => {
    assert.equal(inputOf('q=a&to=soon', 'UTC')?.started_before, 'soon');
  });

  it('holds the filters when the query changes, and drops empty ones', () => {
    assert.equal(searchPath('q=a&from=2026-01-01', { q: 'b c' }), 'search?q=b+c&from=2026-01-01');
    assert.equal(searchPath('q=a&from=2026-01-01', { from: '' }), 'search?q=a');
    assert.equal(searchPath('q=a', { q: '' }), 'search');
  });

  it('has every person of a list, and none of those before', () => {
    const path = searchPath('person=Ana&q=a&person=Bo', { person: ['Bo', 'Cem'] });
    assert.equal(path, 'search?person=Bo&q=a&person=Cem');
    assert.equal(searchPath('person=Ana&q=a&person=Bo', { person: [] }), 'search?q=a');
  });
});

describe('Passages', () => {
  it('stand under their memories, which are best first, in the order of their lines', () => {
    const passages = ['b', 'a', 'b', 'c', 'a'].map((memory_id, i) => ({
      ...PASSAGE,
      memory_id,
      lines: [9 - i, 9 - i],
    }));
    assert.deepEqual(
      groupPassages(passages).map((group) => [
        group[0]?.memory_id,
        ...group.map(({ lines }) => lines[0]),
      ]),
      [
        ['b', 7, 9],
        ['a', 5, 8],
        ['c', 6],
      ],
    );
    assert.deepEqual(groupPassages([]), []);
  });

  it('that mark a word for the first time are told apart, so that each word is shown', () => {
    const saying = (text: string, ...words: string[]) => ({
      ...PASSAGE,
      text,
      marks: words.map((word) => [text.indexOf(word), text.indexOf(word) + word.length]),
    });
    const all = [
      saying('Education in Wales', 'Education', 'Wales'),
      saying('education for wales', 'education', 'wales'),
      { ...PASSAGE, marks: [] },
      saying('The budget of Wales', 'budget', 'Wales'),
    ];
    assert.deepEqual(withNewWords(all), [all[0], all[3]]);
  });

  it('are those with marks, and the best of a memory also without', () => {
    const best = { ...PASSAGE, lines: [9, 9], marks: [] };
    const around = { ...PASSAGE, lines: [1, 8], marks: [] };
    assert.deepEqual(groupPassages([best, PASSAGE, around]), [[best, PASSAGE]]);
    assert.deepEqual(groupPassages([PASSAGE, around]), [[PASSAGE]]);
  });

  it('come last if only the names of those who speak have marks, and show a line of theirs with the name', () => {
    const text = 'Henrik: Frame that.\nSam: Oh, Henrik.\nHenrik: So it works.';
    const both = {
      ...PASSAGE,
      lines: [7, 9],
      text,
      marks: [
        [0, 6],
        [29, 35],
        [37, 43],
      ],
    };
    const spoken = { ...PASSAGE, lines: [3, 4], text: 'Sam: Hm.\nHenrik: Yes.', marks: [[9, 15]] };
    const meant = { ...PASSAGE, marks: [] };
    const summary = {
      ...PASSAGE,
      source: 'summary' as const,
      lines: [],
      text: 'Henrik: ill',
      marks: [[0, 6]],
    };
    assert.deepEqual(saidFirst([spoken, both, meant, summary]), [
      { ...both, marks: [[29, 35]] },
      meant,
      summary,
      { ...spoken, lines: [4, 4], text: 'Henrik: Yes.', marks: [[0, 6]], isSpoken: true },
    ]);
  });

  it('show the longest line of a person whose name it is, with the name marked, once for each memory', () => {
    const name = 'Professor B';
    const marksAt = (...starts: number[]) =>
      starts.flatMap((at) => [
        [at, at + 9],
        [at + 10, at + 11],
      ]);
    const text = `${name}: Oh.\n${name}: We meet on Monday.`;
    const spoken = { ...PASSAGE, lines: [4, 5], text, marks: marksAt(0, 17) };
    const found = saidFirst([spoken, { ...spoken, lines: [8, 9] }]);
    const [best, ...others] = groupPassages(found)[0] ?? [];
    assert.deepEqual(best, {
      ...spoken,
      lines: [5, 5],
      text: `${name}: We meet on Monday.`,
      marks: marksAt(0),
      isSpoken: true,
    });
    assert.deepEqual(others, []);
  });

  it('show their first lines if nothing is marked, because they are found by their meaning', () => {
    const text = ['Mira: One.', 'Tomas: Two.', 'Mira: Three.', 'Mira: Four.'].join('\n');
    assert.deepEqual(
      shownLines({ ...PASSAGE, lines: [5, 8], text, marks: [] }).map(({ number, turn, said }) => [
        number,
        textOf(turn) + textOf(said),
      ]),
      [
        [5, 'Mira: One.'],
        [6, 'Tomas: Two.'],
        [7, 'Mira: Three.'],
      ],
    );
    const name: Passage = {
      ...PASSAGE,
      source: 'name',
      lines: [],
      text: 'Plan: milk',
      marks: [],
    };
    assert.deepEqual(
      shownLines(name).map(({ speaker, said }) => [speaker, textOf(said)]),
      [[undefined, 'Plan: milk']],
    );
  });

  it('show the lines with marks, with their numbers and speakers', () => {
    const [line, ...others] = shownLines(PASSAGE);
    assert.deepEqual(others, []);
    assert.equal(line?.number, 42);
    assert.equal(line.speaker, 'Tomas');
    assert.equal(textOf(line.turn), 'Tomas:');
    assert.equal(textOf(line.said), ' The [crystal] [milk] went.');
  });

  it('show what somebody says whom the search asks for, in any case, if others say the words', () => {
    const text = ['Mira: One.', 'Zoë: Two.', 'Mira: Milk.', 'Zoë: Four.'].join('\n');
    const passage = { ...PASSAGE, lines: [5, 8], text, marks: [[26, 30]] };
    const shown = (...people: string[]) => shownLines(passage, people).map(({ number }) => number);
    assert.deepEqual(shown(), [7]);
    assert.deepEqual(shown('Mira'), [7]);
    assert.deepEqual(shown('ZOE'), [6, 7]);
    assert.deepEqual(
      shownLines(passage, ['Zoë']).map(({ isContext }) => isContext),
      [true, false],
      'what has no word is no hit',
    );
    assert.deepEqual(shown('Nobody'), [7]);
    const first = { ...passage, text: text.split('\n').slice(2).join('\n'), marks: [[6, 10]] };
    assert.deepEqual(
      shownLines(first, ['Zoë']).map(({ number }) => number),
      [5, 6],
    );
  });

  it('mark the name of a speaker, and a mark over several lines in each', () => {
    const [summary] = shownLines({ ...PASSAGE, source: 'summary', lines: [] });
    assert.equal(summary?.speaker, undefined, 'words before a colon are no speaker');
    const named = shownLines({ ...PASSAGE, marks: [[0, 4]] });
    assert.deepEqual(
      named.map(({ turn }) => textOf(turn)),
      ['[Mira]:'],
    );
    const across = shownLines({ ...PASSAGE, marks: [[12, 30]] });
    assert.deepEqual(
      across.map(({ number, turn, said }) => [number, textOf(turn), textOf(said)]),
      [
        [41, 'Mira:', ' Where [is it?]'],
        [42, '[Tomas:]', '[ The ]crystal milk went.'],
      ],
    );
  });

  it('have no numbers and addresses of lines outside the transcript', () => {
    const summary: Passage = { ...PASSAGE, source: 'summary', lines: [] };
    assert.equal(shownLines(summary)[0]?.number, undefined);
    assert.equal(linePath(summary, undefined, 'a b'), 'm/a?q=a+b');
  });

  it('lead to each line with a mark, with the query', () => {
    assert.equal(
      linePath(PASSAGE, 42, '"crystal milk" 100%'),
      'm/a?q=%22crystal+milk%22+100%25#L42',
    );
  });

  it('begin a long line shortly before its first mark, never within a character', () => {
    const long = (text: string, marks: number[][]) =>
      textOf(shownLines({ ...PASSAGE, lines: [1, 1], text, marks })[0]?.said ?? []);
    const words = `${'word '.repeat(200)}milk ${'word '.repeat(200)}`;
    assert.match(long(words, [[1000, 1004]]), /^ …(word ){10,20}\[milk\] (word ){200}$/);
    const emoji = `${'🍲'.repeat(200)}x${'🍲'.repeat(50)}`; // the cut would be between two halves
    const shown = long(emoji, [[421, 423]]);
    assert.ok(shown.isWellFormed());
    assert.match(shown, /^ …(🍲){35,45}x(🍲){10}\[🍲\](🍲){39}$/u);
  });

  it('are the same text in parts, whatever the marks are', () => {
    const text = '<b>אב</b> 👨‍👩‍👧 𝒜 <mark>';
    for (const marks of [
      [],
      [[0, 3]],
      [
        [3, 5],
        [5, 9],
      ],
      [[0, text.length]],
      [[2, 99]],
      [[4, 4]],
    ]) {
      const parts = splitByMarks({ text, marks }, 0, text.length);
      assert.equal(parts.map((part) => part.text).join(''), text);
      assert.ok(parts.every((part) => part.text !== ''));
    }
  });
});

describe('A query as it was understood', () => {
  it('has words, phrases and prefixes', () => {
    assert.deepEqual(readPieces('straße "crystal milk" kit* — ? "" * 🍲'), [
      { kind: 'word', text: 'straße' },
      { kind: 'phrase', text: 'crystal milk' },
      { kind: 'prefix', text: 'kit' },
      { kind: 'word', text: '🍲' },
    ]);
    assert.deepEqual(readPieces('an "open quote'), [
      { kind: 'word', text: 'an' },
      { kind: 'word', text: 'open' },
      { kind: 'word', text: 'quote' },
    ]);
    assert.deepEqual(readPieces(' '), []);
    const named = ['speaker:"Ann Lee"', 'tag:"my work"', 'source:omi', 'before:2026', 'after:2025'];
    assert.deepEqual(
      readPieces(named.join(' ')),
      named.map((text) => ({ kind: 'only', text })),
    );
  });

  it('gets a near word in the place of one that occurs nowhere', () => {
    assert.equal(replaceWord('the Crystl milk', 'crystl', 'crystal'), 'the crystal milk');
    assert.equal(
      replaceWord('"crystl milk" crystls', 'crystl', 'crystal'),
      '"crystal milk" crystls',
    );
    assert.equal(replaceWord('Strasße (Café)', 'strassse', 'strasse'), 'strasse (Café)');
    assert.equal(replaceWord('Cafè!', 'cafe', 'cafés'), 'cafés!');
    assert.equal(replaceWord('smørk', 'smork', 'smørt'), 'smørk smørt');
  });

  it('opens a memory with the words that were searched instead', () => {
    assert.equal(corrected('milk', {}), 'milk');
    const instead = { frigde: ['fridge', 'bridge'], mlk: ['milk'] };
    assert.equal(corrected('Frigde mlk', instead), 'fridge bridge milk');
  });

  it('leaves out passages by a word or by who speaks', () => {
    for (const q of ['tea -milk', 'speaker:"Ana B" tea', 'Speaker:ana']) assert.ok(isStrict(q), q);
    for (const q of ['tea - milk', '"-milk"', 'tag:work before:2026', 'speaker: ana'])
      assert.ok(!isStrict(q), q);
  });

  it('marks whole words of a name, whatever their case and accents', () => {
    const marked = (name: string, ...words: string[]) => textOf(splitAtWords(name, new Set(words)));
    assert.equal(marked('Tea, and a Téa-pot', 'tea'), '[Tea], and a [Téa]-pot');
    assert.equal(marked('Teapot', 'tea'), 'Teapot');
    assert.equal(marked('', 'tea'), '');
  });

  it('has an open end if a word ends it, which may be half typed', () => {
    assert.equal(openEnd('crystal supp'), 'crystal supp…');
    assert.equal(openEnd('Straß '), 'Straß…');
    assert.equal(openEnd('"crystal" sup'), '"crystal" sup…');
    assert.equal(openEnd('s'), 's…');
    for (const q of ['a s', 'supp*', '"supp"', 'tea -supp', 'tag:supp', 'supp?', ''])
      assert.equal(openEnd(q), q);
    const long = `${'a '.repeat(510)}supp`;
    assert.equal(openEnd(long), long, 'too long');
  });
});
