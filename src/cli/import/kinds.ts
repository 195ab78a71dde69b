// Which files of a folder or an archive are read; one that is named itself always is.

const HIDDEN = /(?:^|\/)(?:\.|__MACOSX(?:\/|$))/;

/** Tells what nobody put there to be read: names that begin with a dot, and what macOS adds to archives. */
export function isHidden(name: string): boolean {
  return HIDDEN.test(name);
}

/** Tells files whose names end as those of memories do. */
export function isOurs(name: string): boolean {
  return /\.(?:json|jsonl|ndjson|vtt|srt|txt|zip)$/i.test(name);
}

/** Tells archives by their names. */
export function isZip(name: string): boolean {
  return /\.zip$/i.test(name);
}

/** Tells an archive by its first bytes: those of an entry, or of an empty one's end. */
export function beginsAsZip(head: Uint8Array): boolean {
  const [p, k, a, b] = head;
  return p === 0x50 && k === 0x4b && ((a === 3 && b === 4) || (a === 5 && b === 6));
}

/** What is passed over, as the counts name it. */
export const OTHER_KIND = 'a file of another kind';
/** A link in a folder or an archive: what it leads to is read where it is, or is not in there. */
export const LINK = 'a symbolic link';
/** A socket, a device or a pipe in a folder. */
export const NO_FILE = 'neither a file nor a folder';
