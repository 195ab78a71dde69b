// Joins the pieces of recognisers that give every word by itself, up to a mark or a pause.

import { isPresent } from '../field-schemas.ts';
import type { Utterance } from '../time/offsets.ts';

/** A text of one word, or of some characters in a script without spaces. */
const WORD = /^(?:[^\s\p{Lo}]{1,30}|\p{P}{0,4}\p{Lo}{1,4}\p{P}{0,4})$/u;
/** The end of a sentence. */
const SENTENCE_END = /[.?!…。？！।؟]["'”’»)\]]{0,4}\s?$/u;
const MARK = /^\p{P}{1,10}$/u;
/** Begins without a space before it: a mark, or a word in a script without spaces. */
const GLUED =
  /^(?:[.,;:?!…%)\]}”’»、。，！？：；」』）】]|['’]\p{L}|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}])/u;

/** How many pieces show what all of them are. */
const SAMPLE = 1000;
/** The longest pause within a sentence, in seconds. */
const PAUSE = 2;

/** Whether nearly all texts of a recording are single words or marks. */
export function areWords(texts: Iterable<string | null | undefined>): boolean {
  let count = 0;
  let words = 0;
  for (const text of texts) {
    const word = text?.trim() ?? '';
    if (word === '') continue;
    if (WORD.test(word)) words++;
    if (++count === SAMPLE) break;
  }
  return count >= 4 && words >= count * 0.8;
}

/**
 * Joins words to sentences: until one ends, its speaker changes, or nobody speaks for a while. If words
 * bring their spaces along, a word without one continues the word before it. `hasSpaces` says that they do
 * if the first ones do not show it.
 */
export function* joinWords(words: Iterable<Utterance>, hasSpaces = false): Generator<Utterance> {
  let texts: string[] = [];
  let first: Utterance | undefined;
  let before: Utterance | undefined;
  for (const word of words) {
    const text = word.text ?? '';
    if (text.trim() === '') continue;
    hasSpaces ||= text.startsWith(' ');
    if (first && before && !continues(before, word)) {
      yield { ...first, text: texts.join(''), end: before.end };
      first = undefined;
    }
    if (first) texts.push(hasSpaces || GLUED.test(text) ? text : ` ${text}`);
    else texts = [text];
    first ??= word;
    before = word;
  }
  if (first && before) yield { ...first, text: texts.join(''), end: before.end };
}

/** Whether a word is of the same sentence as the word before it. */
function continues(before: Utterance, word: Utterance): boolean {
  if (before.speaker !== word.speaker) return false;
  if (MARK.test(word.text?.trim() ?? '')) return true;
  const end = before.end ?? before.start;
  const pause = isPresent(end) && isPresent(word.start) ? word.start - end : 0;
  return pause <= PAUSE && !SENTENCE_END.test(before.text ?? '');
}

/** Joins pieces if they are words, and leaves phrases as they are. */
export function joinPieces(pieces: readonly Utterance[]): Iterable<Utterance> {
  const texts = pieces.map(({ text }) => text ?? '');
  return areWords(texts)
    ? joinWords(
        pieces,
        texts.some((text) => /^ \S/.test(text)),
      )
    : pieces;
}
