// Finds the speakers in cues: voice tags, identifiers, names before a colon, or names on their own line.

import { stripMarkup } from '../markup.ts';
import type { Utterance } from '../time/offsets.ts';
import { createTurnFinder } from '../turns/turn-names.ts';
import type { Segment } from '../turns/turns.ts';
import type { Cue } from './cue-store.ts';
import { createNameFinder, type NameReader } from './names-above.ts';
import { labelIn, splitBracketed, splitSpeaker } from './speaker-names.ts';

// Lengths are limited, so that a text of nothing but "<v" is matched in linear time.
const VOICE = /<v(?:\.[^\s<>]{0,200})?(?:\s+([^>]{0,200}))?>/i;
const VOICE_ENDS = /<\/v\s*>/i;

/** A new speaker begins: a line with only a dash, a dash before the text, or `>>`. Before a number, a dash is a minus. */
const CHANGE = /^(?:[-–—](?:\s+(?![\s\d])|$|(?=\p{L}))|>{2,3}\s*)/u;

/** Yields the segments of cues, in order. The speaker is `''` if nothing names it. */
export function* readSpeech(cues: Iterable<Cue>): Generator<Utterance> {
  const names = findNames(cues);
  let current = '';
  for (const cue of cues)
    for (const { text, ...segment } of spokenInCue(cue, names, current)) {
      if (names.isOncePerTurn && text?.trim()) current = segment.speaker ?? '';
      yield { ...segment, text, start: cue.start, end: cue.end };
    }
}

function* spokenInCue(
  { lines, speaker }: Cue,
  names: NamePlaces,
  current: string,
): Generator<Segment> {
  const [before = '', ...voices] = lines.join('\n').split(VOICE);
  yield* spokenIn(before, names, speaker ?? current);
  for (let i = 0; i < voices.length; i += 2) {
    const [inside = '', ...after] = (voices[i + 1] ?? '').split(VOICE_ENDS);
    yield { speaker: stripMarkup(voices[i] ?? ''), text: stripMarkup(inside) };
    yield* spokenIn(after.join(' '), names);
  }
}

/** Where the cues of a file name their speakers, besides voice tags and identifiers. */
interface NamePlaces {
  readonly heading: NameReader | undefined;
  /** Whether a name can stand before a colon. If identifiers name the speakers, that is a word: `Hi: there.` */
  readonly hasPrefixes: boolean;
  /** Whether words follow a name before a colon anywhere. Otherwise `Credits:` alone is words. */
  readonly hasPrefixedWords: boolean;
  /** Whether a name stands where the speaker changes, and holds for the cues below it. */
  readonly isOncePerTurn: boolean;
  /** Whether names stand in brackets before the words, in most cues: `[Anna] Hello.` */
  readonly hasBrackets: boolean;
}

/** Whether names stand in brackets, if so many of the cues begin with one. Sounds, as in `[Music] so today`, are rarer. */
function areBracketed(bracketed: number, cues: number): boolean {
  return bracketed >= 2 && bracketed >= cues * 0.6;
}

function isPrefixed(line: string): boolean {
  return Boolean(splitSpeaker(stripMarkup(line).trim())?.text.trim());
}

function findNames(cues: Iterable<Cue>): NamePlaces {
  const above = createNameFinder();
  let hasPrefixes = true;
  let hasPrefixedWords = false;
  let hasLabels = false;
  let [cueCount, bracketed] = [0, 0];
  const turns = createTurnFinder();
  for (const { lines, speaker } of cues) {
    above.add(lines);
    hasPrefixes &&= speaker === undefined;
    hasPrefixedWords ||= lines.some(isPrefixed);
    hasLabels ||= lines.some((line) => labelIn(line) !== undefined);
    if (lines.length === 0) continue;
    cueCount++;
    if (splitBracketed(stripMarkup(lines[0] ?? '').trim())) bracketed++;
    turns.add(speaker ?? nameIn(lines));
  }
  const isOncePerTurn = hasLabels || turns.end();
  const hasBrackets = hasPrefixes && areBracketed(bracketed, cueCount);
  return { heading: above.end(), hasPrefixes, hasPrefixedWords, isOncePerTurn, hasBrackets };
}

/** Returns the name of a voice tag, or the name before a colon, in the first line of a cue. */
function nameIn([line = '']: readonly string[]): string | undefined {
  const words = stripMarkup(line).trim().replace(CHANGE, '');
  return VOICE.exec(line)?.[1] ?? splitSpeaker(words)?.speaker;
}

/** Yields the segments of text without voice tags. */
function* spokenIn(text: string, names: NamePlaces, speaker = ''): Generator<Segment> {
  const { heading, hasPrefixes, hasPrefixedWords, hasBrackets } = names;
  let segment: Turn = { speaker, texts: [] };
  let isHead = true;
  for (const line of text.split('\n')) {
    const whole = stripMarkup(line).trim();
    const words = whole.replace(CHANGE, '');
    isHead ||= words !== whole;
    const above = labelIn(words) ?? (isHead ? heading?.(words) : undefined);
    const prefix = hasPrefixes
      ? (splitSpeaker(words) ?? (hasBrackets ? splitBracketed(words) : undefined))
      : undefined;
    const named = above === undefined ? prefix : { speaker: above, text: '' };
    if (named || words !== whole) {
      yield toSegment(segment);
      segment = {
        speaker: named?.speaker ?? '',
        texts: [],
        prefix: hasPrefixedWords || !prefix ? undefined : words,
      };
    }
    segment.texts.push(named ? named.text : words);
    if (words !== '') isHead = false;
  }
  yield toSegment(segment);
}

interface Turn {
  readonly speaker: string;
  readonly texts: string[];
  /** The line with the speaker, if no file of speakers before colons has it. */
  readonly prefix?: string | undefined;
}

/** Converts a turn. A prefix without words becomes the words. */
function toSegment({ speaker, texts, prefix }: Turn): Segment {
  const text = texts.join(' ');
  return text.trim() === '' && prefix !== undefined
    ? { speaker: '', text: prefix }
    : { speaker, text };
}
