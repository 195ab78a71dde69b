// The colours of people: each name has the same one in every transcript and list.

/** How many colours there are. */
export const HUES = 8;

/** Returns the colour of a name, from 1. */
export function hueOf(speaker: string): number {
  let sum = 0;
  for (const char of speaker) sum = (sum * 31 + (char.codePointAt(0) ?? 0)) % 65_521;
  return (sum % HUES) + 1;
}
