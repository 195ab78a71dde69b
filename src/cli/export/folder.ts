// Folder: many files that are there when all of them are, with a list of their hashes.

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
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';

import { Refusal } from '../../store/refusal.ts';
import { createDraft } from '../../store/sqlite/create.ts';
import { lookAt, requireSpared, unwritten, type Target } from './output.ts';

/** The list of what is in a folder, as `sha256sum` reads and writes it. */
const SUMS = 'SHA256SUMS';

/** Writes a file of a folder, named with `/` between. */
export type WriteFile = (name: string, text: string) => void;

/**
 * Has `fill` write the files of a draft, readable by its owner alone, and gives it its name when they
 * are all on the disk, the list of their hashes among them. Returns the list's own hash, and what
 * `fill` tells. Fails with `Refusal` when there is no room, or anything at the name that no export
 * wrote: then nothing is replaced.
 */
export async function toFolder<T>(
  target: Target,
  fill: (write: WriteFile) => Promise<T>,
): Promise<{ told: T; sha256: string }> {
  requireSpared(target);
  requireFree(target);
  const place = lookAt(target.path) ? realpathSync(target.path) : resolve(target.path);
  const draft = createDraft(place, 'folder');
  try {
    const filled = await fillDraft(draft, fill);
    takePlace(draft, { ...target, path: place });
    return filled;
  } catch (error) {
    throw unwritten(error, target.path);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

async function fillDraft<T>(draft: string, fill: (write: WriteFile) => Promise<T>) {
  const list = openNew(join(draft, SUMS));
  try {
    const digest = createHash('sha256');
    const told = await fill((name, text) => {
      writeNew(join(draft, name), text);
      const line = `${hash('sha256', text)}  ${name}\n`;
      digest.update(line);
      writeFileSync(list, line);
    });
    fsyncSync(list);
    return { told, sha256: digest.digest('hex') };
  } finally {
    closeSync(list);
  }
}

function writeNew(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const file = openNew(path);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function openNew(path: string): number {
  return openSync(path, 'wx', 0o600);
}

/** Renames a draft: in one step where its place is free; what an earlier export wrote there is moved aside first. */
function takePlace(draft: string, target: Target): void {
  const { path } = target;
  requireFree(target); // again: it may have been filled meanwhile
  if (isEmpty(path)) return renameSync(draft, path);
  const old = draft.replace(/new$/, 'old');
  renameSync(path, old);
  try {
    renameSync(draft, path);
  } catch (error) {
    renameSync(old, path);
    throw error;
  }
  rmSync(old, { recursive: true, force: true });
}

/** Fails with `Refusal` where there is anything but an empty folder, or one of which every file is as an export wrote it. */
function requireFree({ path, overwrite }: Target): void {
  const found = lookAt(path);
  if (found !== undefined && !found.isDirectory())
    throw new Refusal(`${path} is not a folder; name a folder.`);
  if (isEmpty(path)) return;
  if (!overwrite)
    throw new Refusal(`${path} has something in it; name another folder, or add --overwrite.`);
  const ours = sumsIn(path);
  for (const name of filesIn(path).filter((each) => each !== SUMS)) {
    if (ours.get(name) === hash('sha256', readFileSync(join(path, name)))) continue;
    const what = ours.has(name) ? 'was changed since its export' : 'no export wrote';
    throw new Refusal(`${path} has a file that ${what}, ${name}; name another folder.`);
  }
}

function isEmpty(path: string): boolean {
  return lookAt(path) === undefined || readdirSync(path).length === 0;
}

function filesIn(path: string): string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(path, '/').length))
    .map((name) => name.replaceAll(sep, '/'));
}

/** The hashes of the files that an export wrote, by their names. */
function sumsIn(path: string): Map<string, string> {
  const list = join(path, SUMS);
  if (!lookAt(list)?.isFile()) return new Map();
  const lines = readFileSync(list, 'utf8').matchAll(/^([\da-f]{64}) {2}(.+)$/gm);
  return new Map(Array.from(lines, ([, sum = '', name = '']) => [name, sum]));
}
