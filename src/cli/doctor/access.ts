// Rules about access: permissions and owners that let other users read or replace the database.

import { shellWord } from '../../lib/shell.ts';
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
