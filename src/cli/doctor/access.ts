// The rules of access: who else may read or replace a database, by its permissions and owners.

import { shellWord } from '../../store/shell.ts';
import type { Known, Rule } from './advice.ts';
import type { Owned } from './disk.ts';

const OTHERS = 0o077;
const OTHERS_WRITE = 0o022;

/** Who may do what; nothing where a system has no such permissions. */
export const accessRules: readonly Rule[] = [
  [
    'other-owner',
    'fault',
    (known) => {
      const owner = ownerOf(known);
      const files = known.files.filter((file) => file.owner !== owner);
      return (
        files.length > 0 &&
        `${list(files)} ${files.length === 1 ? 'is' : 'are'} not of user ${owner}, as whom the database is used; use it as its owner, or hand over with: chown ${owner} ${words(files)}`
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
        `Other users may use ${list(open, showMode)}; close with: chmod 600 ${words(open)}`
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
      `Other users may put files beside the database, in ${list([folder], showMode)}; keep it in a folder of its own that only its owner may use.`,
  ],
  [
    'folder-readable',
    'hint',
    ({ user, folder }) =>
      user !== null &&
      folder !== null &&
      (folder.mode & OTHERS) !== 0 &&
      (folder.mode & OTHERS_WRITE) === 0 &&
      `Other users may look into the folder of the database, ${list([folder], showMode)}; if it has no other use, close it with: chmod 700 ${words([folder])}`,
  ],
  [
    'root',
    'hint',
    ({ user, files: [file] }) =>
      user === 0 &&
      file?.owner === 0 &&
      `The database belongs to root; serve it as a user of its own, and hand over with: chown USER ${words([file])}`,
  ],
];

/** Who uses the database: root may be here for a look only. */
function ownerOf({ user, files: [file] }: Known): number | undefined {
  return user === 0 ? file?.owner : (user ?? file?.owner);
}

/** Writes permissions as `chmod` takes them. */
export function showMode({ mode }: Owned): string {
  return mode.toString(8).padStart(4, '0');
}

function list(files: readonly Owned[], show?: (file: Owned) => string): string {
  return files.map((file) => file.path + (show ? ` (mode ${show(file)})` : '')).join(', ');
}

function words(files: readonly Owned[]): string {
  return files.map(({ path }) => shellWord(path)).join(' ');
}
