// Transcripts of Plaud and other programs: a time in each turn, in one of three common forms.

import { isSpeakerName, splitSpeaker } from '../captions/speaker-names.ts';
import { toSeconds } from '../timestamp.ts';
import { filledLines, toTextFormat, type LineMeaning } from './dialect.ts';

const LONG = String.raw`\d{1,2}:\d\d:\d\d`;

/** `[00:01:02] Anna: Hello.` Without brackets it could be a line of a log. */
const IN_BRACKETS = /^\[(?<time>(?:\d{1,2}:)?\d{1,2}:\d\d)\]\s*(?<rest>\S[^]*)$/;
/** `00:01:02 Anna`, with the words below it. */
const TIME_FIRST = new RegExp(String.raw`^(?<time>${LONG})\s+(?<speaker>\S.{0,79})$`, 'u');
/** `Anna 00:01:02`, with the words below it. */
const NAME_FIRST = new RegExp(String.raw`^(?<speaker>\S.{0,79}?)\s{1,8}(?<time>${LONG})$`, 'u');

/** Transcripts with times, in the forms that several programs share. Their times count from the start. */
export const timedText = toTextFormat({
  name: 'timed-text',
  product: 'text of Plaud and others with times: "[00:01:02] Name: words" or "00:01:02 Name"',
  matches: (head) => {
    const [first = '', second = '', ...more] = filledLines(head);
    const form = formOf(first);
    if (form === undefined) return false;
    // A second turn makes it a conversation. Without words below, a name with a time is an entry of a list.
    return form === 'inline'
      ? [second, ...more].some((line) => formOf(line) === form)
      : formOf(second) === undefined && more.some((line) => formOf(line) === form);
  },
  readLine,
});

function readLine(line: string): LineMeaning | undefined {
  const {
    time,
    rest,
    speaker = '',
  } = (
    IN_BRACKETS.exec(line.trim()) ??
    TIME_FIRST.exec(line.trim()) ??
    NAME_FIRST.exec(line.trim())
  )?.groups ?? {};
  if (time === undefined) return undefined;
  const seconds = toSeconds(time);
  if (rest === undefined)
    return isSpeakerName(speaker) ? { is: 'turn', speaker, seconds } : undefined;
  const named = splitSpeaker(rest) ?? { speaker: '', text: rest };
  return { is: 'turn', ...named, seconds };
}

/** Returns the form of a line that begins a turn with a speaker. */
function formOf(line: string): 'inline' | 'time first' | 'name first' | undefined {
  const meaning = readLine(line);
  if (meaning?.is !== 'turn' || meaning.speaker === '') return undefined;
  if (meaning.text !== undefined) return 'inline';
  return TIME_FIRST.test(line) ? 'time first' : 'name first';
}
