// Full disks, read-only folders, and limits on the size of files.

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

/** The reason to skip a test that mounts a disk, or false. */
export const NO_MOUNT = canMount() ? false : 'needs permission to mount a disk';

/** The reason to skip a test with a read-only folder, or false: root may write to any folder. */
export const NO_READ_ONLY = isRoot && NO_MOUNT;

/** The reason to skip a test of resource limits, or false. */
export const NO_LIMIT = can('prlimit', '--version') ? false : 'needs prlimit';

/**
 * Returns the `under` words that start a program with a limit on the size of every file it writes.
 */
export function withFilesUpTo(bytes: number): string[] {
  return ['prlimit', `--fsize=${bytes}`];
}

/** Returns the `under` words that start a program with a limit on its open files and sockets. */
export function withFewFiles(count: number): string[] {
  return ['prlimit', `--nofile=${count}`];
}

/** Creates a disk of the given size in memory and returns its folder, which is removed after the test. */
export function createDisk(t: TestContext, bytes: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'memory-gateway-disk-'));
  mount('-t', 'tmpfs', '-o', `size=${bytes},mode=700`, 'tmpfs', folder);
  t.after(() => {
    // Lazily, because a program that is stopped only after this may still use the disk.
    execFileSync('umount', ['--lazy', folder]);
    rmdirSync(folder);
  });
  return folder;
}

/** Fills the disk of a folder with a file, except for some bytes. Returns a function that frees the space. */
export function fill(folder: string, left = 0, name = 'filler'): () => void {
  const filler = join(folder, name);
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

/** Makes a folder read-only, also for root. Returns a function that undoes it. */
export function lock(t: TestContext, folder: string): () => void {
  if (isRoot) {
    // It fails if a program has opened a file to write there in between, which a new mount does not count.
    for (let tries = 20; ; tries--) {
      mount('--bind', folder, folder);
      if (can('mount', '-o', 'remount,ro,bind', folder)) break;
      execFileSync('umount', ['--lazy', folder]);
      if (tries === 0) throw new Error(`${folder} is busy`);
    }
  } else chmodSync(folder, 0o500);
  let isLocked = true;
  const unlock = (): void => {
    // A server that has a file open there at this moment keeps it, and the folder is writable at once.
    if (isLocked && isRoot) execFileSync('umount', ['--lazy', folder]);
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
