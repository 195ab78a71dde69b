// Inspects the disk of a database: its files, their permissions, leftovers of commands, and free space.

import { realpathSync, statfsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

import type { DatabaseFile } from '../../store/files/database-file.ts';

/** Facts of the file system about a database; null if unknown. */
export interface DiskFacts {
  readonly path: string;
  /** The path with all links resolved. */
  readonly real_path: string | null;
  readonly size: number | null;
  readonly wal_size: number | null;
  /** How many names the file has. */
  readonly names: number | null;
  /** The file, and its -wal, -shm and key file if they exist. */
  readonly files: readonly FileAccess[];
  readonly folder: FileAccess | null;
  /** The user that this program runs as. */
  readonly user: number | null;
  /** The kind of file system, if it matters. */
  readonly file_system: string | null;
  readonly free: number | null;
  /** Temporary files next to the database, of commands that were killed more than an hour ago. */
  readonly drafts: readonly string[];
  /** Safety copies from before restores and migrations. */
  readonly kept: readonly FileSize[];
}

/** A file and its number of bytes. */
export interface FileSize {
  readonly path: string;
  readonly size: number;
}

/** A file or folder, with its permission bits and its owner. */
export interface FileAccess {
  readonly path: string;
  readonly mode: number;
  readonly owner: number;
}

const HOUR_MS = 3_600_000;

/** Inspects a file and its surroundings. Never throws: what cannot be read is null. */
export function inspectDisk(path: string, database: Pick<DatabaseFile, 'leftovers'>): DiskFacts {
  const real_path = tryRead(() => realpathSync(path));
  const file = real_path ?? resolve(path);
  const folder = dirname(file);
  const found = tryRead(() => statSync(file));
  const stats = found?.isFile() ? found : null;
  const space = tryRead(() => statfsSync(folder));
  const left = tryRead(() => database.leftovers()) ?? { drafts: [], kept: [] };
  return {
    path,
    real_path,
    size: stats?.size ?? null,
    wal_size: tryRead(() => statSync(`${file}-wal`).size),
    names: stats?.nlink ?? null,
    files: stats ? ['', '-wal', '-shm', '.key'].flatMap((end) => readOwned(file + end) ?? []) : [],
    folder: stats && readOwned(folder),
    user: process.geteuid?.() ?? null,
    file_system: (space && process.platform === 'linux' && FILE_SYSTEMS[space.type]) || null,
    free: space && space.bavail * space.bsize,
    drafts: left.drafts.filter(isOld),
    kept: left.kept.flatMap((each) => readSize(each) ?? []),
  };
}

/** File systems by their magic numbers on Linux, statfs(2): those shared by several machines, or not on a disk. */
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

function readOwned(path: string): FileAccess | null {
  const stats = tryRead(() => statSync(path));
  return stats && { path, mode: stats.mode & 0o7777, owner: stats.uid };
}

function readSize(path: string): FileSize | null {
  const stats = tryRead(() => statSync(path));
  return stats && { path, size: stats.size };
}

function isOld(path: string): boolean {
  return (tryRead(() => statSync(path).mtimeMs) ?? Infinity) < Date.now() - HOUR_MS;
}

function tryRead<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
