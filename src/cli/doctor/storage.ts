// The rules of storage: the disk that a database lies on, and the room in it.

import { shellWord } from '../../store/shell.ts';
import { showBytes } from '../progress.ts';
import type { Rule } from './advice.ts';

const LITTLE_ROOM = 4e6;
/** Each machine that uses these has a -shm of its own. */
const SHARED = new Set(['NFS', 'SMB', '9P', 'Ceph', 'AFS']);

/** What is not well with the disk. */
export const storageRules: readonly Rule[] = [
  [
    'shared-disk',
    'fault',
    ({ file_system }) =>
      SHARED.has(file_system ?? '') &&
      `The database lies on ${file_system}, where several machines may use it, and SQLite's log works on one alone; move it to a local disk.`,
  ],
  [
    'hard-links',
    'fault',
    ({ names, path }) =>
      (names ?? 1) > 1 &&
      `The file has ${names} names, and SQLite keeps a log for each, which damages it; find them with find -samefile ${shellWord(path)}, and remove all but one.`,
  ],
  [
    'disk-full',
    'fault',
    ({ free }) =>
      free !== null &&
      free < LITTLE_ROOM &&
      `The disk has ${showBytes(free)} left, and writes begin to fail; free some space.`,
  ],
  [
    'disk-nearly-full',
    'hint',
    ({ free, size, wal_size }) =>
      free !== null &&
      free >= LITTLE_ROOM &&
      free < (size ?? 0) + (wal_size ?? 0) &&
      `The disk has ${showBytes(free)} left, less than the database takes; a migration or a copy on this disk needs more, so free some space.`,
  ],
  [
    'fuse',
    'hint',
    ({ file_system }) =>
      file_system === 'FUSE' &&
      'The database lies on a FUSE file system; where other machines reach it, too, move it to a local disk, as SQLite works on one machine alone.',
  ],
  [
    'in-memory',
    'hint',
    ({ file_system }) =>
      file_system === 'tmpfs' &&
      'The database lies in memory (tmpfs) and is gone when the machine stops; move it to a disk.',
  ],
];
