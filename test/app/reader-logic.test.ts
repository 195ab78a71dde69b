// What the reader of the app computes without a browser: lines and their links, speakers and shares, hits.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import {
  findText,
  hitsOf,
  mergeHits,
  typedQuery,
} from '../../src/app/browser/screens/reader/hits.ts';
import {
  findLines,
  fragmentOf,
  hashOf,
  quoteOf,
  readFragment,
  readStart,
} from '../../src/app/browser/screens/reader/lines.ts';
import { turnFrom } from '../../src/app/browser/screens/reader/speakers.ts';
import { hueClass, hueOf, hueOwnersOf, huesOf } from '../../src/text/hues.ts';
import { countWords, sharesOf } from '../../src/text/shares.ts';
import { isSpeakerLabel } from '../../src/text/speaker.ts';
import { splitTranscript } from '../../src/text/turns.ts';

describe('The start of a long memory', () => {
  const json = (transcript: string) =>
    JSON.stringify({ id: 'a', name: ',"transcript":"', transcript });
  const lines = Array.from({ length: 2000 }, (_, i) => `Mira: turn ${i}, "quoted" \\ and more.`);

  it('has its whole lines, and all other fields', () => {
    const start = readStart(json(lines.join('\n')).slice(0, 50_000));
    const shown = start?.transcript.split('\n') ?? [];
    assert.ok(shown.length > 100 && shown.length < 1000, String(shown.length));
    assert.deepEqual(shown, lines.slice(0, shown.length));
    assert.equal(start?.name, ',"transcript":"');
  });

  it('is not there without a whole line, or if the text breaks in an escape', () => {
    assert.equal(readStart(json('x'.repeat(50_000))), undefined);
    assert.equal(readStart('{"id":"a","name":"b\\nc'), undefined);
    assert.equal(readStart(String.raw`{"id":"a","transcript":"C:\\new`), undefined);
  });
});

describe('Lines of a transcript', () => {
  it('have their speakers, by the rule of the Markdown export', () => {
    const lines = splitTranscript(
      'Mira: Milk.\nTomas: Which one?\n\n12:30 no speaker\nhttp://x\n: x\n佐藤: はい\nAna María: sí',
    );
    assert.deepEqual(
      lines.map(({ speaker }) => speaker),
      ['Mira', 'Tomas', undefined, undefined, undefined, undefined, '佐藤', 'Ana María'],
    );
    assert.equal(
      lines
        .map(({ text }) => text)
        .join('|')
        .split('|')[3],
      '12:30 no speaker',
    );
    assert.deepEqual(splitTranscript(''), []);
  });

  it('have speakers whose office stands in brackets behind the name, however long', () => {
    const minister =
      'Hon. Mélanie Joly (Minister of Economic Development and Official Languages (Ahuntsic, Lib.))';
    const spoken = [
      `${minister}: Mr. Chair, I agree.`,
      `${'a'.repeat(60)}: yes`,
      `${'a'.repeat(61)}: no`,
      `Ann (${'b'.repeat(138)}): no`,
    ];
    assert.deepEqual(
      splitTranscript(spoken.join('\n')).map(({ speaker }) => speaker),
      [minister, 'a'.repeat(60), undefined, undefined],
    );
  });
});

describe('A link to lines', () => {
  const lines = splitTranscript('one\ntwo\nthree\ntwo\nfive');

  it('names them by number, and the first and the rest by a hash of four characters each', () => {
    assert.match(fragmentOf(lines, { first: 2, last: 2 }), /^L2~[0-9a-z]{4}$/);
    assert.match(fragmentOf(lines, { first: 2, last: 4 }), /^L2-4~[0-9a-z]{8}$/);
    assert.equal(hashOf('two'), hashOf('two'));
    assert.notEqual(hashOf('two'), hashOf('three'));
    assert.match(hashOf(''), /^[0-9a-z]{4}$/);
  });

  it('is read from a fragment, and any other fragment is ignored', () => {
    const read = (text: string) => {
      const found = readFragment(text);
      return found && [found.first, found.last, found.hash];
    };
    assert.deepEqual(read('L12'), [12, 12, undefined]);
    assert.deepEqual(read('L12-14'), [12, 14, undefined]);
    assert.deepEqual(read('L14-12'), [14, 14, undefined]);
    assert.deepEqual(read('L12-14~k3f9'), [12, 14, 'k3f9']);
    for (const other of ['', 'L', 'L0', 'Lx', 'content', 'L1;2', 'L1~'])
      assert.equal(read(other), undefined, other);
  });

  it('finds its lines again if lines were added or removed before them', () => {
    const target = readFragment(fragmentOf(lines, { first: 3, last: 4 }));
    assert.ok(target !== undefined);
    const after = (text: string) => findLines(splitTranscript(text), target);
    assert.deepEqual(after('one\ntwo\nthree\ntwo\nfive'), { first: 3, last: 4 });
    assert.deepEqual(after('new\nnew\none\ntwo\nthree\ntwo'), { first: 5, last: 6 });
    assert.deepEqual(after('three\ntwo'), { first: 1, last: 2 });
    assert.equal(after('three'), undefined);
    assert.equal(after('one\ntwo\nfour'), undefined);
    assert.equal(after(''), undefined);
  });

  it('takes the line that is nearest to its number if several have the same text', () => {
    const of = (first: number) => ({ first, last: first, hash: hashOf('two') });
    assert.equal(findLines(lines, of(1))?.first, 2);
    assert.equal(findLines(lines, of(5))?.first, 4);
    assert.equal(findLines(lines, of(999_999_999))?.first, 4);
  });

  it('of several lines are lost if one of them has changed or is gone', () => {
    const before = splitTranscript('a\nb\nc\nd\ne');
    const fragment = fragmentOf(before, { first: 2, last: 4 });
    assert.match(fragment, /^L2-4~[0-9a-z]{8}$/);
    const target = readFragment(fragment);
    assert.ok(target !== undefined);
    assert.deepEqual(findLines(splitTranscript('x\ny\na\nb\nc\nd\ne'), target), {
      first: 4,
      last: 6,
    });
    for (const changed of ['a\nb\nd\ne', 'a\nb\nX\nd\ne', 'a\nb\nc\nX\nd', 'a\nb\nc'])
      assert.equal(findLines(splitTranscript(changed), target), undefined, changed);
    // A link of before has the hash of its first line alone.
    const old = readFragment(fragment.slice(0, -4));
    assert.deepEqual(old && findLines(splitTranscript('a\nb\nX\nd\ne'), old), {
      first: 2,
      last: 4,
    });
  });

  it('without a hash names a line by its number alone', () => {
    const of = (first: number, last = first) => ({ first, last, hash: undefined });
    assert.deepEqual(findLines(lines, of(5, 9)), { first: 5, last: 5 });
    assert.equal(findLines(lines, of(6)), undefined);
    assert.equal(findLines(lines, of(999_999_999)), undefined);
  });
});

describe('The speakers of a transcript', () => {
  it('have one of eight colours, the same everywhere', () => {
    const names = ['Mira', 'Tomas', 'Leila', '佐藤', ''];
    for (const hue of names.map((name) => hueOf(name))) assert.ok(hue >= 1 && hue <= 8);
    assert.ok(new Set(Array.from({ length: 100 }, (_, i) => hueOf(`Ana ${i}`))).size === 8);
  });

  it('have the hue of their name, or another one if somebody who says more has it', () => {
    const names = Array.from({ length: 8 }, (_, i) => `Ana ${i}`);
    assert.deepEqual(
      new Set(huesOf(names).values()),
      new Set([1, 2, 3, 4, 5, 6, 7, 8].map((hue) => `hue-${hue}`)),
    );
    assert.equal(hueOf('Mira Okafor'), hueOf('Ines Berg'));
    const hues = huesOf(['Ines Berg', 'Mira Okafor']);
    assert.equal(hueClass(hues, 'Ines Berg'), `hue-${hueOf('Ines Berg')}`);
    assert.notEqual(hueClass(hues, 'Mira Okafor'), hueClass(hues, 'Ines Berg'));
    assert.equal(hues.size, 2);
    // Also beside one like it, because a person is found again by it in lists and other memories.
    const named = (hue: number) =>
      Array.from({ length: 90 }, (_, i) => `Zoe ${i}`).find((name) => hueOf(name) === hue) ?? '';
    const [green, olive] = [named(3), named(8)];
    assert.deepEqual([...huesOf([olive, green]).values()], ['hue-8', 'hue-3']);
  });

  it('have eight different hues if they are in most memories, which nobody who says less takes from them', () => {
    const same = Array.from({ length: 90 }, (_, i) => `Zoe ${i}`).filter(
      (name) => hueOf(name) === hueOf('Ines Berg'),
    );
    const names = ['Mira', 'Ines Berg', ...same.slice(0, 6)];
    const owners = hueOwnersOf([...names, 'Later']);
    assert.deepEqual(new Set(owners), new Set(names));
    assert.deepEqual(
      new Set(names.map((name) => hueOf(name, owners))),
      new Set([1, 2, 3, 4, 5, 6, 7, 8]),
    );
    assert.equal(hueOf('Mira', owners), hueOf('Mira'), 'that of the name, if it is free');
    assert.equal(hueOf('Ines Berg', owners), hueOf('Ines Berg'));
    const [taken = ''] = same.slice(1, 6);
    const other = Array.from({ length: 90 }, (_, i) => `Ada ${i}`).find(
      (name) => hueOf(name) === hueOf(taken, owners),
    );
    const hues = huesOf([taken, String(other)], owners);
    assert.equal(hueClass(hues, taken), `hue-${hueOf(taken, owners)}`);
    assert.notEqual(hueClass(hues, String(other)), hueClass(hues, taken));
    assert.equal(hues.size, 2, 'of an owner who does not speak, nothing');
    assert.deepEqual(hueOwnersOf(['Mira']).filter(Boolean), ['Mira']);
  });

  it('have a label instead of a name if a recogniser does not know them, in several languages', () => {
    const labels =
      'Speaker 1|SPEAKER_00|Speaker A|spk_0|ch_1|Channel 2, Speaker 1|Unknown|Unknown Speaker|unidentified speaker 2|Sprecher 2|unbekannter Sprecher|Guest-1|Interviewer|发言人 1|話者2';
    for (const label of labels.split('|')) assert.ok(isSpeakerLabel(label), label);
    const names =
      'Chris|Chen|Charlotte|Guestin|Persson|Personne Dupont|Speakerman|Unknown Pleasures|Mira 1';
    for (const name of names.split('|')) assert.ok(!isSpeakerLabel(name), name);
  });

  it('have no colour everywhere if they only have a label, but one of their own in their memory', () => {
    const labels = ['Speaker 1', 'SPEAKER_00', 'Sprecher 2', 'Unknown'];
    assert.deepEqual(
      labels.map((label) => hueOf(label)),
      [0, 0, 0, 0],
    );
    const hues = huesOf(['Ines Berg', 'Speaker 1', 'Speaker 2']);
    assert.match(hues.get('Ines Berg') ?? '', new RegExp(`^hue-${hueOf('Ines Berg')}$`));
    assert.equal(new Set(hues.values()).size, 3);
    for (const hue of hues.values()) assert.match(hue, /^hue-[1-8]$/);
  });

  it('share a grey after the eight who say most, so that no colour is of two people', () => {
    const text = Array.from({ length: 50 }, (_, i) => `S${i}:${' word'.repeat(60 - i)}`);
    const hues = huesOf(
      sharesOf(splitTranscript(text.join('\n'))).flatMap(({ speaker }) => speaker ?? []),
    );
    const named = Array.from({ length: 8 }, (_, i) => hueClass(hues, `S${i}`));
    assert.deepEqual(
      named.toSorted(),
      [1, 2, 3, 4, 5, 6, 7, 8].map((hue) => `hue-${hue}`),
    );
    for (let i = 8; i < 50; i++) assert.equal(hueClass(hues, `S${i}`), 'hue-0');
    assert.deepEqual(huesOf(text).size, 8, 'also if all of them are asked for');
  });

  it('have shares by words, the largest first', () => {
    const shares = sharesOf(
      splitTranscript('Mira: one two three\nTomas: one\nno name here\nMira: '),
    );
    assert.deepEqual(shares, [
      { speaker: 'Mira', count: 1, share: 0.75 },
      { speaker: 'Tomas', count: 1, share: 0.25 },
    ]);
    assert.deepEqual(sharesOf(splitTranscript('nobody\nhere')), []);
  });

  it('are named up to the eighth; all others of 10,000 are one share', () => {
    const text = Array.from({ length: 10_000 }, (_, i) => `S${i}: word${i < 8 ? ' more' : ''}`);
    const shares = sharesOf(splitTranscript(text.join('\n')));
    assert.equal(shares.length, 9);
    assert.deepEqual(
      shares.slice(0, 8).map(({ speaker }) => speaker),
      ['S0', 'S1', 'S2', 'S3', 'S4', 'S5', 'S6', 'S7'],
    );
    assert.equal(shares[8]?.speaker, undefined);
    assert.equal(shares[8]?.count, 9992);
    assert.ok(Math.abs((shares[8]?.share ?? 0) - 9992 / 10_008) < 1e-9);
  });

  it('say as many words as there are spaces between, or characters in Chinese and Japanese', () => {
    assert.equal(countWords(' one  two\tthree '), 3);
    assert.equal(countWords('牛奶 and milk'), 4);
    assert.equal(countWords('مرحبا بالعالم'), 2);
    assert.equal(countWords(''), 0);
  });

  it('have turns, which begin where they speak after somebody else', () => {
    const lines = splitTranscript('A: 1\nA: 2\nB: 3\nB: 4\nnobody\nA: 6\nC: 7\nA: 8');
    assert.equal(turnFrom(lines, 1, 1), 6);
    assert.equal(turnFrom(lines, 6, 1), 8);
    assert.equal(turnFrom(lines, 8, 1), undefined);
    assert.equal(turnFrom(lines, 8, -1), 6);
    assert.equal(turnFrom(lines, 6, -1), 1);
    assert.equal(turnFrom(lines, 2, -1), 1, 'the beginning of the same turn');
    assert.equal(turnFrom(lines, 5, -1), 3, 'a line without a name belongs to the turn before');
    assert.equal(turnFrom([], 1, 1), undefined);
  });
});

describe('The hits of a query', () => {
  const passage = {
    memory_id: 'm',
    name: '',
    started_at: '',
    is_processing: false,
    source: 'transcript',
  } as const;
  const lines = splitTranscript('A: the milk\nB: crystal milk\nA: no');

  it('are the marks of passages as parts of lines, in order, with phrases in one', () => {
    const hits = hitsOf(
      [
        {
          ...passage,
          lines: [2, 3],
          text: 'B: crystal milk\nA: no',
          marks: [
            [3, 10],
            [11, 15],
            [19, 21],
          ],
        },
        { ...passage, lines: [1, 1], text: 'A: the milk', marks: [[7, 11]] },
        { ...passage, source: 'name', lines: [], text: 'milk', marks: [[0, 4]] },
      ],
      lines,
    );
    assert.deepEqual(hits, [
      { line: 1, start: 7, end: 11 },
      { line: 2, start: 3, end: 15 },
      { line: 3, start: 3, end: 5 },
    ]);
  });

  it('in a piece of a long line stand where the piece does', () => {
    const hits = hitsOf(
      [{ ...passage, lines: [2, 2], text: 'crystal milk', marks: [[8, 12]] }],
      lines,
    );
    assert.deepEqual(hits, [{ line: 2, start: 11, end: 15 }]);
  });

  it('are left out if the transcript has changed since', () => {
    assert.deepEqual(
      hitsOf([{ ...passage, lines: [1, 1], text: 'A: old', marks: [[3, 6]] }], lines),
      [],
    );
    assert.deepEqual(
      hitsOf([{ ...passage, lines: [9, 9], text: 'A: old', marks: [[3, 6]] }], lines),
      [],
    );
  });

  it('are found as written where the gateway cannot search', () => {
    assert.deepEqual(findText(lines, ' "MILK" '), [
      { line: 1, start: 7, end: 11 },
      { line: 2, start: 11, end: 15 },
    ]);
    assert.deepEqual(findText(lines, '"*'), []);
    // In lower case, this letter is two characters.
    const turkish = splitTranscript('Ada: İyi, İzmir iyi.');
    assert.deepEqual(findText(turkish, 'İYİ'), [
      { line: 1, start: 5, end: 8 },
      { line: 1, start: 16, end: 19 },
    ]);
    assert.deepEqual(findText(turkish, 'izmir'), [{ line: 1, start: 10, end: 15 }]);
  });

  it('are those of a phrase if several words are typed, and of a word that may go on', () => {
    assert.equal(typedQuery('Should patient but has'), '"Should patient but has"');
    assert.equal(typedQuery(' milk '), 'milk');
    assert.equal(typedQuery('mil'), 'mil*');
    assert.equal(typedQuery('牛'), '牛*');
    for (const q of ['mil*', '"crystal mil', 'milk?', 'mil* crystal '])
      // as in a search
      assert.equal(typedQuery(q), q.trim(), q);
    assert.equal(typedQuery('"crystal" mil'), '"crystal" mil*');
  });

  it('of words and of the text as it is written are counted once', () => {
    const word = { line: 2, start: 3, end: 10 };
    const inside = { line: 2, start: 3, end: 8 };
    const other = { line: 1, start: 8, end: 11 };
    assert.deepEqual(mergeHits([word], [other, inside]), [other, word]);
    assert.deepEqual(mergeHits([], [inside]), [inside]);
  });

  it('are all found as written, however many there are', () => {
    const many = splitTranscript(Array<string>(46_000).fill('A: milk').join('\n'));
    assert.equal(findText(many, 'milk').length, 46_000);
    assert.deepEqual(findText(many, 'milk').at(-1), { line: 46_000, start: 3, end: 7 });
  });
});

describe('A quote', () => {
  const lines = splitTranscript('Mira: A fridge?\nYes, a fridge.\nHenrik: Buy one.\nLucía: Two.');
  const quote = (first: number, last: number, start?: number, end?: number) =>
    quoteOf(lines, { first, last, ...(start !== undefined && { start }), ...(end && { end }) });

  it('of a part of a turn begins with the speaker', () => {
    assert.equal(quote(3, 3, 8, 12), 'Henrik: Buy');
    assert.equal(quote(3, 3, 7), 'Henrik: Buy one.', 'from behind the colon');
    assert.equal(quote(3, 3, 3, 12), 'Henrik: Buy', 'from within the name');
    assert.equal(quote(3, 3, 2, 5), 'Henri', 'of a name alone');
    assert.equal(quote(3, 3), 'Henrik: Buy one.');
  });

  it('of a line without a speaker begins with the speaker of its turn', () => {
    assert.equal(quote(2, 2), 'Mira: Yes, a fridge.');
    assert.equal(quote(2, 2, 5, 13), 'Mira: a fridge');
    assert.equal(quoteOf(splitTranscript('no name\nhere'), { first: 2, last: 2 }), 'here');
  });

  it('of several lines has the speaker of each', () => {
    assert.equal(quote(1, 3, 6, 12), 'Mira: A fridge?\nYes, a fridge.\nHenrik: Buy');
    assert.equal(quote(3, 4, 12), 'Henrik: one.\nLucía: Two.');
  });
});
