// Opens files and folders below a folder in which others may write, without following their links.

import { access, constants, lstat, mkdir, open, stat, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import { once } from './once.ts';

const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

/** Where Linux has paths to open folders. They lead there also if a link takes the place of a folder. */
const HANDLES = '/proc/self/fd';
const hasHandles = once(() =>
  access(HANDLES).then(
    () => true,
    () => false,
  ),
);

/**
 * Opens a folder below `root`, name by name, and calls `work` with a path to it. Links in the path of `root` are
 * followed. Rejects with ENOTDIR if another name is a link; without Linux, a link is only seen if it was there before.
 */
export async function inFolder<T>(
  root: string,
  inside: string,
  work: (path: string) => Promise<T>,
  isMade = false,
): Promise<T> {
  let folder = await openFolder(root, 0);
  try {
    for (const name of inside.split('/').filter((part) => part !== '.')) {
      const path = join(folder.path, name);
      if (isMade) await mkdir(path).catch(unlessThere);
      const next = await openFolder(path, O_NOFOLLOW);
      await folder.close();
      folder = next;
    }
    return await work(folder.path);
  } finally {
    await folder.close();
  }
}

/** Opens a file below `root` for reading. Rejects if it is a link or in one, and with EINVAL if it is something else. */
export function openInside(root: string, name: string): Promise<FileHandle> {
  return inFolder(root, dirname(name), async (folder) => {
    // Without O_NONBLOCK a pipe would wait for its writer.
    const file = await open(join(folder, basename(name)), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    if ((await file.stat()).isFile()) return file;
    await file.close();
    throw failure('EINVAL');
  });
}

interface OpenFolder {
  readonly path: string;
  readonly close: () => Promise<void>;
}

async function openFolder(path: string, flags: number): Promise<OpenFolder> {
  if (await hasHandles()) {
    const file = await open(path, O_RDONLY | O_DIRECTORY | flags);
    return { path: `${HANDLES}/${file.fd}`, close: () => file.close() };
  }
  const isFolder = (await (flags === 0 ? stat : lstat)(path)).isDirectory();
  if (!isFolder) throw failure('ENOTDIR');
  return { path, close: async () => {} };
}

function unlessThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}

function failure(code: string): Error {
  return Object.assign(new Error(code), { code, syscall: 'open' });
}
