// Writes a folder of files that appears only when it is complete, with a list of their hashes.

import { createHash, hash } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';

import { createTemporary, removeTemporary } from '../../store/files/temporary.ts';
import { Refusal } from '../../store/refusal.ts';
import { statPath, refuseDatabaseFiles, toWriteRefusal, type ExportTarget } from './output.ts';

/** The list of hashes in a folder, in the format of `sha256sum`. */
const SUMS = 'SHA256SUMS';

/** Writes one file of a folder. Its name is a path with `/`. */
export type WriteFile = (name: string, content: string | Uint8Array) => void;

/**
 * Calls `fill` to write the files into a temporary folder that only its owner can read, and renames it
 * when all files and their list of hashes are on the disk. The files of an earlier export are then replaced
 * one by one. Resolves with the hash of that list and the result of `fill`. Rejects with `Refusal` if the disk is full, or if the name is taken by something
 * that no export wrote. Then nothing is replaced.
 */
export async function writeToFolder<T>(
  target: ExportTarget,
  fill: (write: WriteFile) => Promise<T>,
): Promise<{ result: T; sha256: string }> {
  refuseDatabaseFiles(target);
  requireFree(target);
  const place = statPath(target.path) ? realpathSync(target.path) : resolve(target.path);
  const temporary = createTemporary(place, 'folder');
  try {
    const filled = await fillTemporary(temporary, fill);
    moveIntoPlace(temporary, { ...target, path: place });
    return filled;
  } catch (error) {
    throw toWriteRefusal(error, target.path);
  } finally {
    removeTemporary(temporary);
  }
}

async function fillTemporary<T>(temporary: string, fill: (write: WriteFile) => Promise<T>) {
  const list = openNew(join(temporary, SUMS));
  try {
    const digest = createHash('sha256');
    const result = await fill((name, content) => {
      writeNew(join(temporary, name), content);
      const line = `${hash('sha256', content)}  ${name}\n`;
      digest.update(line);
      writeFileSync(list, line);
    });
    fsyncSync(list);
    return { result, sha256: digest.digest('hex') };
  } finally {
    closeSync(list);
  }
}

function writeNew(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const file = openNew(path);
  try {
    writeFileSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function openNew(path: string): number {
  return openSync(path, 'wx', 0o600);
}

/** Renames the temporary folder, or its files into the folder of an earlier export. */
function moveIntoPlace(temporary: string, target: ExportTarget): void {
  const { path } = target;
  requireFree(target); // again, because it may have changed during the export
  if (isEmpty(path)) return renameSync(temporary, path);
  // A kill from here on leaves whole files, old and new ones. While the list of hashes has both, the next export
  // may replace them.
  const list = join(temporary, SUMS);
  const both = `${list}.both`;
  const before = statPath(join(path, SUMS)) ? readFileSync(join(path, SUMS), 'utf8') : '';
  writeNew(both, before + readFileSync(list, 'utf8'));
  renameSync(both, join(path, SUMS));
  const written = new Set(filesIn(temporary));
  for (const name of [...written].filter((each) => each !== SUMS)) {
    mkdirSync(dirname(join(path, name)), { recursive: true, mode: 0o700 });
    renameSync(join(temporary, name), join(path, name));
  }
  for (const name of filesIn(path).filter((each) => !written.has(each))) rmSync(join(path, name));
  removeEmptyFolders(path);
  renameSync(list, join(path, SUMS));
}

function removeEmptyFolders(path: string): void {
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const folder = join(path, entry.name);
    if (!entry.isDirectory()) continue;
    removeEmptyFolders(folder);
    if (isEmpty(folder)) rmdirSync(folder);
  }
}

/** Throws `Refusal` unless the path is free, an empty folder, or a folder whose files are all as an export wrote them. */
function requireFree({ path, overwrite }: ExportTarget): void {
  const found = statPath(path);
  if (found !== undefined && !found.isDirectory())
    throw new Refusal(`${path} is not a folder; name a folder.`);
  if (isEmpty(path)) return;
  if (!overwrite)
    throw new Refusal(`${path} is not empty; name another folder, or add --overwrite.`);
  const exported = sumsIn(path);
  for (const name of filesIn(path).filter((each) => each !== SUMS)) {
    if (exported.get(name)?.has(hash('sha256', readFileSync(join(path, name))))) continue;
    const why = exported.has(name) ? 'has changed since its export' : 'is not from an export';
    throw new Refusal(
      `${path} cannot be replaced, because ${name} in it ${why}; name another folder.`,
    );
  }
}

function isEmpty(path: string): boolean {
  return statPath(path) === undefined || readdirSync(path).length === 0;
}

function filesIn(path: string): string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(path, '/').length))
    .map((name) => name.replaceAll(sep, '/'));
}

/** Reads the hashes of the files that an export wrote, by name: two if it was killed while it replaced another. */
function sumsIn(path: string): Map<string, Set<string>> {
  const list = join(path, SUMS);
  const sums = new Map<string, Set<string>>();
  if (!statPath(list)?.isFile()) return sums;
  const lines = readFileSync(list, 'utf8').matchAll(/^([\da-f]{64}) {2}(.+)$/gm);
  for (const [, sum = '', name = ''] of lines)
    sums.set(name, (sums.get(name) ?? new Set()).add(sum));
  return sums;
}
