// Finds the files of an import in the files, folders, archives and pipes that the command names.

import type { Stats } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { basename, join, resolve, sep } from 'node:path';

import { peek, type ByteStream } from '../../formats/bytes.ts';
import type { FileInfo } from '../../formats/format.ts';
import { isDocument } from '../../formats/text/docx.ts';
import type { MaybeTime } from '../../formats/time/product-time.ts';
import { timeInName } from '../../formats/time/written-time.ts';
import { openInside } from '../../lib/inside.ts';
import { Refusal } from '../../store/refusal.ts';
import { UsageError } from '../args/parse.ts';
import { isConflictCopy, withoutConflict } from './conflict-copy.ts';
import { unpackGzip, withoutGz } from './gzip.ts';
import {
  readFile,
  toReadRefusal,
  walkFolder,
  hasZipSignature,
  isTar,
  isZip,
  skippedAs,
  NOT_UTF8_NAME,
  SKIPPED_CONFLICT,
  type FolderEntry,
  type OpenFile,
} from './import-folder.ts';
import { readTar, type TarEntry } from './tar.ts';
import { readZip, type ZipEntry } from './zip.ts';

/** A file to read: on disk, in an archive, or a pipe. */
export interface SourceFile {
  /** Its path in the folder or archive that was named; empty for a pipe. */
  readonly name: string;
  /** Its path for messages: `export.zip/team/a.json`. */
  readonly place: string;
  /** Its number of bytes, if known. */
  readonly size: number | undefined;
  /** Its name with the folders above it, as far as they are known, whichever of them was named. */
  readonly fullName: string;
  readonly started_at: MaybeTime;
  /** When the file was modified, if `started_at` is that time. */
  readonly modified?: MaybeTime;
  /** Who says when it began, unless it is when the file was modified. */
  readonly dated_by?: FileInfo['dated_by'];
  /** Why it is skipped if it is of no format. Default: it is rejected. */
  readonly skippedAs?: string | undefined;
  /** Reads its bytes, which can be compressed; a pipe only once. Throws `Refusal` with a reason if it cannot be read to its end. */
  open(): ByteStream;
}

/** A file to read, a file that is skipped, or one that is rejected with a reason. */
export type SourceEntry =
  | SourceFile
  | { readonly place: string; readonly skipped: string }
  | { readonly place: string; readonly reason: string };

/** How to read sources. */
export interface SourceOptions {
  /** The start of recordings, from --started-at. Default: from the file name, then the file's date. */
  readonly startedAt?: string | undefined;
  /** The input that `-` names. */
  readonly stdin: ByteStream;
}

/** The option that says when recordings started. */
type Dating = Pick<SourceOptions, 'startedAt'>;

/** A file or folder that the command names, or a file in such a folder. */
interface NamedPath {
  readonly path: string;
  readonly name: string;
  readonly stats: Stats;
  readonly openFile: OpenFile;
}

interface FoundPath extends NamedPath {
  readonly isArchive: boolean;
}

/**
 * Finds the files to import, in the order of the command: folders sorted by name, archives in their own
 * order. Throws `Refusal` before the first file if one of the paths does not exist.
 */
export async function* findSources(
  paths: readonly string[],
  options: SourceOptions,
): AsyncGenerator<SourceEntry> {
  if (paths.filter((path) => path === '-').length > 1)
    throw new UsageError('Give - once, because standard input can be read only once.');
  const all: (FoundPath | undefined)[] = [];
  for (const path of paths) all.push(path === '-' ? undefined : await find(path));
  for (const named of all) {
    if (named === undefined) yield toPipe('standard input', options.stdin, options);
    else if (named.stats.isDirectory()) yield* inFolder(named, options);
    else if (!named.stats.isFile()) yield toPipe(named.path, readFile(named.openFile), options);
    else if (named.isArchive) yield* inZip(named, '', options);
    else if (isTar(named.name)) yield* inTar(named, '', options);
    else yield toFile(named, options);
  }
}

async function find(path: string): Promise<FoundPath> {
  try {
    const stats = await stat(path);
    const name = basename(path);
    // A file that the user names is always read, so an archive can have any name.
    const isArchive =
      stats.isFile() && !isDocument(name) && (isZip(name) || hasZipSignature(await readHead(path)));
    return { path, name, stats, isArchive, openFile: () => open(path) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      throw new Refusal(`${path}: ${toReadRefusal(error).message}.`);
    if (path.includes('\uFFFD')) throw new Refusal(`${path}: ${NOT_UTF8_NAME}.`);
    throw new Refusal(
      `There is no file or folder ${path}; check the name, or give - for standard input.`,
      { cause: error },
    );
  }
}

async function readHead(path: string): Promise<Uint8Array> {
  const file = await open(path);
  try {
    return (await file.read(new Uint8Array(4), 0, 4, 0)).buffer;
  } finally {
    await file.close();
  }
}

/** Creates the source of a pipe, which nothing has read from yet. */
function toPipe(place: string, bytes: ByteStream, { startedAt }: SourceOptions): SourceFile {
  const nameless = { name: '', fullName: '', size: undefined };
  const dates = startedAt === undefined ? { started_at: undefined } : datesOf('', '', startedAt);
  return { ...nameless, place, ...dates, open: () => unlessZip(bytes) };
}

async function* unlessZip(bytes: ByteStream): ByteStream {
  const { head, whole } = await peek(bytes, 4);
  try {
    if (hasZipSignature(head))
      throw new Refusal('it is a zip archive, which cannot be read from a pipe; give it as a file');
    yield* whole;
  } finally {
    await whole.return?.();
  }
}

async function* inFolder(
  { path: folder }: NamedPath,
  options: SourceOptions,
): AsyncGenerator<SourceEntry> {
  for await (const entry of walkFolder(folder)) yield* openEntry(folder, entry, options);
}

/** Finds the files to import in an entry of a folder: the file itself, or those in an archive. */
export async function* openEntry(
  folder: string,
  { name, ...found }: FolderEntry,
  options: Dating,
): AsyncGenerator<SourceEntry> {
  const path = join(folder, name);
  const openFile = () => openInside(folder, name);
  if (!('stats' in found)) yield { place: path, ...found };
  else if (isZip(name)) yield* inZip({ path, name, openFile, ...found }, `${name}/`, options);
  else if (isTar(name)) yield* inTar({ path, name, openFile, ...found }, `${name}/`, options);
  else {
    const file = toFile({ path, name, openFile, ...found }, options);
    yield { ...file, skippedAs: skippedAs(name) };
  }
}

function inZip({ path, stats, openFile }: NamedPath, above: string, options: Dating) {
  return inArchive(path, readZip(openFile, stats.size), { ...options, above });
}

function inTar({ path, openFile }: NamedPath, above: string, options: Dating) {
  return inArchive(path, readTar(unpackGzip(readFile(openFile))), { ...options, above });
}

interface ArchiveOptions extends Dating {
  /** The path of the archive in the folder that was named, with a slash behind it; empty if it was named itself. */
  readonly above: string;
}

async function* inArchive(
  path: string,
  entries: AsyncIterable<ZipEntry | TarEntry>,
  { above, startedAt }: ArchiveOptions,
): AsyncGenerator<SourceEntry> {
  try {
    for await (const { name: packedName, ...entry } of entries) {
      const place = `${path}/${packedName}`;
      if (!('open' in entry)) yield { place, ...entry };
      else if (isConflictCopy(packedName)) yield { place, skipped: SKIPPED_CONFLICT };
      else {
        const name = withoutGz(above + packedName);
        const size = 'size' in entry ? entry.size : undefined;
        const dates = datesOf(name, entry.modified, startedAt);
        const known = { name, place, fullName: name, size, skippedAs: skippedAs(name) };
        yield { ...known, ...dates, open: () => entry.open() };
      }
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    yield { place: path, reason: error.message };
  }
}

function toFile(
  { path, name: packedName, stats, openFile }: NamedPath,
  sourcing: Dating,
): SourceFile {
  const name = withoutGz(packedName);
  const fullName = withoutGz(resolve(path).split(sep).slice(-NAMES).join('/'));
  return {
    name,
    place: path,
    fullName,
    size: stats.size,
    ...datesOf(name.includes('/') ? name : fullName, Math.round(stats.mtimeMs), sourcing.startedAt),
    open: () => readFile(openFile),
  };
}

/** How many names of a path identify a file: its own, and those of the folders above it. */
const NAMES = 5;

/** Dates a recording: by the caller, by the names of its file and folders, or by the last change. */
function datesOf(
  name: string,
  modified: MaybeTime,
  startedAt: string | undefined,
): Pick<SourceFile, 'started_at' | 'modified' | 'dated_by'> {
  if (startedAt !== undefined) return { started_at: startedAt, dated_by: 'caller' };
  const named = timeInName(withoutConflict(name));
  return named === undefined
    ? { started_at: modified, modified }
    : { started_at: named, dated_by: 'name' };
}
