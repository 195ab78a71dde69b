// Finds the speaker's name at the start of a line.

import { isSpeakerLabel } from '../../text/speaker.ts';

/** A line that begins with a name: the name and the rest. */
export interface NamedLine {
  readonly speaker: string;
  readonly text: string;
}

const MAX_NAME_WORDS = 5;
const MAX_NAME_LENGTH = 80;
// A space follows the colon after a name, unlike the colon in a URL or a time.
const PREFIX = /^([^:：]{1,80}?)\s?(?::(?=\s|$)|：)\s*([^]*)$/;
const BRACKETS = /^\[([^[\]]+)\]$/;
const ASIDE = /\s*\([^()]*\)$/; // pronouns, a company, "(guest)"
const PARTICLE =
  /^(?:[-–|/&+•]|af|al|and|bin|da|de|del|della|den|der|di|do|dos|du|e|el|ibn|la|le|of|och|the|und|van|von|y|zu|zum|zur)$/;
const WORD =
  /^(?:[\p{L}\p{M}\p{N}'’_@+-]|\.(?=[\p{L}\p{N}]))+,?$|^(?:\p{L}{1,4}\.)+,?$|^#\p{N}{1,3}$/u;
const MARK = /[\p{Lu}\p{Lt}\p{Lo}\p{N}@]/u;

/** A label before words: `(speaker 0)` of whisper.cpp with stereo sound, which is `?` if both channels are as loud, or `[Speaker:1]`. */
const LABELLED = /^[[(](?:(speaker|spk|channel|ch)([ _:-])(\d{1,3}|\?))[\])]:?\s+(\S[^]*)$/i;

/** Splits `Name: text`. Returns `undefined` if the text before the colon is not a name. */
export function splitSpeaker(line: string): NamedLine | undefined {
  const [labelled, kind = '', mark = '', number = '', words = ''] = LABELLED.exec(line) ?? [];
  if (labelled !== undefined)
    return { speaker: number === '?' ? '' : toLabel(kind + mark + number), text: words };
  const [, prefix = '', text = ''] = PREFIX.exec(line) ?? [];
  const speaker = withoutBrackets(prefix).trim();
  return isSpeakerName(speaker) ? { speaker, text } : undefined;
}

const BRACKETED = /^\[([^[\]]{1,80})\]\s+(\S[^]*)$/;

const SOUND =
  /^(?:music|applause|laugh(?:s|ter|ing)?|noise|silence|inaudible|crosstalk|cheering|singing|blank_audio)\b/i;

/** Splits `[Anna] text`. Only a whole file shows whether it names speakers: `[Music] so today` looks alike. */
export function splitBracketed(line: string): NamedLine | undefined {
  const [, speaker = '', text = ''] = BRACKETED.exec(line) ?? [];
  return isSpeakerName(speaker) && !SOUND.test(speaker) ? { speaker, text } : undefined;
}

/** Returns a name without the brackets around it: `[SPEAKER_00]`. */
export function withoutBrackets(name: string): string {
  return BRACKETS.exec(name)?.[1] ?? name;
}

/**
 * Returns the label that is alone on a line in brackets, as Deepgram writes it into SubRip where the speaker
 * changes: `[speaker 0]`. In its other files, it is `Speaker 0`. `[unknown]` is a sound.
 */
export function labelIn(line: string): string | undefined {
  const label = BRACKETS.exec(line)?.[1];
  if (label === undefined || !/\d/.test(label) || !isSpeakerLabel(label)) return undefined;
  return toLabel(label);
}

function toLabel(label: string): string {
  return label.replace(/^speaker[ :]/i, 'Speaker ');
}

/**
 * Whether a text looks like a name: few words, no punctuation between sentences, and each word has a
 * capital letter, a digit, or letters of a script without capitals.
 */
export function isSpeakerName(text: string): boolean {
  if (text.length > MAX_NAME_LENGTH) return false; // a line can be a whole file
  const words = text.replace(ASIDE, '').split(/\s+/);
  return words.length <= MAX_NAME_WORDS && words.every(isWord) && /\p{L}/u.test(text);
}

function isWord(word: string): boolean {
  return PARTICLE.test(word) || (WORD.test(word) && MARK.test(word));
}
