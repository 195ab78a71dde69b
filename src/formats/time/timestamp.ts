// Timestamps in transcripts: `54:50`, `1:02:03`, `00:00:01.500`, `00:00:01:12` with frames.

/** A time with the number of a frame, as editors of films write it. */
const TIMECODE = String.raw`\d\d:\d\d:\d\d[:;]\d\d`;

/** A time as transcripts write it, for use in other patterns. Minutes can go past 99 if there are no hours. */
export const TIME = String.raw`(?:${TIMECODE}(?!\d)|(?:\d{1,3}:)?\d{1,3}:\d\d(?:[.,]\d{1,9})?)`;

/** A text that is a time. */
export const TIMESTAMP = new RegExp(`^\\s*${TIME}\\s*$`);

/** Converts `54:50`, `1:02:03` or `00:00:01,500` to seconds. Nothing says how many frames a second has, so they do not count. */
export function toSeconds(time: string): number {
  return time
    .replace(/^(\d+:\d+:\d+)[:;]\d\d$/, '$1')
    .replace(',', '.')
    .split(':')
    .reduce((sum, part) => sum * 60 + Number(part), 0);
}
