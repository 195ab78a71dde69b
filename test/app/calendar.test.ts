// What the calendar computes: dates without a clock, days of 23 and 25 hours or none, and years.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import {
  addDays,
  addMonths,
  dayBounds,
  columnOf,
  isDate,
  startOfDate,
  weekStartOf,
} from '../../src/app/browser/dates.ts';
import { createFormats } from '../../src/app/browser/format.ts';
import { createDays, hoursOf, neighboursOf } from '../../src/app/browser/screens/calendar/days.ts';
import { totalsOf } from '../../src/app/browser/state/totals.ts';
import { lengthOf } from '../../src/text/length.ts';

const dayIn = (zone: string) => createFormats({ language: 'en-GB', zone }).dayOf;

describe('Dates of the calendar', () => {
  it('are those that exist', () => {
    for (const date of ['2026-11-18', '2024-02-29', '0000-01-01', '9999-12-31'])
      assert.ok(isDate(date), date);
    for (const text of ['2026-02-29', '2026-02-30', '2026-13-01', '2026-00-10', '2026-11', '', 'x'])
      assert.ok(!isDate(text), text);
  });

  it('follow each other over months, years and leap days', () => {
    assert.equal(addDays('2026-12-31', 1), '2027-01-01');
    assert.equal(addDays('2024-03-01', -1), '2024-02-29');
    assert.equal(addDays('2026-03-01', -1), '2026-02-28');
    assert.equal(addDays('0099-12-31', 1), '0100-01-01');
  });

  it('stay in the month that the reader goes to', () => {
    assert.equal(addMonths('2026-01-31', 1), '2026-02-28');
    assert.equal(addMonths('2024-03-31', -1), '2024-02-29');
    assert.equal(addMonths('2026-12-15', 1), '2027-01-15');
    assert.equal(addMonths('2026-01-15', -1), '2025-12-15');
    assert.equal(addMonths('2026-05-31', 1), '2026-06-30');
  });

  it('bound a request by its first day and the day after the last', () => {
    assert.deepEqual(dayBounds('2026-01-01', '2026-12-31'), {
      started_after: '2026-01-01',
      started_before: '2027-01-01',
    });
    // The API has no year 10000.
    assert.deepEqual(dayBounds('9999-12-31', '9999-12-31'), { started_after: '9999-12-31' });
  });

  it('have weeks that start as in the language of the reader', () => {
    assert.equal(weekStartOf('de-DE'), 1);
    assert.equal(weekStartOf('en-US'), 7);
    assert.equal(weekStartOf('ar-EG'), 6);
    // 2026-11-18 is a Wednesday.
    assert.equal(columnOf('2026-11-18', 1), 2);
    assert.equal(columnOf('2026-11-18', 7), 3);
    assert.equal(columnOf('2026-11-18', 6), 4);
  });
});

describe('The hours of a day', () => {
  it('are 23 or 25 when the clocks change by an hour, and 24 otherwise', () => {
    const cases: readonly [string, string, number][] = [
      ['Europe/Berlin', '2026-03-29', 23],
      ['Europe/Berlin', '2026-10-25', 25],
      ['Europe/Berlin', '2026-11-18', 24],
      ['America/New_York', '2026-03-08', 23],
      ['America/New_York', '2026-11-01', 25],
      ['UTC', '2026-03-29', 24],
      ['Asia/Kathmandu', '2026-06-01', 24],
    ];
    for (const [zone, date, hours] of cases)
      assert.equal(hoursOf(date, dayIn(zone)), hours, `${zone} ${date}`);
  });

  it('are half an hour more or less on Lord Howe Island', () => {
    const dayOf = dayIn('Australia/Lord_Howe');
    assert.equal(hoursOf('2026-10-04', dayOf), 23.5);
    assert.equal(hoursOf('2026-04-05', dayOf), 24.5);
  });

  it('are right on days without a midnight, and on days that begin twice', () => {
    // Clocks go from 23:59 to 01:00, and back from 23:59 to 23:00.
    assert.equal(hoursOf('2026-09-06', dayIn('America/Santiago')), 23);
    assert.equal(hoursOf('2026-04-04', dayIn('America/Santiago')), 25);
    assert.equal(hoursOf('2026-03-29', dayIn('Asia/Beirut')), 23);
    // Clocks go back from 00:00 to 23:00, and from 01:00 to 00:00.
    assert.equal(hoursOf('2019-02-16', dayIn('America/Sao_Paulo')), 25);
    assert.equal(hoursOf('2026-11-01', dayIn('America/Havana')), 25);
  });

  it('begin at the first instant of a date, also when clocks change then', () => {
    const cases: [zone: string, date: string, begins: string][] = [
      ['UTC', '2026-11-18', '2026-11-18T00:00:00.000Z'],
      ['Asia/Tokyo', '2026-11-18', '2026-11-17T15:00:00.000Z'],
      ['America/New_York', '2026-11-18', '2026-11-18T05:00:00.000Z'],
      ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z'],
      ['Europe/Berlin', '2026-03-30', '2026-03-29T22:00:00.000Z'],
      ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00.000Z'], // at 01:00
      ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z'], // no such day, so the 31st
      ['Asia/Kathmandu', '2026-06-01', '2026-05-31T18:15:00.000Z'],
    ];
    for (const [zone, date, begins] of cases)
      assert.equal(startOfDate(date, dayIn(zone)), begins, `${zone} ${date}`);
  });

  it('are none on a day that a zone skips', () => {
    assert.equal(hoursOf('2011-12-30', dayIn('Pacific/Apia')), 0);
    assert.equal(hoursOf('1994-12-31', dayIn('Pacific/Kiritimati')), 0);
  });
});

describe('The days of the calendar', () => {
  const day = (date: string, memories = 1, duration_seconds = 60) => ({
    date,
    memories,
    duration_seconds,
  });
  const year = (name: string, all: Parameters<typeof createDays>[1], today = '2026-11-23') =>
    createDays({ from: `${name}-01-01`, to: `${name}-12-31` }, all, today);

  it('are those of a year, also of a leap year, and of a week that two years share', () => {
    assert.deepEqual([year('2026', []).dates.length, year('2024', []).dates.length], [365, 366]);
    assert.deepEqual(
      [year('2024', []).dates[0], year('2024', []).dates.at(-1)],
      ['2024-01-01', '2024-12-31'],
    );
    const all = [day('2026-12-27'), day('2026-12-31'), day('2027-01-03'), day('2027-01-04')];
    const week = createDays({ from: '2026-12-28', to: '2027-01-03' }, all, '2026-11-23');
    assert.equal(week.dates.length, 7);
    assert.deepEqual([...week.days.keys()], ['2026-12-31', '2027-01-03']);
  });

  it('have their own totals', () => {
    const { days } = year('2026', [
      day('2025-12-31', 9),
      day('2026-01-01', 2, 7200),
      day('2026-11-18', 4, 3600),
      day('2027-01-01', 9),
    ]);
    assert.equal(days.size, 2);
    assert.equal(totalsOf([...days.values()]), '6 memories, 3 h');
  });

  it('have four steps of colour: 1 memory, 2 or 3, 4 to 6, and more', () => {
    const all = [1, 2, 3, 4, 5, 6, 7, 8].map((count) => day(`2026-01-0${count}`, count));
    const { stepOf } = year('2026', all);
    assert.deepEqual(
      all.map(({ date }) => stepOf(date)),
      [1, 2, 2, 3, 3, 3, 4, 4],
    );
    assert.equal(stepOf('2026-02-01'), 0);
    // Two memories are two, also if most days have one.
    const { stepOf: quiet } = year('2026', [day('2026-01-01'), day('2026-01-02', 2)]);
    assert.deepEqual([quiet('2026-01-01'), quiet('2026-01-02')], [1, 2]);
  });

  it('have the nearest days that have memories', () => {
    const all = [day('2019-05-01'), day('2019-05-02'), day('2026-11-18')];
    assert.deepEqual(neighboursOf('2019-05-02', '2019-05-02', all), {
      before: '2019-05-01',
      after: '2026-11-18',
    });
    assert.deepEqual(neighboursOf('2022-01-01', '2022-12-31', all), {
      before: '2019-05-02',
      after: '2026-11-18',
    });
    assert.deepEqual(neighboursOf('2026-11-18', '2026-11-18', all), {
      before: '2019-05-02',
      after: undefined,
    });
    assert.deepEqual(neighboursOf('2019-05-01', '2019-05-31', all), {
      before: undefined,
      after: '2026-11-18',
    });
    assert.deepEqual(neighboursOf('2026-11-18', '2026-11-18', []), {
      before: undefined,
      after: undefined,
    });
  });

  it('have totals in whole hours from 100 hours on', () => {
    assert.deepEqual([359_999, 360_000, 4_334_400].map(lengthOf), ['100 h', '100 h', '1,204 h']);
    assert.equal(lengthOf(356_460), '99 h 1 min');
  });

  it('have dates in words that no zone can move', () => {
    const { short, longDay, month, spanOfYear } = createFormats({ language: 'en-GB', zone: 'UTC' });
    assert.equal(short('2026-02-03'), 'Tue 3 Feb');
    assert.match(longDay('2026-02-03'), /^Tuesday,? 3 February 2026$/);
    assert.equal(month('2026-02'), 'February');
    assert.match(spanOfYear('2026-08-12', '2026-08-19'), /^12\s?–\s?19 Aug 2026$/);
  });
});
