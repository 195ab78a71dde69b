// Rules about storage: the file system of the database, and its free space.

import { shellWord } from '../../lib/shell.ts';
import { formatBytes } from '../output/progress.ts';
import type { Rule } from './rule.ts';

/** Writes begin to fail below this. */
const MIN_FREE_BYTES = 4e6;
/** On these, each machine has a -shm file of its own, so SQLite's locks do not work. */
const NETWORK_FILE_SYSTEMS = new Set(['NFS', 'SMB', '9P', 'Ceph', 'AFS']);

/** Rules about the disk. */
export const storageRules: readonly Rule[] = [
  [
    'shared-disk',
    'fault',
    ({ file_system }) =>
      NETWORK_FILE_SYSTEMS.has(file_system ?? '') &&
      `The database is on ${file_system}, which several machines can use, but SQLite's log works on one machine only; move it to a local disk.`,
  ],
  [
    'hard-links',
    'fault',
    ({ names, path }) =>
      (names ?? 1) > 1 &&
      `The file has ${names} names (hard links), and SQLite keeps a log for each, which damages the file; find them with find -samefile ${shellWord(path)}, and remove all but one.`,
  ],
  [
    'disk-full',
    'fault',
    ({ free }) =>
      free !== null &&
      free < MIN_FREE_BYTES &&
      `The disk has only ${formatBytes(free)} left, so writes begin to fail; free some space.`,
  ],
  [
    'disk-nearly-full',
    'hint',
    ({ free, size, wal_size }) =>
      free !== null &&
      free >= MIN_FREE_BYTES &&
      free < (size ?? 0) + (wal_size ?? 0) &&
      `The disk has ${formatBytes(free)} left, less than the size of the database; a migration or a copy on this disk needs more, so free some space.`,
  ],
  [
    'fuse',
    'hint',
    ({ file_system }) =>
      file_system === 'FUSE' &&
      'The database is on a FUSE file system; if other machines can use it as well, move it to a local disk, because SQLite works on one machine only.',
  ],
  [
    'in-memory',
    'hint',
    ({ file_system }) =>
      file_system === 'tmpfs' &&
      'The database is in memory (tmpfs) and is lost when the machine stops; move it to a disk.',
  ],
];
