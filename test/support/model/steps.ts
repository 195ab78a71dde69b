// The random steps of a history: writes and requests as plain data that prints and shrinks well.

import * as fc from 'fast-check';

import { Memory } from '../../../src/contract/schemas/memory.ts';
import { beginning, joinPieces, piece, text } from './vocabulary.ts';

/** Case matters, and the order is by code units. */
export const IDS = ['a', 'B', 'b', 'a.1', 'a-1', 'a~', 'Z_'];

/** Starts of weeks and days, and the limits of dates. They are repeated so that they come often. */
export const TIMES = [
  '2026-03-26T00:00:00.000Z', // a week of the search index begins
  '2026-03-25T23:59:59.999Z',
  '2026-03-28T23:00:00.000Z', // a day begins in Berlin
  '2026-03-28T22:59:59.999Z',
  '2026-03-29T22:00:00.000Z', // the next day, which begins an hour earlier
  '2026-03-29T04:00:00.000Z', // New York
  '2026-03-28T18:30:00.000Z', // Kolkata
  '2026-03-28T10:00:00.000Z', // Kiritimati
  '2026-04-01T23:59:59.999Z',
  '2026-04-02T00:00:00.000Z',
  '1970-01-01T00:00:00.000Z',
  '1969-12-31T23:59:59.999Z',
  '9999-12-31T23:59:59.999Z',
  '0000-01-01T00:00:00.000Z',
];

/**
 * The offset of midnight from UTC on the days used, in minutes. Berlin's clocks go forward on the
 * 29th at two.
 */
export const ZONES: Readonly<Record<string, (day: number) => number>> = {
  UTC: () => 0,
  'Europe/Berlin': (day) => (day <= 29 ? 60 : 120),
  'America/New_York': () => -240,
  'Asia/Kolkata': () => 330,
  'Pacific/Kiritimati': () => 840,
};

/** Any number. It is taken modulo the number of choices. */
const which = fc.nat({ max: 999 });
const id = fc.constantFrom(...IDS);
const time = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...TIMES.slice(0, 4)) },
  { weight: 3, arbitrary: fc.constantFrom(...TIMES) },
);
const texts = fc.record({
  name: text(2),
  quick_summary: text(2),
  key_takeaways: fc.array(text(2), { maxLength: 2 }),
  transcript: text(4),
});

/** The texts of a memory. */
export type Texts = typeof texts extends fc.Arbitrary<infer T> ? T : never;

const put = fc.record({
  write: fc.constant('put'),
  account: which,
  id,
  time,
  lasts: fc.nat({ max: 2 }),
  is_processing: fc.constantFrom(false, false, true),
  texts,
});

const write = fc.oneof(
  { weight: 6, arbitrary: put },
  fc.record({ write: fc.constant('same'), account: which, memory: which }),
  {
    weight: 2,
    arbitrary: fc.record({ write: fc.constant('move'), account: which, memory: which, time }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ write: fc.constant('change'), account: which, memory: which, texts }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ write: fc.constant('delete'), account: which, memory: which }),
  },
  fc.record({ write: fc.constant('miss'), account: which, id }),
  fc.record({
    write: fc.constant('all'),
    account: which,
    puts: fc.array(put, { maxLength: 5 }),
    again: which,
  }),
);

/**
 * A write of one memory: a new one, an existing one that is unchanged, moved, changed or deleted,
 * or a deletion of an id that may not exist. Or a write of several at once, one of them unchanged.
 */
export type Write = typeof write extends fc.Arbitrary<infer T> ? T : never;

// Text that looks like search syntax and is not.
const JUNK = ['', '', '', '(', ')', ':', '+', '-', '^', '!', ';', '{', '.', '\\', "'", '%', '_'];
const junk = fc.constantFrom(...JUNK);

/** A search: any words, or words of a memory in another spelling. */
const term = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ term: fc.constant('word'), piece, before: junk, behind: junk }),
  },
  {
    weight: 12,
    arbitrary: fc.record({
      term: fc.constant('seen'),
      memory: which,
      start: which,
      length: fc.integer({ min: 1, max: 3 }),
      way: which,
    }),
  },
  fc.record({
    term: fc.constant('phrase'),
    text: fc
      .array(fc.tuple(fc.constantFrom(' ', '  ', ', ', '_', '*'), piece), {
        minLength: 1,
        maxLength: 2,
      })
      .map(joinPieces),
    end: fc.constantFrom('', '*'), // where it marks no prefix
  }),
  {
    weight: 2,
    arbitrary: fc.record({ term: fc.constant('beginning'), piece: beginning, before: junk }),
  },
  fc.record({
    term: fc.constant('nothing'),
    text: fc.constantFrom('*', '""', '" "', '()', '-', '_', '~*', '"*"', ':'),
  }),
);

/** One search term. */
export type SearchTerm = typeof term extends fc.Arbitrary<infer T> ? T : never;

const bound = fc.oneof(
  fc.record({
    bound: fc.constant('instant'),
    time,
    style: fc.constantFrom('plain', 'fine', 'lower', 'offset'),
  }),
  // Days of March 2026, and the first of April.
  fc.record({ bound: fc.constant('day'), day: fc.integer({ min: 25, max: 33 }) }),
);

/** The start or end of a list: an instant in one of its spellings, or a day in a time zone. */
export type Bound = typeof bound extends fc.Arbitrary<infer T> ? T : never;

/** In half of the cases. */
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
/** Rarely enough that several filters together still match some memories. */
const seldom = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

const fields = maybe(
  fc
    .subarray(Object.keys(Memory.entries), { minLength: 1 })
    .chain((names) => fc.shuffledSubarray(names, { minLength: names.length })),
);
const filters = fc.record({
  order: maybe(fc.constantFrom('desc', 'asc')),
  from: seldom(bound),
  to: seldom(bound),
  zone: maybe(fc.constantFrom(...Object.keys(ZONES))),
  is_processing: seldom(fc.boolean()),
  q: maybe(
    fc.record({ terms: fc.array(term, { minLength: 1, maxLength: 2 }), open: seldom(piece) }),
  ),
  fields,
});

/** The filters of a list. */
export type Filters = typeof filters extends fc.Arbitrary<infer T> ? T : never;

const limit = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: 1, max: 4 }) },
  fc.constantFrom(7, 1000),
);
const isSocket = fc.nat({ max: 19 }).map((n) => n === 19);

const step = fc.oneof(
  { weight: 1, arbitrary: fc.record({ step: fc.constant('account') }) },
  {
    weight: 2,
    arbitrary: fc.record({
      step: fc.constant('issue'),
      account: which,
      life: fc.constantFrom('for ever', 'an hour', 'over'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ step: fc.constant('revoke'), key: which }) },
  { weight: 1, arbitrary: fc.record({ step: fc.constant('rotate'), key: which }) },
  {
    weight: 2,
    arbitrary: fc.record({
      step: fc.constant('disable'),
      account: which,
      isDisabled: fc.constantFrom(false, false, true),
    }),
  },
  { weight: 10, arbitrary: fc.record({ step: fc.constant('write'), write }) },
  {
    weight: 3,
    arbitrary: fc.record({
      step: fc.constant('transaction'),
      writes: fc.array(write, { minLength: 1, maxLength: 4 }),
      end: fc.constantFrom('commit', 'throw', 'refused'),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      step: fc.constant('list'),
      key: which,
      filters,
      limit: maybe(limit),
      isSocket,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      step: fc.constant('follow'),
      key: which,
      link: which,
      limit: maybe(limit),
      isSocket,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      step: fc.constant('walk'),
      key: which,
      filters,
      limit: fc.integer({ min: 1, max: 3 }),
      writes: fc.array(write, { maxLength: 4 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ step: fc.constant('get'), key: which, id, fields, isSocket }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      step: fc.constant('again'),
      read: which,
      key: which,
      style: fc.constantFrom('one', 'weak', 'several', 'other'),
      isSocket,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      step: fc.constant('changes'),
      key: which,
      limit: maybe(limit),
      isSocket,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ step: fc.constant('copy'), replica: which, account: which, limit }),
  },
);

/** One step. */
export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const sequence = fc.record({
  /**
   * How far the clock advances with each reading, because a search yields after some milliseconds.
   */
  pace: fc.constantFrom(0, 0, 3, 10),
  /**
   * Whether transcripts are long enough for streamed lists. Only one history in two hundred has
   * them, because they are slow.
   */
  isLong: fc.nat({ max: 199 }).map((n) => n === 50),
  first: fc.array(put, { maxLength: 7, size: 'max' }),
  steps: fc.array(step, { minLength: 1, maxLength: 30, size: 'max' }),
});

/** A history: writes in one transaction, then steps. */
export type Sequence = typeof sequence extends fc.Arbitrary<infer T> ? T : never;

export const sequences: fc.Arbitrary<Sequence> = sequence;
