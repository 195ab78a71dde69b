// Offsets: where words are in a recording, in seconds from its start.

import * as v from 'valibot';

import { isPresent, maybe } from './field-schemas.ts';
import type { Segment } from './turns.ts';

/** Words of a recording. Offsets are seconds from its start. */
export interface Utterance extends Segment {
  readonly start?: number | null | undefined;
  readonly end?: number | null | undefined;
}

/** A number, or a text with one, which can be missing. */
export const maybeOffset = maybe(
  v.union([
    v.pipe(v.number(), v.finite()),
    v.pipe(v.string(), v.regex(/^-?\d{1,15}(?:\.\d+)?$/), v.transform(Number)),
  ]),
);

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
