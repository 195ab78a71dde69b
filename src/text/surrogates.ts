// Surrogates: the halves of characters that take two UTF-16 code units, and beginnings of texts that end with no half.

import { firstThat } from '../lib/first-that.ts';

/** Returns whether a code unit is the first half of a character. */
export function isLeadSurrogate(code: number): boolean {
  return (code & 0xfc00) === 0xd800;
}

/** Returns whether a code unit is the second half of a character. */
export function isTrailSurrogate(code: number): boolean {
  return (code & 0xfc00) === 0xdc00;
}

/** Returns the first characters of a text, without half of one at its end. */
export function beginning(text: string, length: number): string {
  const cut = text.slice(0, length);
  return isLeadSurrogate(cut.charCodeAt(cut.length - 1)) ? cut.slice(0, -1) : cut;
}

/** Returns a text as it is, or its first characters with an ellipsis if it has more than these. */
export function shortened(text: string, length: number): string {
  return text.length <= length ? text : `${beginning(text, length)}…`;
}

/** Returns the longest beginning of a text that fits. Shorter ones must fit as well. */
export function cutText(text: string, fits: (text: string) => boolean): string {
  const end = firstThat(text.length, (fitting) => !fits(beginning(text, fitting + 1)));
  return beginning(text, end);
}
