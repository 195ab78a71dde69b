// Temporary files next to their targets: their names, and how they are removed when their process has ended.

import { randomUUID, hash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { once } from '../../lib/once.ts';
import { Refusal } from '../refusal.ts';

/** What SQLite keeps next to a database is removed with it. */
const ENDS = ['', '-wal', '-shm', '-journal'];

/** The end of a temporary name: the process that made it if that is known, and a random part. */
const NAME =
  /\.(?:(?<system>[\da-f]{8})-(?<pid>\d+)(?:-(?<start>\d+))?\.)?[\da-f]{8}\.new(?:-wal|-shm|-journal)?$/;

/** A temporary file of an unknown process is abandoned if nobody has written to it for so long. */
const ABANDONED_MS = 12 * 3600 * 1000;

/** Process ids mean nothing after a restart of the system, nor in another container. */
const systemId = once((): string | undefined => {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8');
    return hash('sha256', `${boot} ${readlinkSync('/proc/self/ns/pid')}`).slice(0, 8);
  } catch {
    return undefined; // not Linux
  }
});

/** When a process started, in ticks of the system; undefined if there is none. The first process of a container is 1 again after each restart. */
function startOf(pid: string): string | undefined {
  try {
    const [, afterName] = /^.*\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return afterName?.split(' ')[19]; // field 22 of proc(5); the name, field 2, may have any character
  } catch {
    return undefined;
  }
}

function ownerPart(): string {
  const system = systemId();
  if (system === undefined) return '';
  const pid = readlinkSync('/proc/self');
  return `.${system}-${pid}-${startOf(pid)}`;
}

/** Returns whether a path has the name of a temporary file. Without a process in it, only `isOurs` tells it from those of other programs. */
export function isTemporary(path: string, isOurs: boolean): boolean {
  const found = NAME.exec(path);
  return found !== null && (isOurs || found.groups?.['system'] !== undefined);
}

/** Returns whether the process that makes a temporary file is running; undefined if its name does not tell. */
export function isMakerRunning(path: string): boolean | undefined {
  const { system, pid = '', start } = NAME.exec(path)?.groups ?? {};
  if (system === undefined || system !== systemId()) return undefined;
  const started = startOf(pid);
  return started !== undefined && (start ?? started) === started;
}

function isAbandoned(path: string): boolean {
  const isRunning = isMakerRunning(path);
  if (isRunning !== undefined) return !isRunning;
  return Date.now() - lstatSync(path).mtimeMs > ABANDONED_MS;
}

/** The temporary files and folders of this process. A signal ends all of its work, so all gateways in it share them. */
const open = new Set<string>();

/**
 * Creates an empty temporary file or folder next to `path` and returns its path. Removes those for the
 * same target whose process has ended. Throws `Refusal`.
 */
export function createTemporary(path: string, kind: 'file' | 'folder' = 'file'): string {
  const temporary = `${path}${ownerPart()}.${randomUUID().slice(0, 8)}.new`;
  const folder = dirname(path);
  if (!existsSync(folder)) throw new Refusal(`There is no folder ${folder}; make it first.`);
  try {
    if (kind === 'folder') mkdirSync(temporary, 0o700);
    else closeSync(openSync(temporary, 'wx', 0o600)); // -wal and -shm follow its mode
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Refusal(`${path} cannot be created (${code}); check the permissions of its folder.`);
  }
  open.add(temporary);
  removeAbandoned(temporary, (target) => target === basename(path));
  return temporary;
}

/** Removes a temporary file or folder, if it is still there, with the logs of a database. */
export function removeTemporary(temporary: string): void {
  for (const end of ENDS) rmSync(temporary + end, { recursive: true, force: true });
  open.delete(temporary);
}

/** Removes all temporary files and folders of this process, before a signal ends it. */
export function removeTemporaries(): void {
  for (const temporary of open) removeTemporary(temporary);
}

/**
 * Removes what ended processes have left for some targets in a folder: without other words, the one of `own`, which is
 * a file or folder of this user. A full copy may be in each.
 */
export function removeAbandoned(
  own: string,
  isTarget: (name: string) => boolean,
  folder = dirname(own),
): void {
  const { uid } = lstatSync(own);
  for (const name of readdirSync(folder)) {
    const end = NAME.exec(name);
    if (end === null || !isTarget(name.slice(0, end.index))) continue;
    const left = join(folder, name);
    try {
      if (lstatSync(left).uid === uid && isAbandoned(left))
        rmSync(left, { recursive: true, force: true });
    } catch {
      // A leftover is no reason to stop.
    }
  }
}
