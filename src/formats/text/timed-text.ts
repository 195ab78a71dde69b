// Transcripts with a time in each turn, in the forms that many programs share.

import { isSpeakerName, splitSpeaker } from '../captions/speaker-names.ts';
import type { WholeTextFormat } from '../format.ts';
import { createTurnFinder } from '../turns/turn-names.ts';
import type { Segment } from '../turns/turns.ts';
import { createClock } from './lines/clock.ts';
import { dateByClock } from './lines/date-by-clock.ts';
import { dateFromStart, readTranscript, type Around, type LineMeaning } from './lines/dialect.ts';
import { readHeading } from './lines/heading.ts';
import { joinHeads } from './lines/joined-heads.ts';
import { filledLines, plainText, SAMPLE } from './lines/plain-lines.ts';
import { isInWords } from './lines/spoken-time.ts';
import { readTimed, type Shape, type Timed } from './lines/timed-line.ts';

/** Transcripts with times, which count from the start unless they are times of day. */
export const timedText: WholeTextFormat = {
  name: 'timed-text',
  product:
    'text of Plaud and others with times: "[00:01:02] Name: words", "0:06 words" and the like',
  inDocuments: true,
  matches: (head) => formIn(joinHeads(plainText(head)).slice(0, SAMPLE)) !== undefined,
  read: (text, about) => {
    const plain = joinHeads(plainText(text));
    const form = formIn(plain.slice(0, SAMPLE));
    if (form === undefined) return { reason: 'it has no turns' };
    const date = form.isClock ? dateByClock : dateFromStart;
    return readTranscript(
      { readLine: createReader(form), readHead: readHeading, date },
      plain,
      about,
    );
  },
};

/** How many lines can stand above the first turn. */
const MAX_TOP = 20;

/** The form of a text: the shape of its turns, and whether a name holds for the turns below it. */
interface Form {
  readonly shape: Shape;
  readonly isOncePerTurn: boolean;
  readonly isClock: boolean;
}

/** Finds the form of a text by its first lines, if it is a transcript. */
function formIn(head: string): Form | undefined {
  const all = filledLines(head).map(readTimed);
  const lines = all.filter(
    (line, i) => line?.shape !== 'time' || !(isHead(all[i - 1]) || isPause(all[i + 1])),
  );
  const top = lines.slice(0, MAX_TOP).filter((line) => line !== undefined);
  // A single line of a shape can be of a heading: `Duration: 45:23`.
  const first =
    top.find(({ shape }) => lines.filter((line) => line?.shape === shape).length >= 2) ?? top[0];
  if (first === undefined) return undefined;
  const turns = lines.flatMap((line, i) =>
    line?.shape === first.shape ? { ...line, isAbove: isAbove(lines, i) } : [],
  );
  const isHeading = turns.filter((turn) => turn.isAbove).length >= turns.length * 0.7;
  const areNames = turns.every(({ text = '' }) => isSpeakerName(text.replace(/:$/, '')));
  const shape = first.shape === 'words' && isHeading && areNames ? 'time and name' : first.shape;
  const isRight = shape === 'words' ? areSpoken(turns) : areTurns(turns, isHeading, shape);
  if (!isRight) return undefined;
  const finder = createTurnFinder();
  for (const { text } of turns) finder.add(splitSpeaker(text ?? '')?.speaker);
  const isClock = first.isClock || first.seconds > LATEST_HOUR;
  return { shape, isOncePerTurn: shape === 'words' && finder.end(), isClock };
}

function isHead(line: Timed | undefined): boolean {
  return line?.shape === 'name and time';
}

/** Whether a time has nothing behind and below it, by the line below: lyrics and recorders mark a pause so. */
function isPause(below: Timed | undefined): boolean {
  return below?.shape === 'words';
}

/** Whether words stand below a line: the next line has no time, or is not there yet. */
function isAbove(lines: readonly (Timed | undefined)[], i: number): boolean {
  return i === lines.length - 1 ? i > 0 : lines[i + 1] === undefined;
}

/** Whether lines with a time and a text are speech, and not a log, an agenda or a list of chapters. */
function areSpoken(turns: readonly Timed[]): boolean {
  if (turns.every(({ isSpan, isInBrackets }) => isSpan && isInBrackets)) return true;
  if (turns.every(({ isClock, text = '' }) => isClock && splitSpeaker(text)))
    return turns.length >= 2;
  const named = turns.filter(({ text }) => splitSpeaker(text ?? '') !== undefined);
  if (named.filter(({ isInBrackets }) => isInBrackets).length >= 2) return true;
  return turns.length >= 2 && areElapsed(turns) && areDense(turns);
}

/** Whether lines are the heads of turns, whose words stand behind or below them. */
function areTurns(turns: readonly Timed[], isHeading: boolean, shape: Shape): boolean {
  if (turns.length < 2) return false;
  // The table of an agenda has short times of day.
  if (shape === 'name, time, words')
    return areElapsed(turns) || turns.some(({ isLong, isInBrackets }) => isLong || isInBrackets);
  const isPlain = turns.some(({ isLong, isInBrackets }) => !isLong && !isInBrackets);
  const names = new Set(turns.map(({ speaker }) => speaker));
  const isConversation =
    areElapsed(turns) || (shape === 'name and time' && names.size < turns.length);
  return isHeading && (shape === 'time' ? areElapsed(turns) : !isPlain || isConversation);
}

/** The latest time, in seconds, at which somebody first speaks. */
const LATEST = 600;

/** Later times, in seconds, are times of day, unless a recording begins with six hours of silence. */
const LATEST_HOUR = 6 * 60 * 60;

/** Whether times count from the start of a recording: they begin near it, and go on. */
function areElapsed(turns: readonly Timed[]): boolean {
  const [first] = turns;
  const isMarked = first !== undefined && (first.isLong || first.isInBrackets);
  if (first === undefined || first.seconds > (isMarked ? LATEST : 60)) return false;
  return turns.every(({ seconds }, i) => seconds >= (turns[i - 1]?.seconds ?? 0));
}

/** Whether words follow one another as in speech, for half of the turns. Chapters are minutes apart and have few words. */
function areDense(turns: readonly Timed[]): boolean {
  const spoken = turns.slice(0, -1).filter(({ text = '', seconds }, i) => {
    const gap = (turns[i + 1]?.seconds ?? seconds) - seconds;
    return gap <= 15 || text.split(/\s+/).length / gap >= 0.3;
  });
  return spoken.length * 2 >= turns.length - 1;
}

/** What Otter, TurboScribe, Jitsi and others write about themselves into a text. */
const ADDED =
  /^\s*\(?(?:Transcribed by (?:https?:\/\/)?[\w.]{1,40}\.(?:ai|com|io)\b.{0,80}|This file is longer than \d+ minutes\b.{0,200}|<[\d:]{4,8} [AP]M> .{1,80} (?:joined|left) the conference|End of transcript at .{1,40})$/i;

/** Creates the reader of lines of a form. What has no time continues the turn above it. */
function createReader({ shape, isOncePerTurn }: Form) {
  let current = '';
  let last: number | undefined;
  return (line: string, { hasWords }: Around): LineMeaning | undefined => {
    if (ADDED.test(line)) return { is: 'nothing' };
    const timed = readTimed(line);
    if (timed === undefined) {
      if (shape !== 'time' || hasWords || !isInWords(line.trim(), last)) return undefined;
      last = undefined;
      return { is: 'nothing' };
    }
    const { speaker, text = '', until: seconds } = timed;
    last = seconds;
    const times = timed.isSpan ? { seconds, start: timed.seconds } : { seconds };
    if (shape === 'time and name') {
      const name = text.replace(/:$/, '');
      return timed.shape === 'words' && isSpeakerName(name)
        ? { is: 'turn', speaker: name, ...times }
        : undefined;
    }
    // Teams' page repeats the time below the name, and a time alone can be a pause.
    if (timed.shape !== shape) return timed.shape === 'time' ? { is: 'time', seconds } : undefined;
    if (shape !== 'words') return { is: 'turn', speaker, text: timed.text, ...times };
    const said = splitSpeaker(text) ?? { speaker: isOncePerTurn ? current : '', text };
    current = said.speaker;
    return { is: 'turn', ...said, ...times };
  };
}

/**
 * Splits a plain transcript into one segment per line, with the time before its words: `[00:00:12] Anna: Hello.`
 * Times of day count from the first one.
 */
export function timedSegments(text: string): Segment[] {
  const lines = filledLines(plainText(text)).map((line) => ({ line, timed: readTimed(line) }));
  const first = lines.find(({ timed }) => timed)?.timed?.seconds ?? 0;
  const zero = first > LATEST ? first : 0;
  const addDays = createClock();
  return lines.map(({ line, timed }) => {
    if (timed?.shape !== 'words') return { text: line, hasLabel: true };
    const said = splitSpeaker(timed.text ?? '') ?? { speaker: '', text: timed.text };
    return { ...said, start: addDays(timed.seconds) - zero };
  });
}
