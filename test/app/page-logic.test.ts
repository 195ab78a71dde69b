// What the pages of the app compute without a browser: days and lengths.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { createFormats, languageOf } from '../../src/app/browser/format.ts';
import {
  isolated,
  nameOf,
  personOf,
  plainText,
  titleOf,
} from '../../src/app/browser/parts/title.ts';
import { spokenFor, totalsOf } from '../../src/app/browser/state/totals.ts';
import { lengthOf } from '../../src/text/length.ts';
import { longerName } from '../../src/text/same-name.ts';
import { nameOwner } from '../../src/text/speaker.ts';

describe('Names on the pages', () => {
  it('turn no text after them, whatever controls of direction they leave open or close', () => {
    for (const [name, shown] of [
      ['Weekly call', 'Weekly call'],
      ['\u05d0\u05d1', '\u05d0\u05d1'],
      ['a\u2066b', '\u2068a\u2066b\u2069\u2069'],
      ['a\u2067b\u2068c', '\u2068a\u2067b\u2068c\u2069\u2069\u2069'],
      ['a\u2067b\u2069c', '\u2068a\u2067b\u2069c\u2069'],
      ['a\u2069b', '\u2068ab\u2069'],
      ['\u2069\u2066a', '\u2068\u2066a\u2069\u2069'],
      ['a\u202eb', '\u2068a\u202eb\u2069'],
    ] as const) {
      assert.equal(titleOf(name), shown);
      assert.equal(isolated(name), shown);
    }
  });

  it('are cut after 300 letters, between characters and within their isolates', () => {
    const names = ['a'.repeat(100_000), `\u2066${'a'.repeat(400)}`, `${'a'.repeat(299)}😀😀`];
    assert.deepEqual(names.map(titleOf), [
      `${'a'.repeat(300)}…`,
      `\u2068\u2066${'a'.repeat(299)}…\u2069\u2069`,
      `${'a'.repeat(299)}…`,
    ]);
  });

  it('have a title if nothing of them is visible', () => {
    for (const name of ['', ' \u200b', '\u2066\u2069']) assert.equal(titleOf(name), 'Untitled');
  });
});

describe('Who may be the same person', () => {
  it('is somebody whose name goes on, and who is the only one', () => {
    const all = ['Ana', 'Ana Ruiz', 'Bo', 'Bo Lund', 'Bo Madsen', 'Eva', 'Eva Li (R&D and more)'];
    assert.equal(longerName('Ana', all), 'Ana Ruiz');
    assert.equal(longerName('Bo', all), undefined);
    assert.equal(longerName('Eva', all), 'Eva Li (R&D and more)');
  });

  it('are not several people whose names are one', () => {
    for (const both of ['& Bo', 'Ruiz & Bo', 'and Bo', 'Ruiz, Bo', 'Ruiz/Bo', '+ Bo', 'og Bo'])
      assert.equal(longerName('Ana', ['Ana', `Ana ${both}`]), undefined, both);
    assert.equal(longerName('Ana', ['Ana & Bo', 'Ana Ruiz', 'Ana Ruiz & Bo Lund']), 'Ana Ruiz');
    assert.equal(longerName('Ana', ['Ana', 'Ana Andersen']), 'Ana Andersen');
  });
});

describe('What products write', () => {
  it('has the owner as you, and everybody else by name', () => {
    assert.deepEqual(['User', 'Users', 'user', 'Mira'].map(personOf), [
      'You',
      'Users',
      'user',
      'Mira',
    ]);
    assert.deepEqual([' You ', 'Young', 'User', ' Mira '].map(nameOf), [
      'User',
      'Young',
      'User',
      'Mira',
    ]);
  });

  it('has the owner by name for others, and everybody else as before', () => {
    assert.equal(
      nameOwner('User: Mine.\nnobody\nBo: User: yours.\nUsers: ours.\nUser:', 'Ana $& B'),
      'Ana $& B: Mine.\nnobody\nBo: User: yours.\nUsers: ours.\nAna $& B:',
    );
  });

  it('is shown without marks of Markdown, and with all other signs', () => {
    for (const [written, shown] of [
      ['## Plan\n\n**Budget**: *fixed*, `npm start`', 'Plan\n\nBudget: fixed, npm start'],
      ['- Garlic\n  * Beans\n+ Salt', '• Garlic\n  • Beans\n• Salt'],
      ['- [ ] Call\n* [x] Buy', '• Call\n• Buy'],
      ['See [the plan](https://example.com/a_b).', 'See the plan.'],
      ['***Both***', 'Both'],
      ['**Half', '**Half'],
      ['2*3*4 = 24, 2 * 3, C# and #3', '2*3*4 = 24, 2 * 3, C# and #3'],
      ['a - b, __init__, snake_case, [sic] (so)', 'a - b, __init__, snake_case, [sic] (so)'],
      ['Ends on 5* * of 10', 'Ends on 5* * of 10'],
      ['', ''],
    ] as const)
      assert.equal(plainText(written), shown);
  });
});

describe('Times on the pages', () => {
  it('belong to the day in the time zone of the reader', () => {
    const iso = '2026-11-18T23:30:00.000Z';
    const dayIn = (zone: string) => createFormats({ language: 'en-GB', zone }).dayOf(iso);
    assert.equal(dayIn('UTC'), '2026-11-18');
    assert.equal(dayIn('Europe/Berlin'), '2026-11-19');
    assert.equal(dayIn('America/New_York'), '2026-11-18');
  });

  it('are told from now in the largest unit that fits', () => {
    const { fromNow } = createFormats({ language: 'en-GB', zone: 'UTC' });
    const now = Date.parse('2026-11-18T12:00:00.000Z');
    const told = (iso: string) => fromNow(iso, now);
    assert.equal(told('2026-11-18T11:59:30.000Z'), 'just now');
    assert.equal(told('2026-11-18T12:00:30.000Z'), 'in less than a minute');
    assert.equal(told('2026-11-18T11:56:00.000Z'), '4 minutes ago');
    assert.equal(told('2026-11-18T09:00:00.000Z'), '3 hours ago');
    assert.equal(told('2027-01-25T12:00:00.000Z'), 'in 68 days');
  });

  it('have lengths in seconds, minutes and hours, and none if it is not known', () => {
    assert.deepEqual([0, 59, 60, 880, 3600, 7500, 7199].map(lengthOf), [
      '',
      '59 s',
      '1 min',
      '15 min',
      '1 h',
      '2 h 5 min',
      '2 h',
    ]);
    const day = (memories: number, duration_seconds: number, isOpen = false) => ({
      memories,
      duration_seconds,
      isOpen,
    });
    assert.equal(totalsOf([day(0, 0)]), 'no memories');
    assert.equal(totalsOf([day(2, 0)]), '2 memories');
    assert.equal(totalsOf([day(2, 60)]), '2 memories, 1 min');
    assert.equal(totalsOf([day(2, 60), day(2, 60, true)]), '4 memories, at least 2 min');
    assert.equal(totalsOf([day(2, 60), day(3, 60, true)]), '5 memories', 'of a few only');
  });

  it('are told of a speaker only if most of the words can be said in them', () => {
    assert.equal(spokenFor(2487, 2000), '', 'of 159 lines, one has a time');
    assert.equal(spokenFor(10, null), '');
    assert.equal(spokenFor(150, 60_400), '1 min');
  });

  it('are in English, as the texts are', () => {
    assert.equal(languageOf(['de-DE', 'en-US']), 'en-US');
    assert.equal(languageOf(['de-DE']), 'en-GB');
    assert.equal(languageOf([]), 'en-GB');
  });
});
