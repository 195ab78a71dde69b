// The colours of people: each name has the same one in every transcript and list.

import { isSpeakerLabel } from './speaker.ts';

/** How many speakers of a memory have a colour of their own. All others share a grey. */
export const HUES = 8;

/** Returns the colour of a name, from 1, or 0 for a label, which is somebody else in each recording. */
export function hueOf(speaker: string): number {
  if (isSpeakerLabel(speaker)) return 0;
  let sum = 0;
  for (const char of speaker) sum = (sum * 31 + (char.codePointAt(0) ?? 0)) % 65_521;
  return (sum % HUES) + 1;
}

/**
 * Returns the colours of the first eight speakers of a memory, whatever their order is. Each has the colour of its name,
 * as in other memories. If several have the same one, the first by name keeps it. The others and labels get free ones.
 */
export function huesOf(speakers: readonly (string | undefined)[]): ReadonlyMap<string, number> {
  const hues = new Map<string, number>();
  const isTaken = (hue: number) => [...hues.values()].includes(hue);
  const named = speakers.slice(0, HUES).filter((speaker) => speaker !== undefined);
  const names = named.toSorted();
  for (const name of names) {
    const hue = hueOf(name);
    if (hue > 0 && !isTaken(hue)) hues.set(name, hue);
  }
  for (const name of names) {
    let hue = hueOf(name) || 1;
    while (!hues.has(name) && isTaken(hue)) hue = (hue % HUES) + 1;
    if (!hues.has(name)) hues.set(name, hue);
  }
  return hues;
}

/** The colours of the speakers of a memory. */
export type Hues = ReturnType<typeof huesOf>;

/** Returns the colour of a speaker in a transcript, from 1, or 0 for the grey of those who have none. */
export function hueIn(hues: Hues, speaker: string): number {
  return hues.get(speaker) ?? 0;
}
