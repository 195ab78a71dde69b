// Units: the lines of a memory's texts, and the pieces of lines that are too long for one passage.

import { MAX_LABEL, speakerOf } from '../speaker.ts';
import { isLeadSurrogate } from '../surrogates.ts';
import { wordsOf } from '../tokenizer.ts';

/** The texts of a memory that are searched. */
export interface SearchedTexts {
  readonly name: string;
  readonly summary: { readonly quick_summary: string; readonly key_takeaways: readonly string[] };
  readonly transcript: string;
}

/** The field of a memory that a passage is from. */
export type PassageField = 'transcript' | 'summary' | 'name';

/** A line, or a piece of a very long one. */
export interface Unit {
  readonly source: PassageField;
  /** Counted from 1. 0 outside the transcript. */
  readonly line: number;
  /** The text that it is part of, and its place there. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Where its line begins. */
  readonly lineStart: number;
  /** Whether it is a whole line, which a passage can join with others. */
  readonly isWhole: boolean;
}

/** The most characters of a passage. */
export const MAX_PASSAGE = 1500;

/** Readers of units yield after this many characters, so that the caller can run other requests. */
const SLICE = 32_768;

/** The most lines of one memory that are read. An hour of speech has about a thousand. */
const MAX_UNITS = 200_000;

/** A memory with a longer body is searched by its name and summary alone: to read more holds the event loop. */
export const MAX_SEARCHED_BYTES = 2 * 1024 * 1024;

/** Splits texts into units. A line that is too long is cut at white space. */
export function* unitsOf({ name, summary, transcript }: SearchedTexts): Generator<Unit> {
  yield* textUnits('name', name);
  yield* textUnits('summary', summary.quick_summary);
  for (const takeaway of summary.key_takeaways) yield* textUnits('summary', takeaway);
  let line = 1;
  for (let start = 0; start < transcript.length; line++) {
    const next = transcript.indexOf('\n', start);
    const end = next < 0 ? transcript.length : next;
    yield* pieces({ source: 'transcript', line, text: transcript }, start, end);
    start = end + 1;
  }
}

/** Reads the units of texts one by one, and returns them. Yields now and then. */
export function* readUnits(
  texts: SearchedTexts,
  onUnit: (unit: Unit, number: number) => void,
): Generator<undefined, Unit[], unknown> {
  const units: Unit[] = [];
  let slice = 0;
  for (const unit of unitsOf(texts)) {
    onUnit(unit, units.push(unit) - 1);
    slice += unit.end - unit.start + 1;
    if (slice >= SLICE) {
      slice = 0;
      yield;
    }
    if (units.length === MAX_UNITS) break;
  }
  return units;
}

type Place = Pick<Unit, 'source' | 'line' | 'text'>;

function textUnits(source: PassageField, text: string): Generator<Unit> {
  return pieces({ source, line: 0, text }, 0, text.length);
}

function* pieces(place: Place, start: number, end: number): Generator<Unit> {
  if (end - start <= MAX_PASSAGE) {
    yield { ...place, start, end, lineStart: start, isWhole: place.source === 'transcript' };
    return;
  }
  const lineStart = start;
  while (start < end) {
    const stop = cutBefore(place.text, start, end);
    yield { ...place, start, end: stop, lineStart, isWhole: false };
    start = stop;
    while (start < end && isSpace(place.text.charCodeAt(start))) start++;
  }
}

/** Returns where to cut: at the last white space within the limit, otherwise between two characters. */
function cutBefore(text: string, start: number, end: number): number {
  const limit = start + MAX_PASSAGE;
  if (limit >= end) return end;
  for (let i = limit; i > start + MAX_PASSAGE / 2; i--) if (isSpace(text.charCodeAt(i))) return i;
  return isLeadSurrogate(text.charCodeAt(limit - 1)) ? limit - 1 : limit;
}

function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 9 && code <= 13) || code === 0xa0 || code === 0x3000;
}

/** Returns whether a line is a speaker's: its label has the words of the name in sequence. Without a name, all are. */
export function linesOf(speaker: readonly string[] | undefined): (unit: Unit) => boolean {
  if (speaker === undefined) return () => true;
  const wanted = ` ${speaker.join(' ')} `;
  return (unit) => {
    if (unit.source !== 'transcript') return false;
    return ` ${wordsOf(labelOf(unit) ?? '').join(' ')} `.includes(wanted);
  };
}

/** Returns whether some units have a line of each of these people, whose names are compared by `fold`. */
export function haveLinesOf(
  units: readonly Unit[],
  people: readonly string[],
  fold: (name: string) => string,
): boolean {
  const lines = units.filter(({ source }) => source === 'transcript');
  const names = new Set(lines.map((unit) => fold(labelOf(unit) ?? '')));
  return people.every((name) => names.has(name));
}

/** Returns the label of a line, such as a name. */
export function labelOf({ text, lineStart }: Unit): string | undefined {
  return speakerOf(text.slice(lineStart, lineStart + MAX_LABEL + 1));
}
