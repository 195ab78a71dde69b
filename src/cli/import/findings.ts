// What an import found in its memories: their years, what they lack, and what of their files is not kept.

import type { ReadDetails } from '../../contract/schemas/details.ts';
import type { Memory } from '../../contract/schemas/memory.ts';
import { compareText } from '../../lib/order.ts';
import { isSpeakerLabel } from '../../text/speaker.ts';
import { escapeLine } from '../output/terminal.ts';
import { formatCount } from '../output/text.ts';

/** What was found in the memories of an import, as `--json` prints it. */
export interface Findings {
  /** Numbers of memories, by the year in which they began. */
  readonly years: Record<string, number>;
  /** The same by month, such as `2026-11`. */
  readonly months: Record<string, number>;
  without_transcript: number;
  /** How many memories have a transcript, and no time for any of its lines. */
  without_line_times: number;
  /** How many memories have words without a speaker's name: nobody's, or those of "Speaker 1". */
  unnamed_speakers: number;
  /** Properties of items that are not kept: numbers of items, by name, by format. */
  readonly not_kept: Record<string, Record<string, number>>;
}

/** A file with items that could be read and items that could not, and how many. A report has the first ones. */
export interface PartlyRead {
  readonly file: string;
  readonly read: number;
  readonly unread: number;
}

/** How many files are listed that could be read in part. */
const MAX_PARTLY = 20;

/** Lists a file if it could be read in part. */
export function countPartly(list: PartlyRead[], of: PartlyRead): void {
  if (of.read > 0 && of.unread > 0 && list.length < MAX_PARTLY) list.push(of);
}

/** Formats a file that could be read in part. */
export function formatPartly({ file, read, unread }: PartlyRead): string {
  return escapeLine(`Of ${file}: ${read} read, ${unread} cannot be read.`);
}

/** Creates findings of nothing. */
export function createFindings(): Findings {
  return {
    years: noCounts(),
    months: noCounts(),
    without_transcript: 0,
    without_line_times: 0,
    unnamed_speakers: 0,
    not_kept: Object.create(null) as Findings['not_kept'],
  };
}

/** Creates counters without a prototype, because a name may be `constructor`. */
export function noCounts(): Record<string, number> {
  return Object.create(null) as Record<string, number>;
}

/** Adds one to a counter. */
export function increment(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}

/** Lists counters: `2025 (3), 2026 (12)`. */
export function listCounts(counts: readonly (readonly [name: string, n: number])[]): string {
  return counts.map(([name, n]) => `${name} (${n})`).join(', ');
}

/** Adds what was found in a memory. */
export function countFound(findings: Findings, memory: Memory, details: ReadDetails): void {
  increment(findings.years, memory.started_at.slice(0, 'YYYY'.length));
  increment(findings.months, memory.started_at.slice(0, 'YYYY-MM'.length));
  if (memory.transcript === '') findings.without_transcript++;
  else {
    if (details.line_starts_ms === null) findings.without_line_times++;
    if (hasUnnamed(details)) findings.unnamed_speakers++;
  }
}

/** Returns the earliest and the latest of memories, or the only one. */
export function extremes(
  [first, last = first]: readonly Memory[],
  memory: Memory,
): readonly Memory[] {
  if (first === undefined || last === undefined) return [memory];
  if (memory.started_at < first.started_at) return [memory, last];
  return memory.started_at > last.started_at
    ? [first, memory]
    : first === last
      ? [first]
      : [first, last];
}

/** Adds findings to others. */
export function addFindings(to: Findings, from: Findings): void {
  addCounts(to.years, from.years);
  addCounts(to.months, from.months);
  to.without_transcript += from.without_transcript;
  to.without_line_times += from.without_line_times;
  to.unnamed_speakers += from.unnamed_speakers;
  for (const [format, names] of Object.entries(from.not_kept))
    addCounts((to.not_kept[format] ??= noCounts()), names);
}

function addCounts(to: Record<string, number>, from: Readonly<Record<string, number>>): void {
  for (const [name, count] of Object.entries(from)) to[name] = (to[name] ?? 0) + count;
}

function hasUnnamed({ people }: ReadDetails): boolean {
  const speakers = people.filter(({ role }) => role === 'speaker');
  return speakers.length === 0 || speakers.some(({ name }) => isSpeakerLabel(name));
}

/** How many names of properties are counted for a format, and how many are printed. */
const NAMES = { counted: 200, printed: 12 };

/** Counts the properties of an item that are not kept. */
export function countNotKept(
  { not_kept }: Findings,
  format: string,
  names: readonly string[],
): void {
  if (names.length === 0) return;
  const counts = (not_kept[format] ??= noCounts());
  let known = Object.keys(counts).length;
  for (const name of names) if (name in counts || known++ < NAMES.counted) increment(counts, name);
}

/** Formats each finding as a line. Empty findings have none. */
export function formatFindings(findings: Findings): string[] {
  const { years, without_transcript, without_line_times, unnamed_speakers, not_kept } = findings;
  const lacks = [
    ...(without_transcript > 0 ? [`${without_transcript} without a transcript`] : []),
    ...(without_line_times > 0 ? [`${without_line_times} without times of lines`] : []),
    ...(unnamed_speakers > 0 ? [`${unnamed_speakers} with speakers without names`] : []),
  ];
  return [
    ...(Object.keys(years).length > 1 ? [`By year: ${inOrder(years)}.`] : []),
    ...(lacks.length > 0 ? [`Of them: ${lacks.join(', ')}.`] : []),
    ...Object.entries(not_kept).map(([format, names]) => formatNotKept(format, names)),
  ];
}

function formatNotKept(format: string, names: Readonly<Record<string, number>>): string {
  const all = Object.entries(names).toSorted(([a, m], [b, n]) => n - m || compareText(a, b));
  const shown = listCounts(all.slice(0, NAMES.printed));
  const rest = all.length - NAMES.printed;
  const more = rest > 0 ? ` and ${formatCount(rest, 'other', 'others')}, which --json lists` : '';
  return escapeLine(`Not kept of ${format}: ${shown}${more}.`);
}

function inOrder(counts: Readonly<Record<string, number>>): string {
  return listCounts(Object.entries(counts).toSorted(([a], [b]) => compareText(a, b)));
}
