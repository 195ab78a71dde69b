// Finds out whether the cues of a file name their speakers on a line above the text.

import { stripMarkup } from '../markup.ts';
import { isSpeakerName } from './speaker-names.ts';

/** Reads a speaker's name from the line above the text, in the style of one file. */
export type NameReader = (line: string) => string | undefined;

const PARENTHESES = /^\(([^()]+)\)$/;

const inParentheses: NameReader = (line) => PARENTHESES.exec(line)?.[1];
const bare: NameReader = (line) => (isSpeakerName(line) ? line : undefined);

/** The most speakers of a recording. With more, first lines are words. */
const MAX_NAMES = 10_000;

/**
 * Creates a finder of how a file writes names on a line above the text, if it does. One cue cannot show
 * this: the line could be half a sentence, or `(Laughter)`. So all cues must begin in the same style.
 */
export function createNameFinder() {
  let cues = 0;
  let hasLonger = false;
  let isInParentheses = true;
  let isBare = true;
  let hasCapitals = true;
  const names = new Set<string>();

  return {
    /** Adds the lines of the next cue. */
    add(lines: readonly string[]): void {
      const [line] = lines;
      if (line === undefined) return;
      cues++;
      hasLonger ||= lines.length > 1;
      if (!isInParentheses && !isBare) return;
      const first = stripMarkup(line).trim();
      isInParentheses &&= inParentheses(first) !== undefined;
      isBare &&= lines.length > 1 && names.size <= MAX_NAMES && isSpeakerName(first);
      hasCapitals &&= /\p{Lu}/u.test(first);
      if (isBare) names.add(first);
    },
    /** Returns how names are read, or undefined if there are none. */
    end(): NameReader | undefined {
      if (cues < 2 || !hasLonger) return undefined;
      if (isInParentheses) return inParentheses;
      return isBare && areSpeakers() ? bare : undefined;
    },
  };

  /**
   * Whether first lines are names, and not one language of bilingual subtitles. Names repeat. With only
   * a few cues, capital letters are enough.
   */
  function areSpeakers(): boolean {
    return names.size <= cues * 0.75 || (cues < 5 && hasCapitals);
  }
}
