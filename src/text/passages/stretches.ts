// Stretches: the parts of a memory that get a vector each, from its name to the end of its transcript.

import type { Unit } from './units.ts';

/** The number of this way to cut a memory. Raise it with every change here or of units: vectors of another cut are made again. */
export const CUT = 1;

/** Some units `[from, to)` of a memory, and their text. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** How long a stretch is, in letters: about 250 tokens. Many models read no more than 512. */
const LENGTH = 1000;
/** A letter of a script that is written in syllables or words, such as 牛, takes about as many tokens as three of others. */
const WIDE = 3;
const FIRST_WIDE = 0x2e80;
/** The most letters of a line that is longer than a stretch. The vector is of its beginning. */
const MAX_LENGTH = 2000;

/** Cuts the units of a memory into stretches: whole lines of the transcript, and each other text alone. */
export function* stretchesOf(units: readonly Unit[]): Generator<Stretch> {
  for (let from = 0; from < units.length;) {
    let to = from + 1;
    for (let length = lengthOf(units[from]); canJoin(units, from, to); to++) {
      length += lengthOf(units[to]);
      if (length > LENGTH) break;
    }
    const text = textOf(units, from, to);
    if (text.trim() !== '') yield { from, to, text };
    from = to;
  }
}

function canJoin(units: readonly Unit[], from: number, to: number): boolean {
  return units[from]?.isWhole === true && units[to]?.isWhole === true;
}

function lengthOf(unit: Unit | undefined): number {
  if (unit === undefined) return 0;
  let length = 0;
  for (let i = unit.start; i < unit.end; i++) length += widthOf(unit.text, i);
  return length;
}

function widthOf(text: string, at: number): number {
  return text.charCodeAt(at) < FIRST_WIDE ? 1 : WIDE;
}

function textOf(units: readonly Unit[], from: number, to: number): string {
  const [first, last] = [units[from], units[to - 1]];
  if (first === undefined || last === undefined) return '';
  let [length, end] = [0, first.start];
  for (; end < last.end && length < MAX_LENGTH; end++) length += widthOf(first.text, end);
  return first.text.slice(first.start, end).toWellFormed();
}
