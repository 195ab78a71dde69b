// Walks folders in the order of names, without following links, and reads files.

import type { Stats } from 'node:fs';
import { lstat, readdir, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

import type { ByteStream } from '../../formats/bytes.ts';
import { isBeeSyncFile } from '../../formats/products/bee-sync.ts';
import { isHyprnoteNotes } from '../../formats/products/hyprnote.ts';
import { isLifelogFile } from '../../formats/products/limitless-export.ts';
import { Refusal } from '../../store/refusal.ts';
import { isConflictCopy } from './conflict-copy.ts';

/**
 * Hidden names, and folders of systems: waste baskets, snapshots and indexes of network storage (Synology,
 * QNAP, NetApp, Buffalo, Netgear, Thecus, Samba, Nextcloud), Windows and macOS. What was deleted must not come back from them.
 */
const HIDDEN = new RegExp(
  String.raw`(?:^|/)(?:\.|(?:${[
    '__MACOSX|Network Trash Folder|Temporary Items|TheVolumeSettingsFolder',
    '#snapshot|@eaDir|@tmp|@share(?:snap|bin)|@Syno[^/]*|@Recently-Snapshot|@GMT-[-.\\d]+',
    '[#@_$~]?trash|[#@_$~]recycle(?:\\.bin)?|~snapshot|trashbox|(?:Network )?Recycle Bin|_NAS_Recycle_[^/]*|lost\\+found|files_trashbin|files_versions',
    'RECYCLE[RD]|System Volume Information|FOUND\\.\\d{3}',
  ].join('|')})(?:/|$))`,
  'i',
);

/** Returns whether a name is hidden: it begins with a dot, or a system has added the file or folder for itself. */
export function isHidden(name: string): boolean {
  return HIDDEN.test(name);
}

/** Returns whether a file has a name that an import reads. */
function isImportable(name: string): boolean {
  return (
    /\.(?:json3?|jsonl|ndjson|dote|vtt|srt|sbv|txt)(?:\.gz)?$/i.test(name) ||
    isArchive(name) ||
    isPerhapsTranscript(name)
  );
}

/**
 * Returns whether a file is read only if it is a transcript. Most Markdown files, documents and tables
 * are notes of people.
 */
function isPerhapsTranscript(name: string): boolean {
  return /\.(?:md|docx|csv|tsv)(?:\.gz)?$/i.test(name);
}

/** Returns why a file in a folder or an archive is skipped if it is of no format. Others are rejected then. */
export function skippedAs(name: string): string | undefined {
  const isKnown = [isLifelogFile, isBeeSyncFile, isHyprnoteNotes].some((isNamed) => isNamed(name));
  return isPerhapsTranscript(name) && !isKnown ? SKIPPED_KIND : undefined;
}

/** Returns whether a file is called an archive. */
function isArchive(name: string): boolean {
  return isZip(name) || isTar(name);
}

/** Returns whether a file is called a tar archive, compressed or not. */
export function isTar(name: string): boolean {
  return /\.(?:tar|tgz|tar\.gz)$/i.test(name);
}

/** Returns whether a file is called a zip archive. */
export function isZip(name: string): boolean {
  return /\.zip$/i.test(name);
}

/** Returns why an entry of an archive is skipped or rejected, by its name. Undefined: it can be read. */
export function exclusionOf(
  name: string,
  isLink: boolean,
): { readonly skipped: string } | { readonly reason: string } | undefined {
  if (isLink) return { skipped: SKIPPED_LINK };
  if (!isImportable(name)) return { skipped: SKIPPED_KIND };
  return isArchive(name)
    ? { reason: 'it is an archive inside an archive; unpack the outer one first' }
    : undefined;
}

/** Returns whether bytes begin a zip archive: with an entry, or with the end of an empty archive. */
export function hasZipSignature(head: Uint8Array): boolean {
  const [p, k, a, b] = head;
  return p === 0x50 && k === 0x4b && ((a === 3 && b === 4) || (a === 5 && b === 6));
}

/** Why a file is skipped, as the summary counts it. */
const SKIPPED_KIND = 'a file of another kind';
/** Why a second version of a file is skipped. Its name has the date of the conflict. */
export const SKIPPED_CONFLICT = 'a conflict copy, made by a program that synchronises files';
/** A link in a folder or an archive is skipped, because its target is read elsewhere or is not part of it. */
const SKIPPED_LINK = 'a symbolic link';
/** A socket, a device or a pipe in a folder. */
const SKIPPED_SPECIAL = 'neither a file nor a folder';

/** An entry of a folder, with its path from there. Its contents have not been read. */
export type FolderEntry = { readonly name: string } & (
  | { readonly stats: Stats }
  | { readonly skipped: string }
  | { readonly reason: string }
);

/**
 * Walks a folder and its subfolders. Leaves out hidden entries, and those that `isLeftOut` names by
 * their path. Holds names in memory, not contents.
 */
export async function* walkFolder(
  folder: string,
  isLeftOut: (name: string) => boolean = () => false,
): AsyncGenerator<FolderEntry> {
  const left = [''];
  for (let name = left.pop(); name !== undefined; name = left.pop()) {
    try {
      // The folder that the user named may itself be a link.
      const stats = await (name === '' ? stat : lstat)(join(folder, name));
      if (!stats.isDirectory()) yield { name, ...classify(name, stats) };
      else for (const each of await namesIn(folder, name)) if (!isLeftOut(each)) left.push(each);
    } catch (error) {
      const isNotText =
        name.includes('\uFFFD') && (error as NodeJS.ErrnoException).code === 'ENOENT';
      yield { name, reason: isNotText ? NOT_UTF8_NAME : toReadRefusal(error).message };
    }
  }
}

/** Why a file cannot be found again by its name. */
export const NOT_UTF8_NAME = 'its name is not UTF-8; rename it';

/** Opens a file for reading: by its path, or as `openInside` does. */
export type OpenFile = () => Promise<FileHandle>;

/** Reads a file. Throws `Refusal` if it cannot be read to its end. */
export async function* readFile(open: OpenFile): ByteStream & AsyncGenerator<Uint8Array> {
  try {
    const file = await open();
    const { size } = await file.stat();
    // A stream takes a whole buffer for each read, also for the last one, which gets nothing: of 10,000 short
    // files that was 5 GB.
    const highWaterMark = Math.min(CHUNK_BYTES, Math.max(size, 1024));
    for await (const chunk of file.createReadStream({ highWaterMark })) yield chunk as Uint8Array;
  } catch (error) {
    throw toReadRefusal(error);
  }
}

const CHUNK_BYTES = 256 * 1024;

/** Turns an error of the file system into a reason for a rejection. */
export function toReadRefusal(error: unknown): Refusal {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) throw error;
  return new Refusal(`it cannot be read (${code})${REMEDIES[code] ?? ''}`, { cause: error });
}

const REMEDIES: Readonly<Record<string, string>> = {
  EACCES: '; check its permissions',
  EPERM: '; check its permissions',
  ELOOP: '; a link has taken its place',
};

/**
 * Lists the paths in a folder in reverse order, as a stack needs them. `Talk.vtt` is before its copy
 * `Talk (1).vtt`, so that the memory of both has its name: names are compared without their endings first.
 */
async function namesIn(folder: string, name: string): Promise<string[]> {
  const names = await readdir(join(folder, name));
  return names
    .filter((each) => !isHidden(each))
    .map((each) => each.replace(/(?=\.\w+$)/, '\0')) // no name of a file has this character
    .toSorted()
    .toReversed()
    .map((each) => each.replace('\0', ''))
    .map((each) => (name === '' ? each : `${name}/${each}`));
}

function classify(name: string, stats: Stats) {
  if (stats.isSymbolicLink()) return { skipped: SKIPPED_LINK };
  if (!stats.isFile()) return { skipped: SKIPPED_SPECIAL };
  if (isConflictCopy(name)) return { skipped: SKIPPED_CONFLICT };
  return isImportable(name) ? { stats } : { skipped: SKIPPED_KIND };
}
