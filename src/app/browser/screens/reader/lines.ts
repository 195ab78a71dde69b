// The lines of a transcript, quotes of them, and the addresses of lines, which hold a hash so that a changed transcript still has them.

import type { Memory } from '../../../../contract/schemas/memory.ts';
import type { TranscriptLine } from '../../../../text/turns.ts';
import { FIRST_PART } from '../../state/app-client.ts';

/** Some lines, counted from 1. */
export interface ShownLines {
  readonly first: number;
  readonly last: number;
}

/** Returns some lines as a text, such as "Line 12" or "Lines 12 to 14". */
export function rangeText({ first, last }: ShownLines): string {
  return first === last ? `Line ${first}` : `Lines ${first} to ${last}`;
}

/** A part of a line, in UTF-16 code units. */
export interface Span {
  readonly line: number;
  readonly start: number;
  readonly end: number;
}

/** Returns a memory with the whole lines in the first part of its JSON, in which the transcript comes last. */
export function readStart(json: string): Memory | undefined {
  const shown = json.slice(0, FIRST_PART);
  const begin = shown.indexOf(',"transcript":"');
  const end = shown.lastIndexOf(String.raw`\n`);
  if (begin < 0 || end < begin) return undefined;
  try {
    return JSON.parse(`${shown.slice(0, end)}"}`) as Memory;
  } catch {
    return undefined; // the text has a backslash before an n
  }
}

/** The number of base-36 characters of a hash. */
const HASH_LENGTH = 4;

/** Returns a short hash of a line (FNV-1a, 32 bits). Two lines of 1.7 million have the same one. */
export function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return ((hash >>> 0) % 36 ** HASH_LENGTH).toString(36).padStart(HASH_LENGTH, '0');
}

/** Returns the fragment of some lines, such as `L12~k3f9`. Of several, the rest has a hash as well: `L12-14~k3f9x0q2`. */
export function fragmentOf(lines: readonly TranscriptLine[], { first, last }: ShownLines): string {
  const hash = hashOf(lines[first - 1]?.text ?? '');
  if (last <= first) return `L${first}~${hash}`;
  return `L${first}-${last}~${hash}${hashOfRest(lines, first, last)}`;
}

function hashOfRest(lines: readonly TranscriptLine[], first: number, last: number): string {
  const rest = lines.slice(first, last).map(({ text }) => text);
  return hashOf(rest.join('\n'));
}

/** What a fragment names: lines, and the hashes of the first one and of the others if the fragment has them. */
export interface LineTarget extends ShownLines {
  readonly hash: string | undefined;
}

/** Reads a fragment such as `L12`, `L12-14` or `L12-14~k3f9`. Returns undefined for any other. */
export function readFragment(fragment: string): LineTarget | undefined {
  const found = /^L([1-9]\d{0,8})(?:-L?([1-9]\d{0,8}))?(?:~(\w+))?$/.exec(fragment);
  if (found === null) return undefined;
  const first = Number(found[1]);
  return { first, last: Math.max(first, Number(found[2] ?? first)), hash: found[3] };
}

/**
 * Finds the lines that a fragment names. With hashes, these are the lines with these hashes that are nearest
 * to the number, so a transcript may have got or lost lines before them. Returns undefined if there are none.
 */
export function findLines(
  lines: readonly TranscriptLine[],
  { first, last, hash }: LineTarget,
): ShownLines | undefined {
  const { length } = lines;
  const far = hash === undefined ? 0 : Math.max(first, length);
  for (let away = Math.max(0, first - length); away <= far; away++)
    for (const number of [first - away, first + away]) {
      const line = lines[number - 1];
      if (line === undefined) continue;
      const end = last + number - first;
      if (hash !== undefined && hashOf(line.text) !== hash.slice(0, HASH_LENGTH)) continue;
      const rest = hash?.slice(HASH_LENGTH) ?? '';
      if (rest !== '' && hashOfRest(lines, number, end) !== rest) continue;
      return { first: number, last: Math.min(length, end) };
    }
  return undefined;
}

/** Lines that are quoted, which may begin and end within a line. Positions are in UTF-16 code units. */
export interface QuotedLines extends ShownLines {
  /** Where the quote begins in the first line. Default: at its beginning. */
  readonly start?: number;
  /** Where the quote ends in the last line. Default: at its end. */
  readonly end?: number;
}

/** Returns the text of a quote. It begins with the speaker, also if only words of a turn are quoted. */
export function quoteOf(
  lines: readonly TranscriptLine[],
  { first, last, start = 0, end }: QuotedLines,
): string {
  const speaker = lines[first - 1]?.speaker;
  const texts = lines.slice(first - 1, last).map(({ text }) => text);
  texts.push((texts.pop() ?? '').slice(0, end));
  // A part of a name is the name.
  if (speaker !== undefined && start <= speaker.length) return texts.join('\n').trim();
  // A line without a speaker belongs to the turn before it.
  const name = lines.slice(0, first).findLast((line) => line.speaker !== undefined)?.speaker;
  const said = texts.join('\n').slice(start).trim();
  return name === undefined ? said : `${name}: ${said}`;
}
