// The colours of people: a name has the same hue in every transcript and list, unless others there look alike.

import { isSpeakerLabel } from './speaker.ts';

/** How many speakers of a memory have a colour of their own. All others share a grey. */
export const HUES = 8;

/** Returns the hue of a name, from 1, or 0 for a label, which is somebody else in each recording. */
export function hueOf(speaker: string, owners: HueOwners = []): number {
  return isSpeakerLabel(speaker) ? 0 : hueOfText(speaker, owners);
}

/** The names that own the hues, in the order of the hues. They are those with the most memories. */
type HueOwners = readonly string[];

/** Gives each of the first eight names a hue of its own: the hue of the name elsewhere, or else a free one. */
export function hueOwnersOf(names: readonly string[]): string[] {
  const owners = Array.from({ length: HUES }, () => '');
  for (const name of names.slice(0, HUES)) {
    const own = hueOfText(name, []) - 1;
    owners[owners[own] === '' ? own : owners.indexOf('')] = name;
  }
  return owners;
}

function hueOfText(text: string, owners: HueOwners): number {
  let sum = 0;
  for (const char of text) sum = (sum * 31 + (char.codePointAt(0) ?? 0)) % 65_521;
  return owners.indexOf(text) + 1 || (sum % HUES) + 1;
}

/**
 * Returns the classes with the colours of the first eight speakers of a memory, those with the most words first. Each has
 * another hue: the one of its name, as everywhere, unless somebody before it has that.
 */
export function huesOf(
  speakers: readonly (string | undefined)[],
  owners: HueOwners = [],
): ReadonlyMap<string, string> {
  const taken: number[] = [];
  const hues = new Map<string, string>();
  for (const name of speakers.slice(0, HUES)) {
    if (name === undefined) continue;
    const hue = Number(
      [hueOfText(name, owners), 1, 2, 3, 4, 5, 6, 7, 8].find((each) => !taken.includes(each)),
    );
    taken.push(hue);
    hues.set(name, `hue-${hue}`);
  }
  return hues;
}

/** The colours of the speakers of a memory. */
export type Hues = ReturnType<typeof huesOf>;

/** Returns the class with the colour of a speaker in a memory: the grey of those who have none is `hue-0`. */
export function hueClass(hues: Hues, speaker: string): string {
  return hues.get(speaker) ?? 'hue-0';
}
