// Makes file names that are legal and distinct on every system and in Obsidian.

/** The longest name in bytes. Cloud and encrypted folders allow less than the 255 of file systems. */
const MAX_NAME_BYTES = 120;

/** Characters that Windows, macOS or an Obsidian link would misread, and invisible characters. */
const ILLEGAL =
  /[*"\\/<>:|?#^[\]\s\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]+/gu;

/** A name of invisible characters only: spaces, soft hyphens, fillers and joiners. */
const INVISIBLE = /^[\s\p{Default_Ignorable_Code_Point}]*$/u;

/** The part of a title that is read, in characters. The rest cannot fit into a name. */
const MAX_TITLE_LENGTH = 1000;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const encoder = new TextEncoder();

/** A title and the text around it, which is legal in a name and never cut. */
export interface NameParts {
  readonly before: string;
  readonly title: string;
  readonly after: string;
}

/** Makes a file name, and cuts the title if the name would be too long. */
export function fileName({ before, title, after }: NameParts): string {
  const room = MAX_NAME_BYTES - sizeOf(before + after);
  const name = cut(legal(title), room);
  return `${before}${INVISIBLE.test(name) ? 'Untitled' : name}${after}`;
}

/** Returns the same text for all names that some file system treats as equal. */
export function foldName(name: string): string {
  const seen = name.normalize('NFKD').replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '');
  return seen.toUpperCase().toLowerCase().normalize('NFKC'); // upper case first, because ß becomes SS
}

/** The longest part of an id in a file name, in characters. */
const MAX_ID_LENGTH = 60;

/** The file of a memory: what precedes its title, and the ending of its name. */
export interface MemoryFile {
  readonly id: string;
  readonly title: string;
  /** Begins with the year, as in `2026-11-18 `. */
  readonly before: string;
  readonly ending: string;
}

/**
 * Makes the path of a memory's file in the folder of its year, as in `2026/2026-11-18 Voice memo.md`. If the name is
 * taken, the id is added, and then a number.
 */
export function memoryPath(
  { id, title, before, ending }: MemoryFile,
  isTaken: (name: string) => boolean,
): string {
  const year = before.slice(0, before.indexOf('-'));
  return freePath(id, isTaken, (more) => {
    return `${year}/${fileName({ before, title, after: `${more}${ending}` })}`;
  });
}

/** Names that Windows keeps for devices, with any ending. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;

/** Makes the path of an original in the folder of a day, as in `2026/2026-11-18/talk.vtt`, in the same way. */
export function originalPath(
  { id, title, day, ending }: Omit<MemoryFile, 'before'> & { readonly day: string },
  isTaken: (name: string) => boolean,
): string {
  const before = DEVICE.test(title) ? 'original ' : '';
  return freePath(id, isTaken, (more) => {
    return `${day.slice(0, 4)}/${day}/${fileName({ before, title, after: `${more}${ending}` })}`;
  });
}

function freePath(
  id: string,
  isTaken: (name: string) => boolean,
  pathWith: (more: string) => string,
): string {
  const withId = ` ${id.slice(0, MAX_ID_LENGTH)}`;
  let path = pathWith('');
  for (let n = 1; isTaken(path); n++) path = pathWith(n === 1 ? withId : `${withId} ${n}`);
  return path;
}

function legal(title: string): string {
  const start = title.slice(0, MAX_TITLE_LENGTH).toWellFormed().normalize('NFC');
  // 1:1 and Q3/Q4 become 1-1 and Q3-Q4.
  return trim(start.replaceAll(/(?<=\S)[/\\:|](?=\S)/g, '-').replaceAll(ILLEGAL, ' '));
}

/** Cuts a text to a number of bytes, between visible characters. */
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

/** Removes leading dots, which hide a file, and the trailing dots and spaces that Windows drops. */
function trim(text: string): string {
  return text.replaceAll(/^[\s.]+|[\s.]+$/g, '');
}

function sizeOf(text: string): number {
  return encoder.encode(text).length;
}
