// What the margins of the reader compute without a browser: the score, the lines of takeaways, and the turns of one speaker.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { pointsOf } from '../../src/app/browser/screens/reader/margin/points.ts';
import { linesOf, turnsAfter, turnsOf } from '../../src/app/browser/screens/reader/speakers.ts';
import { landmarksOf } from '../../src/text/landmarks.ts';
import { bandsOf, createScale } from '../../src/text/score.ts';
import { splitTranscript } from '../../src/text/turns.ts';

describe('The score of a transcript', () => {
  const same = (names: readonly string[]) =>
    splitTranscript(names.map((name) => (name === '' ? '12345678' : `${name}: 12345`)).join('\n'));

  it('has a band for each turn, as high as its part of the text', () => {
    const lines = same(['A', 'B', 'B', 'A']);
    const bands = bandsOf(lines, createScale(lines), 8);
    assert.deepEqual(bands, [
      { speaker: 'A', from: 0, to: 2 },
      { speaker: 'B', from: 2, to: 6 },
      { speaker: 'A', from: 6, to: 8 },
    ]);
  });

  it('leaves out what is before the first speaker, and gives a line without one to the turn before it', () => {
    const lines = same(['', 'A', '', 'B']);
    const bands = bandsOf(lines, createScale(lines), 4);
    assert.deepEqual(bands, [
      { speaker: 'A', from: 1, to: 3 },
      { speaker: 'B', from: 3, to: 4 },
    ]);
    assert.deepEqual(bandsOf([], createScale([]), 4), []);
  });

  it('has fewer bands than lines if there are more lines than rows', () => {
    const lines = same(Array.from({ length: 46_000 }, (_, i) => (i % 2 ? 'A' : 'B')));
    const bands = bandsOf(lines, createScale(lines), 600);
    assert.ok(bands.length <= 600);
    assert.equal(bands.at(-1)?.to, 600);
  });

  it('shows who leads where if a row is less than a turn, in bands that can be seen', () => {
    // Each third turn is of somebody else than who leads the half.
    const lines = same(
      Array.from({ length: 1800 }, (_, i) => {
        const [leader, other] = i < 900 ? (['A', 'B'] as const) : (['B', 'A'] as const);
        return i % 3 === 2 ? other : leader;
      }),
    );
    assert.deepEqual(bandsOf(lines, createScale(lines), 600), [
      { speaker: 'A', from: 0, to: 300 },
      { speaker: 'B', from: 300, to: 600 },
    ]);
    const mixed = same(Array.from({ length: 2000 }, (_, i) => 'ABCDE'.charAt((i * i) % 5)));
    for (const { from, to } of bandsOf(mixed, createScale(mixed), 600).slice(0, -1))
      assert.ok(to - from >= 5, `${from} to ${to}`);
  });

  it('shows every turn of somebody who is read alone, however short', () => {
    const lines = same(Array.from({ length: 3000 }, (_, i) => (i % 500 === 7 ? 'C' : 'A')));
    const own = (only?: string) =>
      bandsOf(lines, createScale(lines), 600, { only }).filter(({ speaker }) => speaker === 'C');
    assert.equal(own().length, 0);
    assert.equal(own('C').length, 6);
  });

  it('finds the line at each place, and the place of each line', () => {
    const lines = same(['A', 'B', 'A', 'B']);
    const { startOf, lineAt } = createScale(lines);
    assert.deepEqual([1, 2, 3, 4, 5].map(startOf), [0, 0.25, 0.5, 0.75, 1]);
    assert.deepEqual([0, 0.24, 0.25, 0.9, 1].map(lineAt), [1, 1, 2, 4, 4]);
    assert.equal(createScale([]).startOf(1), 0);
  });
});

describe('The takeaways of a memory', () => {
  const lines = splitTranscript(
    [
      'Mira: Good morning, everybody is here today.',
      'Tomas: The crystal of the recorder is broken again.',
      'Mira: Then we change the supplier of the crystal.',
      'Tomas: Everybody should order milk today.',
      'سلمى: اشتريت الحليب أمس',
      '佐藤: 昨日牛乳を買いました',
      ...Array.from({ length: 20 }, (_, i) => `Mira: Everybody is here today, part ${i}.`),
    ].join('\n'),
  );

  it('lead to the lines that have their rare words', () => {
    assert.deepEqual(
      pointsOf(lines, ['Change the supplier of the crystal', 'Order milk', '牛乳を買う', 'الحليب']),
      [3, 4, 6, 5],
    );
  });

  it('have no line if they share only words that are everywhere, or too few', () => {
    assert.deepEqual(
      pointsOf(lines, [
        'Everybody is here today',
        'Milk prices in Norwegian supermarkets',
        '',
        'ok',
      ]),
      [undefined, undefined, undefined, undefined],
    );
    assert.deepEqual(pointsOf([], ['Order milk']), [undefined]);
  });
});

describe('The landmarks of a transcript without chapters', () => {
  /** Each hundred lines speak of another thing, and name it in a sentence of their 13th line. */
  const linesOfTalk = (count: number) =>
    splitTranscript(
      Array.from({ length: count }, (_, i) => {
        const thing = ['fridge', 'kettle', 'gutter', 'ladder', 'window'][Math.floor(i / 100) % 5];
        return `A: ${i % 100 === 12 ? `So, the new ${thing} is late.` : ''} ${'milk '.repeat(40)}${thing}`;
      }).join('\n'),
    );

  it('are short whole sentences that tell what is spoken of in a part and nowhere else', () => {
    const lines = linesOfTalk(400);
    const scale = createScale(lines);
    assert.deepEqual(landmarksOf(lines, { ...scale, height: 40_000 }), [
      { line: 13, text: 'The new fridge is late.' },
      { line: 113, text: 'The new kettle is late.' },
      { line: 213, text: 'The new gutter is late.' },
      { line: 313, text: 'The new ladder is late.' },
    ]);
    // One in each 300 lines and in each half, or none.
    const fridge = `A: The new fridge is late.${' fridge'.repeat(1900)}\n`;
    const thin = (before: number, after: number) => {
      const yes = [before, after].map((count) => 'B: Yes.\n'.repeat(count));
      return landmarksOf(splitTranscript(yes.join(fridge)), { ...scale, height: 40_000 });
    };
    assert.deepEqual(
      [thin(200, 200), thin(0, 400), thin(400, 0), thin(700, 700)].map((all) => all.length),
      [1, 0, 0, 0],
    );
    const long = linesOfTalk(5000);
    assert.ok(landmarksOf(long, createScale(long)).length <= 8);
  });

  it('have the time of their lines, or of the part alone, if lines have times', () => {
    const lines = linesOfTalk(500);
    const at = (ms: number, silence = 0) =>
      landmarksOf(
        lines,
        createScale(lines),
        lines.map((_, i) => (i % 7 === 1 ? null : i * ms + (i < 250 ? 0 : silence))),
      ).map(({ line, text }) => `${line} ${text}`);
    assert.deepEqual(at(6000), [
      '113 11 min · The new kettle is late.',
      '213 21 min · The new gutter is late.',
      '313 31 min · The new ladder is late.',
      '413 41 min · The new window is late.',
    ]);
    assert.deepEqual(at(10_000), ['122 20 min', '241 40 min', '361 1 h', '481 1 h 20 min']);
    // Nothing is said for an hour: no line is at 40 minutes.
    assert.deepEqual(at(6000, 3_600_000), [
      '213 21 min · The new gutter is late.',
      '251 1 h 20 min',
      '413 1 h 41 min · The new window is late.',
    ]);
  });

  it('are no courtesies, fillers, parts of sentences, or sentences that need the one before', () => {
    const said = (text: string) => {
      const lines = splitTranscript(
        ['fridge', 'kettle', 'gutter']
          .map((thing) => `A: ${text.replace('*', thing)} ${`${thing} `.repeat(1900)}`)
          .join('\n'),
      );
      return landmarksOf(lines, createScale(lines)).map((each) => each.text);
    };
    assert.deepEqual(said('Yeah, okay, so the * is really late.'), [
      'The fridge is really late.',
      'The kettle is really late.',
      'The gutter is really late.',
    ]);
    assert.equal(said('Here, Ms. Green has the *.')[0], 'Here, Ms. Green has the fridge.');
    for (const text of [
      'The * is, um, really late.',
      'Why not do a, a * of our own.',
      'The * is to the model model.',
      'Thank you for the * of today.',
      'It is a * that is late.',
      'The * of the new house is—',
      'The * of the new house is…',
      'The * of the new house',
      'The *.',
      'The * is of Mr.',
      `The * ${'of the house '.repeat(6)}is late.`,
    ])
      assert.deepEqual(said(text), [], text);
  });

  it('are none of a part that has no thing of its own, of which it speaks often', () => {
    const talk = (times: number) => {
      const lines = splitTranscript(
        ['fridge', 'kettle', 'gutter', 'ladder']
          .map(
            (thing) =>
              `A: The new ${thing} is late. ${`${thing} `.repeat(times)}${'milk '.repeat(2500)}`,
          )
          .join('\n'),
      );
      return landmarksOf(lines, createScale(lines)).length;
    };
    assert.deepEqual([talk(2), talk(8)], [0, 4]);
  });

  it('are none of a short one, or of a single line', () => {
    for (const text of ['', 'A: 1\nB: 2', 'milk '.repeat(50_000)]) {
      const lines = splitTranscript(text);
      assert.deepEqual(landmarksOf(lines, createScale(lines)), []);
    }
  });
});

describe('The turns of one speaker', () => {
  const lines = splitTranscript('A: 1\nA: 2\nB: 3\nmore\nA: 4\nB: 5');

  it('have all their lines, with those without a name', () => {
    assert.deepEqual(linesOf(lines, 'A'), [1, 2, 5]);
    assert.deepEqual(linesOf(lines, 'B'), [3, 4, 6]);
    assert.deepEqual(linesOf(lines, 'C'), []);
  });

  it('are counted as often as the name is shown', () => {
    assert.deepEqual(turnsOf(lines, 'A'), [1, 5]);
    assert.deepEqual(turnsOf(lines, 'B'), [3, 6]);
  });

  it('have the turns of others after the last line of each', () => {
    const after = (speaker: string) =>
      linesOf(lines, speaker).map((number) => turnsAfter(lines, number, speaker));
    assert.deepEqual(after('A'), [0, 1, 1]);
    assert.deepEqual(after('B'), [0, 1, 0]);
    const talk = splitTranscript('A: 1\nB: 2\nmore\nC: 3\nB: 4\nA: 5\nmore');
    assert.deepEqual(
      [1, 6, 7].map((number) => turnsAfter(talk, number, 'A')),
      [3, 0, 0],
    );
  });
});
