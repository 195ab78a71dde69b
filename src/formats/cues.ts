// Cues: texts with a time each, as WebVTT and SRT have them, and as products and people write those.

/** What was said in a span of a recording; its times are in seconds since the recording began. */
export interface Cue {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
  /** Who speaks, where the identifier says so. */
  readonly speaker?: string | undefined;
}

// Unpadded, with a comma, and before the beginning: 0:0:5.32, 00:00:05,320, 00:05.320, -0:0:5.32.
const TIME = String.raw`-?(?:-?\d{1,6}:)?-?\d{1,2}:-?\d{1,2}(?:[.,]-?\d{1,9})?`;

/** The line of a cue that says from when to when it lasts; settings may follow. */
export const TIMING = new RegExp(String.raw`^\s*(${TIME})\s*-->\s*(${TIME})(?:\s|$)`);

/** A line of times that cannot be read, as of frames, 00:00:05:12, or of seconds alone. */
const BROKEN = /^\s*[\d:.,;-]+\s*-->\s*[\d:.,;-]+\s*$/;

const WEBVTT = /^\s*WEBVTT/;
const NO_CUE = /^(?:NOTE|STYLE|REGION)(?:\s|$)/;
/** The identifiers of Webex: 1 "Anna" (2763457536). */
const SPEAKER = /^\s*\d+ "([^"]{1,200})"(?: \(\d+\))?\s*$/;
const NUMBER = /^\s*\d+\s*$/;

/** What the line before was: of a text, whether a blank line was above it. */
interface Above {
  readonly line: string;
  readonly isFirst: boolean;
  isDirect: boolean;
}

/**
 * Reads the cues of a text, in the order of their beginnings. A line between a blank one and a timing
 * is an identifier. Cues need no blank line between them, and may have some inside: Google Meet puts
 * one where the speaker changes. A cue whose times cannot be read is where the one before it is.
 */
export function readCues(text: string): Cue[] {
  const cues: (Cue & { readonly lines: string[]; readonly isNumbered: boolean })[] = [];
  const hasNotes = WEBVTT.test(text);
  let above: Above | undefined;
  let wasBlank = true;
  let isSkipped = false;
  for (const line of text.split(/\r\n|[\n\r]/)) {
    const last = cues.at(-1);
    const isBlank = line.trim() === '';
    const times = timesOf(line, last);
    isSkipped = !isBlank && (isSkipped || (hasNotes && wasBlank && NO_CUE.test(line)));
    if (isSkipped) above = undefined;
    else if (times) {
      const id = above && isIdentifier(above, last?.isNumbered) ? above.line : undefined;
      if (id !== undefined) last?.lines.pop();
      const isNumbered = above !== undefined && NUMBER.test(above.line);
      const [, speaker] = SPEAKER.exec(id ?? '') ?? [];
      cues.push({ ...times, lines: [], isNumbered, speaker });
      above = undefined;
    } else if (isBlank) {
      if (above) above.isDirect = false;
    } else {
      last?.lines.push(line);
      above = { line, isFirst: wasBlank, isDirect: true };
    }
    wasBlank = isBlank;
  }
  return cues
    .map(({ start, end, lines, speaker }) => ({ start, end, lines, speaker }))
    .toSorted((a, b) => a.start - b.start);
}

/**
 * Tells an identifier from the last words of the cue before: by the blank line above it, or where cues
 * have numbers, by being one, with no blank line above or, in files of double spacing, one below, too.
 */
function isIdentifier({ line, isFirst, isDirect }: Above, isNumbered = false): boolean {
  if (isNumbered && NUMBER.test(line)) return isFirst || isDirect;
  return isFirst && isDirect;
}

function timesOf(line: string, last: Cue | undefined) {
  const [, start, end] = TIMING.exec(line) ?? [];
  if (start !== undefined && end !== undefined)
    return { start: toSeconds(start), end: toSeconds(end) };
  const at = last?.start ?? 0;
  return BROKEN.test(line) ? { start: at, end: at } : undefined;
}

function toSeconds(time: string): number {
  const parts = time.replaceAll('-', '').replace(',', '.').split(':').map(Number);
  const seconds = parts.reduce((sum, part) => sum * 60 + part, 0);
  return time.includes('-') ? -seconds : seconds;
}
