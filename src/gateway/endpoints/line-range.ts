// Lines of a transcript: which of them a request gets, and how a long part is cut to a budget.

import { Failure } from '../../contract/failure.ts';
import { toJson } from '../../contract/json.ts';
import { BYTES_PER_TOKEN } from '../../contract/schemas/parameters.ts';
import type { TranscriptLines } from '../../contract/schemas/part.ts';
import { cutText } from '../../text/surrogates.ts';

/** Which lines to return, and how long the response may be. */
export interface LineRange {
  /** Default: 1. */
  readonly first?: number | undefined;
  /** Default: the end. */
  readonly last?: number | undefined;
  /** Default: no budget. */
  readonly max_tokens?: number | undefined;
}

/** The bytes of a line break in JSON: `\n`. */
const BREAK_BYTES = 2;

/** When each line of a transcript starts, in milliseconds. Null: it is unknown. */
type LineStarts = readonly (number | null)[] | null;

/** Returns lines of a transcript, with their starts if `starts` is given. Throws a 422 if it has fewer than `first`. */
export function cutLines(
  { id: memory_id, transcript }: { readonly id: string; readonly transcript: string },
  { first = 1, last = Infinity, max_tokens }: LineRange,
  starts?: LineStarts,
): TranscriptLines {
  const { total, start, end } = findLines(transcript, first, last);
  if (first > Math.max(total, 1)) throw beyondEnd(first, total);
  // On PostgreSQL the details may be those of the next version of the transcript.
  const known = starts?.length === total ? starts : undefined;
  const times = (to: number) =>
    starts === undefined ? {} : { starts_ms: known?.slice(first - 1, to) ?? null };
  if (total === 0) return { memory_id, total, first: 0, last: 0, text: '', ...times(0) };
  const all = { memory_id, total, first, last: Math.min(last, total) };
  if (max_tokens === undefined)
    return { ...all, text: transcript.slice(start, end), ...times(all.last) };
  const empty = toJson({ ...all, text: '', ...times(first - 1) });
  const room = max_tokens * BYTES_PER_TOKEN - empty.length;
  // No character has less than a byte, so nothing after these can fit.
  const text = fit(transcript.slice(start, Math.min(end, start + room + 1)), {
    room,
    length: end - start,
    starts: known?.slice(first - 1),
  });
  const to = first + countBreaks(text);
  return { ...all, last: to, text, ...times(to) };
}

/** Finds the places of two lines. A transcript may have millions, so it is not split. */
function findLines(text: string, first: number, last: number) {
  let total = text === '' ? 0 : 1;
  let start = 0;
  let end = text.length;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    if (total === last) end = at;
    total += 1;
    if (total === first) start = at + 1;
  }
  return { total, start, end };
}

interface Room {
  /** In bytes. */
  readonly room: number;
  /** How many characters there are in all. */
  readonly length: number;
  /** When the lines start, if that is sent as well. */
  readonly starts?: LineStarts | undefined;
}

/**
 * Returns as many whole lines of a text as have at most `room` bytes in JSON, or the beginning of the first
 * one. The text may be the beginning of a part of `length` characters: then its last line is not whole.
 */
function fit(text: string, { room, length, starts }: Room): string {
  let end = 0;
  let bytes = 0;
  for (let i = 0; end <= text.length; i++) {
    const next = text.indexOf('\n', end);
    const isLast = next < 0;
    const line = text.slice(end, isLast ? text.length : next);
    const timeBytes = starts ? `${i > 0 ? ',' : ''}${starts[i]}`.length : 0;
    const size = jsonBytes(line) + (end > 0 ? BREAK_BYTES : 0) + timeBytes;
    if (bytes + size > room || (isLast && text.length < length))
      return end === 0
        ? cutText(line, (part) => jsonBytes(part) <= room - timeBytes)
        : text.slice(0, end - 1);
    if (isLast) return text;
    bytes += size;
    end = next + 1;
  }
  return text;
}

/** Returns the bytes of a text in JSON, without its quotation marks. */
function jsonBytes(text: string): number {
  return toJson(text).length - 2;
}

function countBreaks(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

function beyondEnd(first: number, total: number): Failure {
  const has = total === 0 ? 'is empty' : `has ${total} line${total === 1 ? '' : 's'}`;
  return new Failure(
    422,
    `The parameter "first" is ${first}, but the transcript ${has}. Send a number up to ${Math.max(total, 1)}.`,
  );
}
