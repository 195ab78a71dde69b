// Speech: who says what in the text of cues, by voice tags, identifiers, names before a colon, or names on a line of their own.

import type { Cue } from './cues.ts';
import { plainText } from './markup.ts';
import { isName, nameOf } from './names.ts';
import type { Segment } from './turns.ts';

// What a tag may hold is bounded, so that a text of nothing but "<v" is read in no longer a time.
const VOICE = /<v(?:\.[^\s<>]{0,200})?(?:\s+([^>]{0,200}))?>/i;
const VOICE_ENDS = /<\/v\s*>/i;

/** Another speaker begins: a line of a dash, a dash before the text, or `>>`. */
const CHANGE = /^(?:[-–—](?:\s+|$|(?=\p{L}))|>{2,3}\s*)/u;
const PARENTHESES = /^\(([^()]+)\)$/;

/** How the cues of a file name their speakers on a line above the text, if they do. */
type Heading = (line: string) => string | undefined;

const inParentheses: Heading = (line) => PARENTHESES.exec(line)?.[1];
const bare: Heading = (line) => (isName(line) ? line : undefined);

/** Finds the segments of cues, in their order; of nobody where nothing names the speaker. */
export function* speechOf(cues: readonly Cue[]): Generator<Segment> {
  const heading = headingOf(cues);
  for (const { lines, speaker } of cues) {
    const [before = '', ...voices] = lines.join('\n').split(VOICE);
    yield* spokenIn(before, heading, speaker);
    for (let i = 0; i < voices.length; i += 2) {
      const [inside = '', ...after] = (voices[i + 1] ?? '').split(VOICE_ENDS);
      yield { speaker: plainText(voices[i] ?? ''), text: plainText(inside) };
      yield* spokenIn(after.join(' '), heading);
    }
  }
}

/** Reads text without voice tags, line by line. */
function* spokenIn(text: string, heading?: Heading, speaker = ''): Generator<Segment> {
  let segment = { speaker, texts: [] as string[] };
  let isHead = true;
  for (const line of text.split('\n')) {
    const whole = plainText(line).trim();
    const words = whole.replace(CHANGE, '');
    isHead ||= words !== whole;
    const above = isHead ? heading?.(words) : undefined;
    const named = above === undefined ? nameOf(words) : { speaker: above, text: '' };
    if (named || words !== whole) {
      yield { speaker: segment.speaker, text: segment.texts.join(' ') };
      segment = { speaker: named?.speaker ?? '', texts: [] };
    }
    segment.texts.push(named ? named.text : words);
    if (words !== '') isHead = false;
  }
  yield { speaker: segment.speaker, text: segment.texts.join(' ') };
}

/**
 * Finds out whether names stand on a line above the text: one cue does not tell a name from the first
 * half of a sentence, nor `(Anna)` from `(Laughter)`, but that all cues begin so does.
 */
function headingOf(cues: readonly Cue[]): Heading | undefined {
  const all = cues.flatMap(({ lines }) => (lines.length > 0 ? [lines] : []));
  if (all.length < 2 || all.every(({ length }) => length < 2)) return undefined;
  const firsts = all.map(([first = '']) => plainText(first).trim());
  if (firsts.every(inParentheses)) return inParentheses;
  const isAbove = all.every(({ length }) => length > 1) && firsts.every(isName);
  return isAbove && areSpeakers(firsts) ? bare : undefined;
}

/**
 * Tells names from the lines of subtitles in two languages: who speaks, speaks again. Of a few cues it
 * is enough that they are written as names.
 */
function areSpeakers(firsts: readonly string[]): boolean {
  if (new Set(firsts).size <= firsts.length * 0.75) return true;
  return firsts.length < 5 && firsts.every((first) => /\p{Lu}/u.test(first));
}
