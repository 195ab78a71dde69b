// The colours of people: each name has the same hue in every transcript and list.

import { isSpeakerLabel } from './speaker.ts';

/** How many speakers of a memory have a colour of their own. All others share a grey. */
export const HUES = 8;

/** How many speakers of one memory can have the same hue: as it is, in a paler shade, and in a darker one. */
const SHADES = 3;

/** Returns the hue of a name, from 1, or 0 for a label, which is somebody else in each recording. */
export function hueOf(speaker: string, owners: HueOwners = []): number {
  return isSpeakerLabel(speaker) ? 0 : hueOfText(speaker, owners);
}

/** Who has each of the hues alone, from the first one: those of most memories. */
type HueOwners = readonly string[];

/** Gives each of the first eight names a hue of its own: the one that the name has elsewhere, or else a free one. */
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
 * Returns the classes with the colours of the first eight speakers of a memory, whatever their order is. Each has the hue
 * of its name, as everywhere, because with a free one instead a person would have another hue in each memory. If several
 * have the same hue, its owner has it as it is, or the first by name, the next two have other shades of it, and the others
 * are grey.
 */
export function huesOf(
  speakers: readonly (string | undefined)[],
  owners: HueOwners = [],
): ReadonlyMap<string, string> {
  const taken: number[] = [];
  const hues = new Map<string, string>();
  const first = speakers.slice(0, HUES).filter((name) => name !== undefined);
  const names = new Set(first.toSorted());
  for (const name of new Set([...owners, ...names])) {
    if (!names.has(name)) continue;
    const hue = hueOfText(name, owners);
    const shade = taken[hue] ?? 0;
    taken[hue] = shade + 1;
    if (shade < SHADES) hues.set(name, `hue-${hue} shade-${shade}`);
  }
  return hues;
}

/** The colours of the speakers of a memory. */
export type Hues = ReturnType<typeof huesOf>;

/** Returns the class with the colour of a speaker in a memory: the grey of those who have none is `hue-0`. */
export function hueClass(hues: Hues, speaker: string): string {
  return hues.get(speaker) ?? 'hue-0';
}
