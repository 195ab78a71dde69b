// Dates and times in parameters: which texts are accepted, and which millisecond each one is in its time zone.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, it } from 'node:test';

import * as fc from 'fast-check';
import { Temporal } from 'temporal-polyfill/implementation';
import * as v from 'valibot';

import { Moment, TimeZone } from '../../src/contract/schemas/moment.ts';
import { startOfDay, toMilliseconds, type Calendar } from '../../src/lib/timezone.ts';
import { anything } from '../support/model/arbitrary-text.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/**
 * Midnight in UTC of the first days of the years 0000 and 0001. Date.UTC takes these years for 1900
 * and 1901.
 */
const [YEAR_0, YEAR_1] = [-719_528 * DAY, -719_162 * DAY];

const { Temporal: own } = globalThis as { readonly Temporal?: Calendar };
/**
 * The two implementations of dates: the library, which works on every Node, and Temporal, which
 * Node 26 includes.
 */
const calendars = Object.entries({ library: Temporal, ...(own && { own }) });
const zones = Intl.supportedValuesOf('timeZone');

// Parses like the gateway, with all checks, even after a failed one.
const isMoment = (value: unknown) => v.safeParse(Moment, value).success;
const isZone = (value: unknown) => v.safeParse(TimeZone, value).success;

/** An offset of hours, minutes and seconds, in milliseconds. */
function offset(hours: number, minutes = 0, seconds = 0): number {
  return hours * HOUR + minutes * 60_000 + seconds * 1000;
}

describe('A date is the start of that day in its zone', () => {
  const groups: Record<string, readonly (readonly [date: string, zone: string, start: number])[]> =
    {
      'where clocks change later in the day': [
        ['2025-03-30', 'Europe/Berlin', Date.UTC(2025, 2, 29, 23)], // +01:00 until 01:00 UTC
        ['2025-03-31', 'Europe/Berlin', Date.UTC(2025, 2, 30, 22)],
        ['2025-10-26', 'Europe/Berlin', Date.UTC(2025, 9, 25, 22)], // +02:00 until 01:00 UTC
        ['2025-10-27', 'Europe/Berlin', Date.UTC(2025, 9, 26, 23)],
        ['2025-03-09', 'America/New_York', Date.UTC(2025, 2, 9, 5)],
        ['2025-03-10', 'America/New_York', Date.UTC(2025, 2, 10, 4)],
        ['2025-11-02', 'America/New_York', Date.UTC(2025, 10, 2, 4)],
        ['2025-11-03', 'America/New_York', Date.UTC(2025, 10, 3, 5)],
        ['2025-04-06', 'Australia/Lord_Howe', Date.UTC(2025, 3, 5, 13)], // by half an hour
        ['2025-04-07', 'Australia/Lord_Howe', Date.UTC(2025, 3, 6, 13, 30)],
      ],
      'where it has no midnight: the first instant after it': [
        ['2018-11-04', 'America/Sao_Paulo', Date.UTC(2018, 10, 4, 3)], // 00:00-03 is 01:00-02
        ['2022-03-27', 'Asia/Beirut', Date.UTC(2022, 2, 26, 22)], // 00:00+02 is 01:00+03
        ['2025-03-09', 'America/Havana', Date.UTC(2025, 2, 9, 5)], // 00:00-05 is 01:00-04
        ['2024-04-26', 'Africa/Cairo', Date.UTC(2024, 3, 25, 22)], // 00:00+02 is 01:00+03
        ['1991-10-20', 'America/Argentina/Tucuman', Date.UTC(1991, 9, 20, 4)], // 00:00-04 is 02:00-02
        ['1919-03-31', 'America/Toronto', Date.UTC(1919, 2, 31, 4, 30)], // 23:30-05 is 00:30-04
        ['1972-01-07', 'Africa/Monrovia', Date.UTC(1972, 0, 7, 0, 44, 30)], // 00:00-00:44:30 is 00:44:30Z
      ],
      'where it has two midnights: the first': [
        ['2025-11-02', 'America/Havana', Date.UTC(2025, 10, 2, 4)], // 01:00-04 is 00:00-05
        ['2025-10-26', 'Atlantic/Azores', Date.UTC(2025, 9, 26)], // 01:00+00 is 00:00-01
        ['2014-10-31', 'Asia/Amman', Date.UTC(2014, 9, 30, 21)], // 01:00+03 is 00:00+02
        ['1867-10-18', 'America/Juneau', Date.UTC(1867, 9, 18) - offset(15, 2, 19)], // Alaska sold: a day twice
      ],
      'where the hour before it comes twice: after the second': [
        ['2018-02-18', 'America/Sao_Paulo', Date.UTC(2018, 1, 18, 3)], // 00:00-02 is 23:00-03
      ],
      'where the day is skipped: the first instant after it': [
        ['2011-12-29', 'Pacific/Apia', Date.UTC(2011, 11, 29, 10)],
        ['2011-12-30', 'Pacific/Apia', Date.UTC(2011, 11, 30, 10)], // from -10:00 to +14:00
        ['2011-12-31', 'Pacific/Apia', Date.UTC(2011, 11, 30, 10)],
        ['1994-12-31', 'Pacific/Kiritimati', Date.UTC(1994, 11, 31, 10)], // from -10:00 to +14:00
        ['1993-08-21', 'Pacific/Kwajalein', Date.UTC(1993, 7, 21, 12)], // from -12:00 to +12:00
      ],
      'in the zones with the extreme offsets': [
        ['2025-06-01', 'Pacific/Kiritimati', Date.UTC(2025, 4, 31, 10)],
        ['2025-06-01', 'Pacific/Pago_Pago', Date.UTC(2025, 5, 1, 11)],
        ['2025-06-01', 'Etc/GMT+12', Date.UTC(2025, 5, 1, 12)],
        ['2025-06-01', 'Etc/GMT-14', Date.UTC(2025, 4, 31, 10)],
      ],
      'where offsets have half and quarter hours': [
        ['2025-06-01', 'Asia/Kolkata', Date.UTC(2025, 4, 31, 18, 30)],
        ['2025-06-01', 'Asia/Kathmandu', Date.UTC(2025, 4, 31, 18, 15)],
        ['2025-12-01', 'Pacific/Chatham', Date.UTC(2025, 10, 30, 10, 15)], // +13:45 in summer
      ],
      'by local time, with its seconds, before there were zones': [
        ['1883-11-18', 'America/New_York', Date.UTC(1883, 10, 18, 4, 56, 2)],
        ['0001-01-01', 'Asia/Kathmandu', YEAR_1 - offset(5, 41, 16)],
        ['0000-01-01', 'Europe/Berlin', YEAR_0 - offset(0, 53, 28)],
      ],
      'on leap days, and in the first and the last years': [
        ['2024-02-29', 'Europe/Berlin', Date.UTC(2024, 1, 28, 23)],
        ['2024-03-01', 'Europe/Berlin', Date.UTC(2024, 1, 29, 23)],
        ['2000-02-29', 'America/New_York', Date.UTC(2000, 1, 29, 5)],
        ['1970-01-01', 'Europe/Berlin', -HOUR],
        ['1970-01-01', 'Europe/London', -HOUR], // where it was summer all year long
        ['9999-12-31', 'Etc/GMT+12', Date.UTC(9999, 11, 31, 12)],
        ['9999-12-31', 'Pacific/Kiritimati', Date.UTC(9999, 11, 30, 10)],
      ],
      'with links and any case, as with the zone name': [
        ['2025-06-01', 'Asia/Calcutta', Date.UTC(2025, 4, 31, 18, 30)],
        ['2025-06-01', 'US/Pacific', Date.UTC(2025, 5, 1, 7)],
        ['2025-06-01', 'eUROPE/bERLIN', Date.UTC(2025, 4, 31, 22)],
        ['2025-06-01', 'etc/gmt+5', Date.UTC(2025, 5, 1, 5)],
        ['2025-06-01', 'Zulu', Date.UTC(2025, 5, 1)],
      ],
    };

  for (const [group, rows] of Object.entries(groups))
    it(group, async () => {
      for (const [date, zone, start] of rows) {
        assert.ok(isMoment(date) && isZone(zone), `${date} ${zone}`);
        assert.equal(await toMilliseconds(date, zone), start, `${date} ${zone}`);
        for (const [name, calendar] of calendars)
          assert.equal(startOfDay(calendar, date, zone), start, `${date} ${zone}, ${name}`);
      }
    });

  it('in UTC if no zone is given', () => {
    const days: readonly (readonly [date: string, start: number])[] = [
      ['1970-01-01', 0],
      ['1969-12-31', -DAY],
      ['2025-03-30', Date.UTC(2025, 2, 30)],
      ['2000-02-29', Date.UTC(2000, 1, 29)],
      ['0000-01-01', YEAR_0],
      ['0001-01-01', YEAR_1],
      ['9999-12-31', Date.UTC(9999, 11, 31)],
    ];
    for (const [date, start] of days) {
      assert.ok(isMoment(date), date);
      for (const zone of [undefined, 'UTC', 'utc'])
        assert.equal(toMilliseconds(date, zone), start, date);
      for (const [name, calendar] of calendars)
        assert.equal(startOfDay(calendar, date, 'UTC'), start, `${date}, ${name}`);
    }
  });

  it('in every zone, in the years 0000 to 9999', () => {
    for (const date of ['0000-01-01', '1900-01-01', '9999-12-31'])
      for (const zone of zones) {
        const starts = calendars.map(([, calendar]) => startOfDay(calendar, date, zone));
        assert.equal(new Set(starts).size, 1, `${date} ${zone}`);
        // The extreme offsets of local time: Juneau at +15:02 and Manila at -15:56.
        const distance = Math.abs(Number(starts[0]) - Date.parse(date));
        assert.ok(Number.isInteger(distance) && distance < 16 * HOUR, `${date} ${zone}`);
      }
  });

  it('so that the millisecond before is still the day before', () => {
    const anyZone = fc.constantFrom(...zones);
    const anyYear = fc.integer({ min: 1850, max: 2050 });
    for (const [name, calendar] of calendars)
      fc.assert(
        fc.property(anyZone, anyYear, (zone, year) => {
          const dateAt = dateIn(zone);
          for (let noon = Date.UTC(year, 0, 1, 12); noon < Date.UTC(year + 1, 0); noon += DAY) {
            const date = new Date(noon).toISOString().slice(0, 10);
            const start = startOfDay(calendar, date, zone);
            // The result is a later day only if the day was skipped. One millisecond before, it was
            // an earlier day.
            assert.ok(dateAt(start) >= date, `${date} ${zone}, ${name}`);
            for (const before of [1, HOUR / 2, HOUR, 2 * HOUR, DAY])
              assert.ok(dateAt(start - before) < date, `${date} ${zone}, ${name}`);
          }
        }),
        { numRuns: 30 },
      );
  });
});

describe('A time with an offset', () => {
  const instants: readonly (readonly [text: string, milliseconds: number])[] = [
    ['2026-11-21T09:30:00Z', Date.UTC(2026, 10, 21, 9, 30)],
    ['2026-11-21t09:30:00z', Date.UTC(2026, 10, 21, 9, 30)],
    ['2026-11-21T09:30:00+01:00', Date.UTC(2026, 10, 21, 8, 30)],
    ['2026-11-21T09:30:00-05:30', Date.UTC(2026, 10, 21, 15)],
    ['2026-11-21T00:00:00+14:00', Date.UTC(2026, 10, 20, 10)],
    ['2026-11-21T23:59:59-14:00', Date.UTC(2026, 10, 22, 13, 59, 59)],
    ['2026-11-21T09:30:00-00:00', Date.UTC(2026, 10, 21, 9, 30)],
    ['2026-11-21T09:30:00+23:59', Date.UTC(2026, 10, 20, 9, 31)],
    ['2026-11-21T09:30:00-23:59', Date.UTC(2026, 10, 22, 9, 29)],
    ['2024-02-29T23:59:59Z', Date.UTC(2024, 1, 29, 23, 59, 59)],
    ['2024-03-01T00:30:00+01:00', Date.UTC(2024, 1, 29, 23, 30)],
    ['1970-01-01T00:00:00Z', 0],
    ['9999-12-31T23:59:59.999Z', Date.UTC(9999, 11, 31, 23, 59, 59, 999)],
    ['9999-12-31T23:59:59-14:00', Date.UTC(9999, 11, 31, 37, 59, 59)], // in the year 10000
    ['0001-01-01T00:00:00+14:00', YEAR_1 - 14 * HOUR],
    ['0000-01-01T00:00:00Z', YEAR_0],
    ['0000-01-01T00:00:00+14:00', YEAR_0 - 14 * HOUR], // in the year -1
    ['2026-11-21T09:30:00.1Z', Date.UTC(2026, 10, 21, 9, 30, 0, 100)],
    ['2026-11-21T09:30:00.12+01:00', Date.UTC(2026, 10, 21, 8, 30, 0, 120)],
    ['2026-11-21T09:30:00.123Z', Date.UTC(2026, 10, 21, 9, 30, 0, 123)],
    ['2026-11-21T09:30:00.1239Z', Date.UTC(2026, 10, 21, 9, 30, 0, 123)],
    [`2026-11-21T09:30:00.${'9'.repeat(4000)}z`, Date.UTC(2026, 10, 21, 9, 30, 0, 999)],
    ['1969-12-31T23:59:59.999Z', -1],
    ['1969-12-31T23:59:59.9999Z', -1],
    ['1969-12-31T23:59:59.0009Z', -1000],
    ['1969-12-31T23:59:59.9999-00:01', 59_999],
  ];

  it('ignores the time zone parameter, and is cut to the millisecond', () => {
    for (const [text, milliseconds] of instants) {
      assert.ok(isMoment(text), text);
      for (const zone of [undefined, 'UTC', 'Pacific/Kiritimati'])
        assert.equal(toMilliseconds(text, zone), milliseconds, text);
    }
  });

  it('is the same at every offset', () => {
    const anyTime = fc.integer({ min: YEAR_1, max: Date.UTC(9999, 11, 30) });
    const anyOffset = fc.integer({ min: -1439, max: 1439 });
    fc.assert(
      fc.property(anyTime, anyOffset, (time, minutes) => {
        const local = new Date(time + minutes * 60_000).toISOString().slice(0, -1);
        const [hour, minute] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
        const digits = [hour, minute].map((part) => String(part).padStart(2, '0'));
        const text = `${local}${minutes < 0 ? '-' : '+'}${digits.join(':')}`;
        assert.ok(isMoment(text), text);
        assert.equal(toMilliseconds(text), time, text);
      }),
    );
  });
});

describe('A text that is no date or time', () => {
  const refused: Record<string, readonly string[]> = {
    'is of a day that does not exist': [
      '2026-02-30',
      '2025-02-29',
      '1900-02-29',
      '2026-04-31',
      '2026-00-01',
      '2026-13-01',
      '2026-01-00',
      '2026-01-32',
      '2026-02-30T00:00:00Z',
      '2025-02-29t12:00:00.5+01:00',
    ],
    'is at a time that no clock shows': [
      '2026-11-21T24:00:00Z',
      '2026-11-21T09:60:00Z',
      '2026-11-21T09:30:60Z',
      '2016-12-31T23:59:60Z',
      '2026-11-21T09:30:00+24:00',
      '2026-11-21T09:30:00+01:60',
    ],
    'lacks its seconds or its offset': [
      '2026-11-21T',
      '2026-11-21Z',
      '2026-11-21+01:00',
      '2026-11-21T09Z',
      '2026-11-21T09:30Z',
      '2026-11-21T09:30+01:00',
      '2026-11-21T09:30:00',
      '2026-11-21T09:30:00.Z',
      '2026-11-21T09:30:00.123',
    ],
    'has a space for a T or a plus, as a bare + in a query is one': [
      '2026-11-21T09:30:00 01:00',
      '2026-11-21 09:30:00Z',
      '2026-11-21 09:30:00+01:00',
    ],
    'is written in another way': [
      '',
      ' ',
      'now',
      '1795253400',
      '1795253400000',
      '2026',
      '2026-11',
      '20261121',
      '20261121T093000Z',
      '2026-11-21T093000Z',
      '2026-W47-6',
      '2026-325',
      '+002026-11-21',
      '-000001-01-01',
      '12026-11-21',
      '026-11-21',
      '2026-1-2',
      '21.11.2026',
      '11/21/2026',
      'Sat, 21 Nov 2026 09:30:00 GMT',
      '2026-11-21T09:30:00,5Z',
      '2026-11-21T09:30:00+01',
      '2026-11-21T09:30:00+0100',
      '2026-11-21T09:30:00%2B01:00',
      '2026-11-21T09:30:00\u221201:00',
      '2026-11-21T09:30:00 Z',
      '2026-11-21T09:30:00ZZ',
      '2026-11-21T09:30:00Z[UTC]',
      '2026-11-21T09:30:00[Europe/Berlin]',
      '2026-11-21\n',
      '2026-11-21T09:30:00Z\n',
      '\n2026-11-21',
      ' 2026-11-21',
      '2026-11-21\0',
      '\uff12\uff10\uff12\uff16-11-21',
      '\u0662\u0660\u0662\u0666-11-21',
    ],
  };

  for (const [reason, texts] of Object.entries(refused))
    it(reason, () => {
      for (const text of texts) assert.equal(isMoment(text), false, JSON.stringify(text));
    });

  it('is refused, and throws nothing', () => {
    for (const value of [undefined, null, 0, 1795253400000, new Date(0), ['2026-11-21']])
      assert.equal(isMoment(value), false);
    fc.assert(
      fc.property(anything, (text) => {
        assert.equal(isMoment(text), false);
        assert.equal(isMoment(`2026-11-21${text}`), text === '');
      }),
    );
  });
});

describe('A time zone', () => {
  it('is an IANA name in upper or lower case, or a link to one', () => {
    for (const zone of zones)
      assert.ok([zone, zone.toLowerCase(), zone.toUpperCase()].every(isZone), zone);
    const links =
      'Asia/Calcutta US/Pacific UTC utc GMT GMT0 GMT+0 GMT-0 Etc/GMT+5 Etc/GMT-14 EST EST5EDT PST8PDT CET W-SU NZ NZ-CHAT GB-Eire Zulu Europe/Kyiv Asia/Katmandu America/Argentina/ComodRivadavia';
    for (const link of links.split(' ')) assert.ok(isZone(link), link);
  });

  it('is no offset and no other text, and throws nothing', () => {
    const offsets =
      '+01:00 -01:00 +01 -0100 +1 01:00 Z UTC+1 UTC+01:00 GMT+5 \u221201:00 Etc/GMT-15';
    for (const name of offsets.split(' ')) assert.equal(isZone(name), false, name);
    const others =
      '|Europe|Europe/|Europe/Berlin |Europe/Berlin\n|Europe/Berlin\0| Europe/Berlin|Europe/Atlantis|[Europe/Berlin]|../UTC|Europe\\Berlin|europe/i\u0307stanbul|asia/\u212aolkata|u\u017f/pacific|Local|undefined|2026-01-01T00:00Z[Europe/Berlin]';
    for (const name of [...others.split('|'), 'x'.repeat(1e6)])
      assert.equal(isZone(name), false, JSON.stringify(name.slice(0, 60)));
    for (const value of [undefined, null, 0, ['UTC']]) assert.equal(isZone(value), false);
    fc.assert(fc.property(anything, (text) => assert.equal(isZone(`${text}!`), false)));
  });

  it('is never a name that Intl accepts and Temporal does not', () => {
    const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
    const triples = letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => a + b + c)));
    const long = ['SystemV/PST8PDT', 'US/Pacific-New', 'Canada/East-Saskatchewan'];
    const taken = [...triples, ...long].filter(isZone);
    const known = 'CET EET EST GMT HST MET MST PRC ROC ROK UCT UTC WET';
    assert.deepEqual(taken, known.split(' '));
    for (const zone of [...taken, ...zones.map((name) => name.toLowerCase())])
      for (const [, calendar] of calendars)
        assert.doesNotThrow(() => startOfDay(calendar, '2025-06-01', zone), zone);
  });
});

describe('Without Temporal in the runtime', () => {
  it('only a date in a named zone loads the library', () => {
    const moments = [
      ['2018-11-04', 'America/Sao_Paulo'],
      ['2018-11-04', 'UTC'],
      ['2018-11-04T00:00:00Z', 'America/Sao_Paulo'],
    ];
    const script = `
      import { toMilliseconds } from '${import.meta.resolve('../../src/lib/timezone.ts')}';
      const answers = ${JSON.stringify(moments)}.map((each) => toMilliseconds(...each));
      const waits = answers.map((answer) => answer instanceof Promise);
      console.log(JSON.stringify([typeof Temporal, waits, await Promise.all(answers)]));`;
    const flags = ['--no-harmony-temporal', '--input-type=module', '--eval', script];
    const said = execFileSync(process.execPath, flags, { encoding: 'utf8', stdio: 'pipe' });
    const midnight = Date.UTC(2018, 10, 4);
    assert.deepEqual(JSON.parse(said), [
      'undefined',
      [true, false, false],
      [midnight + 3 * HOUR, midnight, midnight],
    ]);
  });
});

describe('The error for a date or time parameter', () => {
  it('shows example values that are accepted', () => {
    const said = String(v.getDescription(Moment));
    const shown = Array.from(said.matchAll(/\d{4}-[^\s,]+/g), ([value]) => value);
    assert.equal(shown.length, 3, said);
    for (const value of shown) assert.ok(isMoment(decodeURIComponent(value)), value);
    assert.match(said, /%2B/);
    const zone = /\w+\/\w+/.exec(String(v.getDescription(TimeZone)))?.[0];
    assert.ok(isZone(zone));
  });
});

/** Returns the local date of an instant with Intl, independently of the code under test. */
function dateIn(timeZone: string): (time: number) => string {
  const format = new Intl.DateTimeFormat('sv', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  return (time) => format.format(time);
}
