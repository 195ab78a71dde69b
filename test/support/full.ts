// Full: disks without room, folders that cannot be written in, and programs that may write no large file.

import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  ftruncateSync,
  mkdtempSync,
  openSync,
  rmdirSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

const isRoot = process.getuid?.() === 0;

/** Why a test that mounts is skipped here; false where it is not. */
export const NO_MOUNT = canMount() ? false : 'needs leave to mount a disk';

/** Why a test with a read-only folder is skipped here: root may write whatever the permissions say. */
export const NO_READ_ONLY = isRoot && NO_MOUNT;

/** Why a test of limits is skipped here. */
export const NO_LIMIT = can('prlimit', '--version') ? false : 'needs prlimit';

/** What a program is started `under` so that no file it writes grows beyond so many bytes. */
export function withFilesUpTo(bytes: number): string[] {
  return ['prlimit', `--fsize=${bytes}`];
}

/** What a program is started `under` so that it may have but so many files and sockets open. */
export function withFewFiles(count: number): string[] {
  return ['prlimit', `--nofile=${count}`];
}

/** Makes a disk of so many bytes, in memory; returns its folder, which is gone when the test ends. */
export function createDisk(t: TestContext, bytes: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'memory-gateway-disk-'));
  mount('-t', 'tmpfs', '-o', `size=${bytes},mode=700`, 'tmpfs', folder);
  t.after(() => {
    execFileSync('umount', [folder]);
    rmdirSync(folder);
  });
  return folder;
}

/** Fills the disk of a folder but for some bytes; returns what empties it again. */
export function fill(folder: string, left = 0): () => void {
  const filler = join(folder, 'filler');
  const file = openSync(filler, 'w');
  let size = 0;
  try {
    for (;;) size += writeSync(file, Buffer.alloc(4096));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    ftruncateSync(file, Math.max(0, size - left));
  } finally {
    closeSync(file);
  }
  return () => rmSync(filler);
}

/** Makes a folder one that nobody can write in, root included; returns what undoes it. */
export function lock(t: TestContext, folder: string): () => void {
  if (isRoot) {
    mount('--bind', folder, folder);
    mount('-o', 'remount,ro,bind', folder);
  } else chmodSync(folder, 0o500);
  let isLocked = true;
  const unlock = (): void => {
    if (isLocked && isRoot) execFileSync('umount', [folder]);
    else if (isLocked) chmodSync(folder, 0o700);
    isLocked = false;
  };
  t.after(unlock);
  return unlock;
}

function mount(...args: string[]): void {
  execFileSync('mount', args, { stdio: 'pipe' });
}

function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'memory-gateway-disk-'));
  const isMounted = isRoot && can('mount', '-t', 'tmpfs', '-o', 'size=4096', 'tmpfs', folder);
  if (isMounted) execFileSync('umount', [folder]);
  rmdirSync(folder);
  return isMounted;
}

function can(command: string, ...args: string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
