// Rules about files: permissions and owners that let others read or replace the database, its file system, and free space.

import { shellWord } from '../../lib/shell.ts';
import { formatBytes } from '../output/progress.ts';
import type { FileAccess } from './disk.ts';
import type { Inspection, Rule } from './rule.ts';

const OTHERS = 0o077;
const OTHERS_WRITE = 0o022;

/** Finds nothing on systems without such permissions. */
export const accessRules: readonly Rule[] = [
  [
    'other-owner',
    'fault',
    (known) => {
      const owner = ownerOf(known);
      const files = known.files.filter((file) => file.owner !== owner);
      return (
        files.length > 0 &&
        `User ${owner} uses the database but does not own ${list(files)}; use it as its owner, or run: chown ${owner} ${words(files)}`
      );
    },
  ],
  [
    'readable',
    'fault',
    ({ user, files }) => {
      const open = user === null ? [] : files.filter(({ mode }) => (mode & OTHERS) !== 0);
      return (
        open.length > 0 &&
        `Other users can open ${list(open, formatMode)}; run: chmod 600 ${words(open)}`
      );
    },
  ],
  [
    'folder-writable',
    'fault',
    ({ user, folder }) =>
      user !== null &&
      folder !== null &&
      (folder.mode & OTHERS_WRITE) !== 0 &&
      `Other users can create files next to the database, in ${list([folder], formatMode)}; move it to a folder that only its owner can use.`,
  ],
  [
    'folder-readable',
    'hint',
    ({ user, folder }) =>
      user !== null &&
      folder !== null &&
      (folder.mode & OTHERS) !== 0 &&
      (folder.mode & OTHERS_WRITE) === 0 &&
      `Other users can list the folder of the database, ${list([folder], formatMode)}; if it has no other use, run: chmod 700 ${words([folder])}`,
  ],
  [
    'root',
    'hint',
    ({ user, files: [file] }) =>
      user === 0 &&
      file?.owner === 0 &&
      `The database belongs to root; serve it as a user of its own, and run: chown USER ${words([file])}`,
  ],
];

/** Returns the user of the database. Root may only be running doctor. */
function ownerOf({ user, files: [file] }: Inspection): number | undefined {
  return user === 0 ? file?.owner : (user ?? file?.owner);
}

/** Formats permissions as `chmod` takes them. */
export function formatMode({ mode }: FileAccess): string {
  return mode.toString(8).padStart(4, '0');
}

function list(files: readonly FileAccess[], show?: (file: FileAccess) => string): string {
  return files.map((file) => file.path + (show ? ` (mode ${show(file)})` : '')).join(', ');
}

function words(files: readonly FileAccess[]): string {
  return files.map(({ path }) => shellWord(path)).join(' ');
}

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
