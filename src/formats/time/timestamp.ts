// Timestamps in transcripts: `54:50`, `1:02:03`, `00:00:01.500`.

/** A time as transcripts write it, for use in other patterns. Minutes can go past 99 if there are no hours. */
export const TIME = String.raw`(?:\d{1,3}:)?\d{1,3}:\d\d(?:[.,]\d{1,9})?`;

/** A text that is a time. */
export const TIMESTAMP = new RegExp(`^\\s*${TIME}\\s*$`);

/** Converts `54:50`, `1:02:03` or `00:00:01,500` to seconds. */
export function toSeconds(time: string): number {
  return time
    .replace(',', '.')
    .split(':')
    .reduce((sum, part) => sum * 60 + Number(part), 0);
}
