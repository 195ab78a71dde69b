// In the executable: the addon of better-sqlite3. Systems load addons from files alone, so it is one for as long as that takes.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

import { Refusal } from '../../src/store/refusal.ts';
import { readAsset } from './files.ts';

/** Its name among the assets. */
export const ADDON = 'better_sqlite3.node';

let addon: object | undefined;

/** Loads the addon, once. Fails with `Refusal` where there is no folder that it can be loaded from. */
export function getBinding(): object {
  return (addon ??= load(readAsset(ADDON)));
}

function load(bytes: Uint8Array): object {
  const reasons: string[] = [];
  for (const folder of folders()) {
    try {
      return loadFrom(folder, bytes);
    } catch (error) {
      reasons.push(`${folder}: ${reasonOf(error as NodeJS.ErrnoException)}`);
    }
  }
  throw new Refusal(
    `SQLite can be loaded from none of these folders (${reasons.join('; ')}); name one in TMPDIR that can be written and is not mounted noexec.`,
  );
}

/** Where to try. Any may be read-only, or mounted so that nothing in it can be run. */
function folders(): Set<string> {
  const { XDG_RUNTIME_DIR } = process.env;
  const all = [tmpdir(), '/dev/shm', '/var/tmp', XDG_RUNTIME_DIR, cache(), process.cwd()];
  return new Set(all.filter((folder): folder is string => Boolean(folder)));
}

function cache(): string | undefined {
  const { XDG_CACHE_HOME } = process.env;
  try {
    return XDG_CACHE_HOME || join(homedir(), '.cache');
  } catch {
    return undefined; // a user who is a number and no name, as in a container, has no home
  }
}

function loadFrom(folder: string, bytes: Uint8Array): object {
  const own = mkdtempSync(join(folder, 'memory-gateway-')); // this user's alone
  try {
    const file = join(own, ADDON);
    writeFileSync(file, bytes, { flag: 'wx', mode: 0o500 });
    const loaded = { exports: {} };
    process.dlopen(loaded, file);
    return loaded.exports;
  } finally {
    rmSync(own, { recursive: true, force: true }); // what is loaded stays
  }
}

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  const [, wanted] = /version `(GLIBC_[\d.]+)' not found/.exec(message) ?? [];
  if (wanted !== undefined)
    throw new Refusal(
      `The C library of this system is older than ${wanted}, which SQLite needs; take a newer system, or install the package from npm.`,
    );
  return code === 'ERR_DLOPEN_FAILED' ? 'nothing can be run there' : String(code);
}
