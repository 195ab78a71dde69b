// In the executable: loads the addon of better-sqlite3. Systems load addons from files only, so a temporary file holds it.

import {
  closeSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  openSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';

import { Refusal } from '../../src/store/refusal.ts';
import { readAsset } from './files.ts';

/** Its name among the assets. */
export const ADDON = 'better_sqlite3.node';

/** A folder in which others can rename files. A volume of Kubernetes at /tmp is one. */
const OPEN = 'others may rename what is in it';

/** Where Linux shows the open files of this process. */
const DESCRIPTORS = '/proc/self/fd';

const STICKY = 0o1000;
const WRITABLE_BY_OTHERS = 0o022;

/** Root, and the id under which a user namespace shows the root outside. */
const TRUSTED: ReadonlySet<number> = new Set([0, 65_534]);

let addon: object | undefined;

/** Loads the addon once. Throws `Refusal` if no folder allows loading it. */
export function getBinding(): object {
  return (addon ??= load(readAsset(ADDON)));
}

function load(bytes: Uint8Array): object {
  const reasons: string[] = [];
  for (const folder of folders()) {
    const reason = distrust(folder);
    if (reason === undefined || reason === OPEN) {
      const loaded = reason === OPEN ? loadFromOpen(folder, bytes) : loadFrom(folder, bytes);
      if (typeof loaded === 'object') return loaded;
      reasons.push(`${folder}: ${loaded}`);
    } else reasons.push(`${folder}: ${reason}`);
  }
  throw new Refusal(
    `SQLite can be loaded from none of these folders (${reasons.join('; ')}); name one in TMPDIR that is yours, has 3 MB of room and is not mounted noexec.`,
  );
}

/** The folders to try, the usual one first. Each may be read-only or mounted noexec. */
function folders(): Set<string> {
  const { XDG_RUNTIME_DIR } = process.env;
  const all = [tmpdir(), '/dev/shm', '/var/tmp', XDG_RUNTIME_DIR, cache()];
  return new Set(all.filter((folder): folder is string => Boolean(folder)));
}

function cache(): string | undefined {
  const { XDG_CACHE_HOME } = process.env;
  try {
    return XDG_CACHE_HOME || join(homedir(), '.cache');
  } catch {
    return undefined; // a user without a name, as in a container, has no home
  }
}

/**
 * Returns why a folder is refused: in a folder of another user, or one open to all, others could
 * replace the file.
 */
function distrust(folder: string): string | undefined {
  if (!isAbsolute(folder)) return 'it is relative';
  try {
    const { uid, mode } = lstatSync(`${folder}/`);
    if (!TRUSTED.has(uid) && uid !== process.getuid?.()) return 'it is another user’s';
    const isOpen = (mode & WRITABLE_BY_OTHERS) !== 0 && (mode & STICKY) === 0;
    return isOpen ? OPEN : undefined;
  } catch (error) {
    return codeOf(error);
  }
}

/** Loads the addon from a temporary file in a folder. Returns the reason if it cannot. */
function loadFrom(folder: string, bytes: Uint8Array): object | string {
  let own: string | undefined;
  try {
    own = mkdtempSync(join(folder, 'memory-gateway-')); // only this user can enter it
    const file = join(own, ADDON);
    writeFileSync(file, bytes, { flag: 'wx', mode: 0o500 });
    const loaded = { exports: {} };
    process.dlopen(loaded, file);
    return loaded.exports;
  } catch (error) {
    requireLibraries(error as Error);
    return codeOf(error);
  } finally {
    if (own !== undefined) remove(own); // the loaded addon stays
  }
}

/**
 * Loads the addon by the descriptor of a new file in an open folder: that is the file which was
 * written, even if somebody puts another one in its place. Returns the reason if it cannot.
 */
function loadFromOpen(folder: string, bytes: Uint8Array): object | string {
  if (!existsSync(DESCRIPTORS)) return OPEN;
  const file = join(folder, `memory-gateway-${process.pid}-${process.hrtime.bigint()}.node`);
  let fd: number | undefined;
  try {
    fd = openSync(file, 'wx', 0o500);
    unlinkSync(file);
    writeFileSync(fd, bytes);
    const loaded = { exports: {} };
    process.dlopen(loaded, `${DESCRIPTORS}/${fd}`);
    return loaded.exports;
  } catch (error) {
    requireLibraries(error as Error);
    return codeOf(error);
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** Removes the file without opening its folder, because no file descriptors may be left. */
function remove(own: string): void {
  for (const take of [() => unlinkSync(join(own, ADDON)), () => rmdirSync(own)]) {
    try {
      take();
    } catch {
      // The file was never created, or its disk became read-only. Neither can be fixed here.
    }
  }
}

function codeOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code !== 'ERR_DLOPEN_FAILED') return code || message;
  const isMounted = /failed to map segment|Operation not permitted|Permission denied/.test(message);
  return isMounted ? 'nothing can be run there' : (message.split('\n')[0] ?? '');
}

/** Throws `Refusal` if the system is too old for the addon, because then every folder fails. */
function requireLibraries({ message }: Error): void {
  const [, wanted] = /version `((?:GLIBC|GLIBCXX|CXXABI)_[\d.]+)' not found/.exec(message) ?? [];
  if (wanted === undefined) return;
  throw new Refusal(
    `This system is too old for SQLite as it is built here, which needs ${wanted}; take a newer system, or install the package from npm.`,
  );
}
