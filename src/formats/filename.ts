// Names of files: legal and told apart on every system, and in Obsidian.

/** The longest name in bytes: clouds and encrypted folders take less than the 255 of file systems. */
const LONGEST = 120;

/** What no name may have: what Windows, macOS or a link of Obsidian reads otherwise, and what nobody sees. */
const ILLEGAL =
  /[*"\\/<>:|?#^[\]\s\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]+/gu;

/** What would be there, and nobody sees: soft hyphens, fillers, joiners and the like alone. */
const INVISIBLE = /^[\s\p{Default_Ignorable_Code_Point}]*$/u;

/** So much of a title is looked at: the rest has no place in a name. */
const LOOKED_AT = 1000;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const encoder = new TextEncoder();

/** A title, and what stands around it whole: both legal in a name, and shorter than one. */
export interface Parts {
  readonly before: string;
  readonly title: string;
  readonly after: string;
}

/** Makes a name of a title, cut to what there is room for. */
export function fileName({ before, title, after }: Parts): string {
  const room = LONGEST - sizeOf(before + after);
  const name = cut(legal(title), room);
  return `${before}${INVISIBLE.test(name) ? 'Untitled' : name}${after}`;
}

/** Gives the same text for all names that some file system takes for one. */
export function foldName(name: string): string {
  const seen = name.normalize('NFKD').replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '');
  return seen.toUpperCase().toLowerCase().normalize('NFKC'); // to upper case first, as of ß it is SS
}

function legal(title: string): string {
  const start = title.slice(0, LOOKED_AT).toWellFormed().normalize('NFC');
  // 1:1 and Q3/Q4 become 1-1 and Q3-Q4.
  return trim(start.replaceAll(/(?<=\S)[/\\:|](?=\S)/g, '-').replaceAll(ILLEGAL, ' '));
}

/** As many whole characters, as people see them, as there is room for. */
function cut(text: string, room: number): string {
  if (sizeOf(text) <= room) return text;
  let end = 0;
  let left = room;
  for (const { segment } of graphemes.segment(text)) {
    left -= sizeOf(segment);
    if (left < 0) break;
    end += segment.length;
  }
  return trim(text.slice(0, end));
}

/** Takes off the dots that hide a file, and the dots and spaces that Windows drops. */
function trim(text: string): string {
  return text.replaceAll(/^[\s.]+|[\s.]+$/g, '');
}

function sizeOf(text: string): number {
  return encoder.encode(text).length;
}
