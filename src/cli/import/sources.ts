// Sources: the files that an import reads, of all that was named: files, folders, archives, a pipe.

import type { Stats } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { peek, type Bytes } from '../../formats/bytes.ts';
import type { MaybeTime } from '../../formats/time.ts';
import { Refusal } from '../../store/refusal.ts';
import { Mistake } from '../args.ts';
import { readFile, unreadable, walk } from './folder.ts';
import { beginsAsZip, isZip } from './kinds.ts';
import { timeInName } from './named.ts';
import { entriesOf } from './zip.ts';

/** A file to be read, wherever it is. */
export interface SourceFile {
  /** Its name from the folder or archive on that was named, with `/` between; empty for a pipe. */
  readonly name: string;
  /** How a person finds it: `export.zip/team/a.json`. */
  readonly place: string;
  /** How many bytes are read, where that is known. */
  readonly size: number | undefined;
  readonly started_at: MaybeTime;
  /** Reads it, at any time, a pipe but once. Fails with `Refusal`, whose message is a reason, where that cannot be done to its end. */
  open(): Bytes;
}

/** A file, or what was not taken for one: counted, or a reason why not. */
export type Sourced =
  | SourceFile
  | { readonly place: string; readonly passed_over: string }
  | { readonly place: string; readonly reason: string };

/** How sources are read. */
export interface Sourcing {
  /** When it began, as the caller says; else the name of a file tells it, or its date. */
  readonly startedAt?: string | undefined;
  /** What `-` stands for. */
  readonly stdin: Bytes;
}

/** Something that was named, or is in a folder that was. */
interface Named {
  readonly path: string;
  readonly name: string;
  readonly stats: Stats;
  readonly isArchive: boolean;
}

/**
 * Finds the files in what was named, in that order: folders by the names in them, archives in their
 * own order. Fails with `Refusal` before the first where something is not there.
 */
export async function* sourcesOf(
  paths: readonly string[],
  options: Sourcing,
): AsyncGenerator<Sourced> {
  if (paths.filter((path) => path === '-').length > 1)
    throw new Mistake('Give - once: standard input can be read but once.');
  const all: (Named | undefined)[] = [];
  for (const path of paths) all.push(path === '-' ? undefined : await find(path));
  for (const named of all) {
    if (named === undefined) yield inPipe('standard input', options.stdin, options);
    else if (named.stats.isDirectory()) yield* inFolder(named, options);
    else if (!named.stats.isFile()) yield inPipe(named.path, readFile(named.path), options);
    else if (named.isArchive) yield* inZip(named, '', options);
    else yield toFile(named, options);
  }
}

async function find(path: string): Promise<Named> {
  try {
    const stats = await stat(path);
    const name = basename(path);
    // What is named is always read, so that an archive may be called otherwise.
    const isArchive = stats.isFile() && (isZip(name) || beginsAsZip(await readHead(path)));
    return { path, name, stats, isArchive };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      throw new Refusal(`${path}: ${unreadable(error).message}.`);
    throw new Refusal(
      `There is no file or folder ${path}; give one that is there, or - for standard input.`,
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

/** What comes once: nothing is read of it before. */
function inPipe(place: string, bytes: Bytes, { startedAt }: Sourcing): SourceFile {
  return { name: '', place, size: undefined, started_at: startedAt, open: () => unlessZip(bytes) };
}

async function* unlessZip(bytes: Bytes): Bytes {
  const { head, whole } = await peek(bytes, 4);
  try {
    if (beginsAsZip(head))
      throw new Refusal('it is a zip archive, which is read from its end: give it as a file');
    yield* whole;
  } finally {
    await whole.return?.();
  }
}

async function* inFolder({ path: folder }: Named, options: Sourcing): AsyncGenerator<Sourced> {
  for await (const { name, ...found } of walk(folder)) {
    const path = join(folder, name);
    if (!('stats' in found)) yield { place: path, ...found };
    else if (isZip(name)) yield* inZip({ path, ...found }, `${name}/`, options);
    else yield toFile({ path, name, ...found }, options);
  }
}

async function* inZip(
  { path, stats }: Pick<Named, 'path' | 'stats'>,
  above: string,
  { startedAt }: Sourcing,
) {
  try {
    for await (const { name, ...entry } of entriesOf(path, stats.size)) {
      const place = `${path}/${name}`;
      if (!('open' in entry)) yield { place, ...entry };
      else {
        const { modified, ...file } = entry;
        const started_at = startedAt ?? timeInName(above + name) ?? modified;
        yield { name: above + name, place, started_at, ...file };
      }
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    yield { place: path, reason: error.message };
  }
}

function toFile({ path, name, stats }: Omit<Named, 'isArchive'>, sourcing: Sourcing): SourceFile {
  const started_at = sourcing.startedAt ?? timeInName(name) ?? Math.round(stats.mtimeMs);
  return { name, place: path, size: stats.size, started_at, open: () => readFile(path) };
}
