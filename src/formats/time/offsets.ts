// Offsets: where words are in a recording, in seconds from its start.

import * as v from 'valibot';

import { isPresent, maybe } from '../field-schemas.ts';
import type { Segment } from '../turns/turns.ts';
import { TIMESTAMP, toSeconds } from './timestamp.ts';

/** Words of a recording. Offsets are seconds from its start. */
export type Utterance = Segment;

/** A number, or a text with one, which can be missing. */
export const maybeOffset = maybe(
  v.union([
    v.pipe(v.number(), v.finite()),
    v.pipe(v.string(), v.regex(/^-?\d{1,15}(?:\.\d+)?$/), v.transform(Number)),
  ]),
);

/** A number of seconds, or a time as text, as in `00:01:02.500`, which becomes seconds. */
export const maybeTimestamp = maybe(
  v.union(
    [
      v.pipe(v.number(), v.finite()),
      // Tables with semicolons have decimal commas.
      v.pipe(
        v.string(),
        v.regex(/^-?\d{1,15}(?:[.,]\d+)?s?$/),
        v.transform((seconds) => Number.parseFloat(seconds.replace(',', '.'))),
      ),
      v.pipe(v.string(), v.regex(TIMESTAMP), v.transform(toSeconds)),
    ],
    'it must be a number of seconds, or a time such as 00:01:02.5',
  ),
);

/** Units of time that products use, and the longest that a word of ordinary speech takes in them: Azure's ticks have 100 ns. */
const UNITS = [
  { perSecond: 1, most: 120 },
  { perSecond: 1e3, most: 1e5 },
  { perSecond: 1e6, most: 1.2e6 },
  { perSecond: 1e7, most: 3e7 },
  { perSecond: 1e9, most: Number.POSITIVE_INFINITY },
];

/**
 * Converts offsets to seconds. Products count in seconds or in smaller units, and do not say so. A word takes
 * less than a second: if it takes more than two minutes, the unit is smaller. One long piece with a fraction
 * can be a silence in seconds.
 */
export function toSecondsByWords(utterances: readonly Utterance[]): Utterance[] {
  let length = 0;
  let letters = 0;
  let pieces = 0;
  let areWhole = true;
  for (const [i, { start, end = utterances[i + 1]?.start, text }] of utterances.entries())
    if (isPresent(start) && isPresent(end) && end > start && text?.trim()) {
      areWhole &&= Number.isInteger(start) && Number.isInteger(end);
      pieces++;
      length += end - start;
      letters += text.trim().length;
    }
  const isKnown = letters > 0 && (areWhole || pieces > 1);
  const ofWord = isKnown ? (length / letters) * LETTERS : 0;
  const { perSecond = 1 } = UNITS.find(({ most }) => ofWord <= most) ?? {};
  return utterances.map(({ start, end, ...said }) => ({
    ...said,
    start: inSeconds(start, perSecond),
    end: inSeconds(end, perSecond),
  }));
}

/** The letters of a word, on average. */
const LETTERS = 5;

/** Converts an offset to seconds. There are 1,000 units in a second by default. */
export function inSeconds(offset: number | null | undefined, perSecond = 1000): number | undefined {
  return isPresent(offset) ? offset / perSecond : undefined;
}

/** Returns the last offset of utterances, or 0. Negative offsets do not count. */
export function lastOffset(utterances: readonly Utterance[]): number {
  return utterances.reduce((most, { start, end }) => Math.max(most, start ?? 0, end ?? 0), 0);
}

/** Sorts utterances by their start. An utterance without one stays after the one before it. */
export function sortByStart(utterances: readonly Utterance[]): Utterance[] {
  let last = Number.NEGATIVE_INFINITY;
  return utterances
    .map((utterance) => ({ utterance, at: (last = utterance.start ?? last) }))
    .toSorted((a, b) => (a.at === b.at ? 0 : a.at - b.at))
    .map(({ utterance }) => utterance);
}
