// The disk under a database: its files, who may use them, what else lies there, and how much room is left.

import { realpathSync, statfsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

import { findLeft } from '../../store/sqlite/left.ts';

/** What the file system says of a database; null where it does not. */
export interface Disk {
  readonly path: string;
  /** Where the path leads, through links. */
  readonly real_path: string | null;
  readonly size: number | null;
  readonly wal_size: number | null;
  /** How many names the file has. */
  readonly names: number | null;
  /** The file, and its -wal and -shm where they are there. */
  readonly files: readonly Owned[];
  readonly folder: Owned | null;
  /** The user that this program runs as. */
  readonly user: number | null;
  /** The kind of file system, where it is one that matters. */
  readonly file_system: string | null;
  readonly free: number | null;
  /** What commands left beside the file that were killed over an hour ago. */
  readonly drafts: readonly string[];
  /** What was kept of the database before restores and migrations. */
  readonly kept: readonly Sized[];
}

/** A file, and how many bytes it has. */
export interface Sized {
  readonly path: string;
  readonly size: number;
}

/** A file or folder, with the bits of its permissions and its owner. */
export interface Owned {
  readonly path: string;
  readonly mode: number;
  readonly owner: number;
}

const HOUR_MS = 3_600_000;

/** Looks at a file and what is around it. Never fails: what cannot be told is null. */
export function readDisk(path: string): Disk {
  const real_path = tell(() => realpathSync(path));
  const file = real_path ?? resolve(path);
  const folder = dirname(file);
  const found = tell(() => statSync(file));
  const stats = found?.isFile() ? found : null;
  const space = tell(() => statfsSync(folder));
  const left = tell(() => findLeft(file)) ?? { drafts: [], kept: [] };
  return {
    path,
    real_path,
    size: stats?.size ?? null,
    wal_size: tell(() => statSync(`${file}-wal`).size),
    names: stats?.nlink ?? null,
    files: stats ? ['', '-wal', '-shm'].flatMap((end) => readOwned(file + end) ?? []) : [],
    folder: stats && readOwned(folder),
    user: process.geteuid?.() ?? null,
    file_system: (space && process.platform === 'linux' && FILE_SYSTEMS[space.type]) || null,
    free: space && space.bavail * space.bsize,
    drafts: left.drafts.filter(isOld),
    kept: left.kept.flatMap((each) => readSize(each) ?? []),
  };
}

/** By the magic numbers of Linux (statfs(2)): those that other machines share, or that forget. */
const FILE_SYSTEMS: Readonly<Record<number, string>> = {
  0x6969: 'NFS',
  0x517b: 'SMB',
  0xff534d42: 'SMB',
  0xfe534d42: 'SMB',
  0x01021997: '9P',
  0x00c36400: 'Ceph',
  0x5346414f: 'AFS',
  0x65735546: 'FUSE',
  0x01021994: 'tmpfs',
};

function readOwned(path: string): Owned | null {
  const stats = tell(() => statSync(path));
  return stats && { path, mode: stats.mode & 0o7777, owner: stats.uid };
}

function readSize(path: string): Sized | null {
  const stats = tell(() => statSync(path));
  return stats && { path, size: stats.size };
}

function isOld(path: string): boolean {
  return (tell(() => statSync(path).mtimeMs) ?? Infinity) < Date.now() - HOUR_MS;
}

function tell<T>(look: () => T): T | null {
  try {
    return look();
  } catch {
    return null;
  }
}
