// Joins the heads of turns that a page shows on several lines: a name, perhaps twice or with initials above it, and a time.

import { isSpeakerName } from '../../captions/speaker-names.ts';
import { TIME } from '../../time/timestamp.ts';
import { linesOf } from '../../turns/lines.ts';
import { SAMPLE } from './plain-lines.ts';
import { SPOKEN_TIME } from './spoken-time.ts';

/** A line with a time alone, perhaps in both forms: `1 minute 3 seconds1:03`. */
const ALONE = new RegExp(String.raw`^(?:${SPOKEN_TIME})?\s?(?<time>${TIME})?$`, 'u');
const INITIALS = /^\p{Lu}{1,3}$/u;

/** A head on several lines, by their numbers. */
interface Head {
  readonly name: string;
  /** The lines with its name and with its time, and the next line that is not blank. */
  readonly above: number;
  readonly at: number;
  readonly below: number;
}

/**
 * Puts each name and the time below it on one line, if nearly all times have a name above them. Teams' page
 * copies the name and the time once for the eye and once for screen readers.
 */
export function joinHeads(text: string): string {
  if (namesBelow(trimmedLines(text.slice(0, SAMPLE))).length > 0) return joinNamesBelow(text);
  if (headsIn(trimmedLines(text.slice(0, SAMPLE))).length === 0) return text;
  const lines = trimmedLines(text);
  for (const { name, above, at, below } of headsIn(lines)) {
    const { s, time } = ALONE.exec(lines[at] ?? '')?.groups ?? {};
    const spoken = lines[at]?.replace(/(?<=\p{L})\s?[\d:.]+$/u, '');
    lines[above] = `${name} ${s === undefined ? `(${time})` : spoken}`;
    lines.fill('', at, Math.max(at + 1, below));
    for (let i = above - 1; isRepeated(lines[i], name); i--) lines[i] = '';
    const next = lines[below] ?? '';
    if (next.startsWith(`${name} `) && isTime(next.slice(name.length + 1))) lines[below] = '';
  }
  return lines.join('\n');
}

/** A span alone, as editors of films write it above a name: `00:00:01:12 - 00:00:04:10`. */
const SPAN_ALONE = new RegExp(String.raw`^\[?${TIME}\s*-\s*${TIME}\]?$`, 'u');

/** Puts each span and the name below it on one line. */
function joinNamesBelow(text: string): string {
  const lines = trimmedLines(text);
  for (const [at, below] of namesBelow(lines)) {
    lines[at] = `[${lines[at]?.replaceAll(/[[\]]/g, '')}] ${lines[below]}`;
    lines[below] = '';
  }
  return lines.join('\n');
}

/** Finds the lines with a span and those with the name below it, if nearly all spans have a name and words below. */
function namesBelow(lines: readonly string[]): [at: number, below: number][] {
  const spans = lines.flatMap((line, i) => (SPAN_ALONE.test(line) ? [i] : []));
  const named = spans.flatMap((at): [number, number][] => {
    const [name = '', words = ''] = [lines[at + 1], lines[at + 2]];
    return isSpeakerName(name) && words !== '' ? [[at, at + 1]] : [];
  });
  return named.length >= 2 && named.length >= spans.length * 0.7 ? named : [];
}

function trimmedLines(text: string): string[] {
  return linesOf(text).map((line) => line.trim());
}

function headsIn(lines: readonly string[]): Head[] {
  const filled = lines.flatMap((line, i) => (line === '' ? [] : i));
  let times = 0;
  const heads = filled.flatMap((at, i): Head[] => {
    const above = filled[i - 1] ?? at;
    const name = lines[above] ?? '';
    // A time in both forms, on two lines, is one.
    if (!isTime(lines[at]) || (above !== at && isTime(name))) return [];
    times++;
    const next = filled[i + 1] ?? at;
    const below = isTime(lines[next]) && next !== at ? (filled[i + 2] ?? at) : next;
    return above !== at && isSpeakerName(name) ? [{ name, above, at, below }] : [];
  });
  return heads.length >= 2 && heads.length >= times * 0.7 ? heads : [];
}

function isTime(line: string | undefined): boolean {
  return line !== undefined && line !== '' && ALONE.test(line);
}

/** Whether a line above a name has the same name, or its initials. */
function isRepeated(line: string | undefined, name: string): boolean {
  if (line === undefined) return false;
  if (line === name) return true;
  const initials = new Set(name.split(/\s+/).map((word) => word[0]?.toUpperCase()));
  return INITIALS.test(line) && Array.from(line).every((letter) => initials.has(letter));
}
