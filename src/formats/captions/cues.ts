// Parses the cues of WebVTT and SRT, including the deviations of products and people.

import { toSeconds } from '../time/timestamp.ts';
import { createCueStore, type Cue, type Cues } from './cue-store.ts';

// Also unpadded, with a comma, or negative: 0:0:5.32, 00:00:05,320, 00:05.320, -0:0:5.32. Programs that translate
// put spaces into times, and those that edit films write the number of a frame behind them: 00:00:05:12.
const TIME = String.raw`-?(?:-?\d{1,6}: ?)?-?\d{1,2}: ?-?\d{1,2}(?:[.,] ?-?\d{1,9}|[:;]\d\d)?`;
/** Word processors and translators change the arrow. */
const ARROW = String.raw`(?:--?|[\u2013\u2014])>|\u2192`;

/** The timing line of a cue. Settings can follow the times. */
export const TIMING = new RegExp(String.raw`^\s*(${TIME})\s*(?:${ARROW})\s*(${TIME})(?![\d:;.,])`);

/** A timing line in another notation, such as plain seconds. */
const BROKEN = new RegExp(String.raw`^\s*[\d:.,;-]+\s*(?:${ARROW})\s*[\d:.,;-]+\s*$`);

/** Whether a line has an arrow between times, or another one. */
export function hasArrow(line: string): boolean {
  return /[-\u2013\u2014]>|\u2192/.test(line);
}

const WEBVTT = /^\s*WEBVTT/i;
const NO_CUE = /^(?:NOTE|STYLE|REGION)(?:\s|$)/;
/** An identifier of Webex: 1 "Anna" (2763457536). */
const SPEAKER = /^\s*\d+ "([^"]{1,200})"(?: \(\d+\))?\s*$/;
const NUMBER = /^\s*\d+\s*$/;

/** The text line above the current one. `isFirst`: it follows a blank line. `isDirect`: the current line follows directly. */
interface Above {
  readonly line: string;
  readonly isFirst: boolean;
  isDirect: boolean;
}

/** The cue whose text is being read. */
interface OpenCue extends Cue {
  readonly lines: string[];
  readonly isNumbered: boolean;
}

/** Parses cues line by line. */
export interface CueReader {
  readonly add: (line: string) => void;
  /** Returns the cues, sorted by start time. */
  readonly end: () => Cues;
}

/**
 * Creates a parser of cues. A line between a blank line and a timing line is an identifier. Cues need
 * no blank line between them and can contain some: Google Meet puts one before a new speaker. A cue
 * with an unknown notation of times gets the start time of the cue before it.
 */
export function createCueReader(): CueReader {
  const store = createCueStore();
  let hasNotes: boolean | undefined; // unknown until the first line with text
  let last: OpenCue | undefined;
  let above: Above | undefined;
  let wasBlank = true;
  let isSkipped = false;

  function add(line: string): void {
    const isBlank = line.trim() === '';
    if (!isBlank) hasNotes ??= WEBVTT.test(line);
    const times = timesOf(line, last);
    isSkipped = !isBlank && (isSkipped || (hasNotes === true && wasBlank && NO_CUE.test(line)));
    if (isSkipped) above = undefined;
    else if (times) {
      const id = above && isIdentifier(above, last?.isNumbered) ? above.line : undefined;
      if (id !== undefined) last?.lines.pop();
      const isNumbered = above !== undefined && NUMBER.test(above.line);
      const [, speaker] = SPEAKER.exec(id ?? '') ?? [];
      if (last) store.add(last);
      last = { ...times, lines: [], isNumbered, speaker };
      above = undefined;
    } else if (isBlank) {
      if (above) above.isDirect = false;
    } else {
      last?.lines.push(line);
      above = { line, isFirst: wasBlank, isDirect: true };
    }
    wasBlank = isBlank;
  }

  return {
    add,
    end() {
      if (last) store.add(last);
      return store.end();
    },
  };
}

/**
 * Whether a line is an identifier, not the last words of the cue before. An identifier has a blank line
 * above it. If cues are numbered, it is a number. In double-spaced files a blank line follows it, too.
 */
function isIdentifier({ line, isFirst, isDirect }: Above, isNumbered = false): boolean {
  if (isNumbered && NUMBER.test(line)) return isFirst || isDirect;
  return isFirst && isDirect;
}

function timesOf(line: string, last: Cue | undefined) {
  if (!hasArrow(line)) return undefined;
  const [, start, end] = TIMING.exec(line) ?? [];
  if (start !== undefined && end !== undefined)
    return { start: secondsOf(start), end: secondsOf(end) };
  const at = last?.start ?? 0;
  return BROKEN.test(line) ? { start: at, end: at } : undefined;
}

function secondsOf(time: string): number {
  const seconds = toSeconds(time.replaceAll(/[- ]/g, ''));
  return time.includes('-') ? -seconds : seconds;
}
