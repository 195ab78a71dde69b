// A cache folder in a user's home that nobody else can write.

import { lstatSync, mkdirSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';

const WRITABLE_BY_OTHERS = 0o022;

/**
 * Creates `.cache/memory-gateway` in a home, and returns its path. undefined if it cannot be
 * created, and if other users could write to it.
 */
export function ownFolder(home: string): string | undefined {
  const cache = join(home, '.cache');
  const folder = join(cache, 'memory-gateway');
  try {
    if (!isAbsolute(home) || !isOwn(home)) return undefined;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return isOwn(cache) && isOwn(folder) ? folder : undefined;
  } catch {
    return undefined;
  }
}

/** Whether only this user and root can write to a folder. A link does not count as a folder. */
function isOwn(path: string): boolean {
  const stats = lstatSync(path);
  const isTrusted = stats.uid === process.getuid?.() || stats.uid === 0;
  return stats.isDirectory() && isTrusted && (stats.mode & WRITABLE_BY_OTHERS) === 0;
}
