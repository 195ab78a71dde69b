// Remedies: what an error of SQLite means for a database file, and what mends it.

import type { Trouble } from '../refusal.ts';
import type { Purpose } from './ours.ts';

/** Of a file or folder that this user may not use. */
export const NO_PERMISSION =
  'cannot be used; this user needs permission to use it and to write in its folder, where SQLite keeps -wal and -shm.';

/** Of a file that another program made. */
export const NOT_OURS = 'is not a Memory Gateway database; name another file.';

const FULL = 'cannot be written, the disk is full; free some space.';

const LIMITED =
  'cannot be written any further; check its disk, and how much this user may write (quota, ulimit -f).';

const REMEDIES: Readonly<Record<string, readonly [Trouble, string]>> = {
  SQLITE_NOTADB: ['foreign', NOT_OURS],
  SQLITE_BUSY: ['locked', 'is locked by another program; close that program and try again.'],
  SQLITE_CORRUPT: [
    'damaged',
    'is damaged; put a backup in its place with: memory-gateway restore FILE.',
  ],
  // All that is asked is written here, so what is wrong with it is the schema.
  SQLITE_ERROR: [
    'damaged',
    'lacks what this program reads; put a backup in its place with memory-gateway restore FILE, and see with memory-gateway verify what is missing',
  ],
  SQLITE_CANTOPEN: ['denied', NO_PERMISSION],
  SQLITE_READONLY: ['denied', NO_PERMISSION],
  SQLITE_FULL: ['full', FULL],
  SQLITE_IOERR_SHMSIZE: ['full', FULL], // what every program shares in -shm needs room, too
  SQLITE_IOERR_WRITE: ['full', LIMITED],
};

/** Of a backup, in whose place another is put by naming it. */
const DAMAGED_BACKUP = [
  'damaged',
  'is damaged, so nothing was restored; name another backup.',
] as const;

/** What an error code of SQLite is for people: a word, and what is said behind the name of a file that is used for a purpose. */
export function remedyOf(code: string, purpose?: Purpose): readonly [Trouble, string] {
  // Extended codes such as SQLITE_READONLY_DIRECTORY begin with the plain one.
  const plain = Object.keys(REMEDIES).find((each) => code.startsWith(each));
  const known = REMEDIES[plain ?? ''];
  if (purpose === 'restore' && known?.[0] === 'damaged') return DAMAGED_BACKUP;
  return (
    known ?? ['unusable', `cannot be used (${code}); see with memory-gateway verify what is wrong`]
  );
}
