// Writes a transcript as captions or as text with times, in forms that an import reads again.

import { speakerOf } from '../../text/speaker.ts';
import { linesOf } from '../turns/lines.ts';

/** A transcript, and when its lines start. */
export interface TimedTranscript {
  readonly transcript: string;
  /** From the start of the memory. Null: no line has a time. */
  readonly line_starts_ms: readonly (number | null)[] | null;
  readonly duration_seconds: number;
}

/** A line with the name of its speaker, and when it is shown, in milliseconds. */
interface Caption {
  readonly speaker: string | undefined;
  readonly words: string;
  readonly start: number;
  readonly end: number;
}

/** How long the last caption is shown if the memory ends before it. */
const LAST_MS = 1000;

/** Returns a transcript as WebVTT, with a voice tag for each speaker. Undefined: no line has a time. */
export function toVtt(timed: TimedTranscript): string | undefined {
  const captions = captionsOf(timed)?.map(({ speaker, words, start, end }) => {
    const text = escapeVtt(words);
    const voice = speaker === undefined ? text : `<v ${escapeVtt(speaker)}>${text}</v>`;
    return `${clock(start, '.')} --> ${clock(end, '.')}\n${voice}\n`;
  });
  return captions && ['WEBVTT\n', ...captions].join('\n');
}

/**
 * Returns a transcript as SubRip, with the speaker's name before the words. Undefined: no line has a time. SubRip has
 * no escapes, so the arrow of a timing gets a space: otherwise words could begin a caption of their own.
 */
export function toSrt(timed: TimedTranscript): string | undefined {
  const captions = captionsOf(timed)?.map(
    ({ speaker, words, start, end }, i) =>
      `${i + 1}\n${clock(start, ',')} --> ${clock(end, ',')}\n${labelled(speaker, words).replaceAll('-->', '-- >')}\n`,
  );
  return captions?.join('\n');
}

/** Returns a transcript as text, with the time of each line before it if it is known. Undefined: it has no words. */
export function toTimedText({ transcript, line_starts_ms }: TimedTranscript): string | undefined {
  if (transcript.trim() === '') return undefined;
  const lines = linesOf(transcript).map((line, i) => {
    const start = line_starts_ms?.[i] ?? null;
    return start === null || line.trim() === '' ? line : `[${clock(start, '.')}] ${line}`;
  });
  return `${lines.join('\n')}\n`;
}

/**
 * Returns the captions of a transcript in its order, one for each line with words. A line whose time is not known is
 * shown with the line before it. Each is shown until the next one that starts later, the last until the memory ends.
 */
function captionsOf({
  transcript,
  line_starts_ms,
  duration_seconds,
}: TimedTranscript): Caption[] | undefined {
  const first = line_starts_ms?.find((start) => start !== null);
  if (line_starts_ms === null || first === undefined || first === null) return undefined;
  let start = first;
  const captions = linesOf(transcript).flatMap((line, i) => {
    // Players sort captions by their start, and lines must keep their order.
    start = Math.max(start, line_starts_ms[i] ?? 0);
    if (line.trim() === '') return [];
    const speaker = speakerOf(line);
    const words = speaker === undefined ? line : line.slice(speaker.length + 1);
    return { speaker, words: words.trim(), start };
  });
  const all = 1000 * duration_seconds;
  let next = all > start ? all : start + LAST_MS;
  let end = next;
  const withEnds = captions.toReversed().map((caption) => {
    if (caption.start < next) end = next;
    next = caption.start;
    return { ...caption, end };
  });
  return withEnds.toReversed();
}

function labelled(speaker: string | undefined, words: string): string {
  return speaker === undefined ? words : `${speaker}: ${words}`;
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

function escapeVtt(text: string): string {
  return text.replaceAll(/[&<>]/g, (mark) => ESCAPES[mark] ?? mark);
}

/** Formats a time as 00:01:02.500, with the given mark before the milliseconds. */
function clock(ms: number, mark: string): string {
  const [hours, minutes, seconds] = [ms / 3_600_000, (ms / 60_000) % 60, (ms / 1000) % 60];
  const parts = [hours, minutes, seconds].map((part) => String(Math.floor(part)).padStart(2, '0'));
  return `${parts.join(':')}${mark}${String(ms % 1000).padStart(3, '0')}`;
}
