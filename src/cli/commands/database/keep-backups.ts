// backup --keep: names the backups of a folder by their time, and deletes the oldest.

import { readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { Refusal } from '../../../store/refusal.ts';
import { UsageError } from '../../args/parse.ts';

/** A name that `backupName` returns. Other files in the folder are never deleted. */
const NAME = /^memory-gateway-\d{8}T\d{9}Z\.db$/;

/** Reads how many backups stay. Throws `UsageError`. */
export function readKeep(text: string): number {
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
  throw new UsageError(`--keep takes a number from 1 to 99999, not "${text}".`);
}

/** Returns the path of a backup made at `now`, in milliseconds since 1970. Throws `Refusal` if there is no such folder. */
export function backupPath(folder: string, now: number): string {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new Refusal(`With --keep, FILE is a folder, but ${folder} is none; create it first.`);
  return join(folder, `memory-gateway-${new Date(now).toISOString().replaceAll(/[-:.]/g, '')}.db`);
}

/**
 * Deletes all but the newest backups of a folder. Returns the names of the deleted ones. The backup that was
 * just made counts as the newest: the clock may have been wrong when another got its name.
 */
export function deleteOldBackups(made: string, keep: number): string[] {
  const folder = dirname(made);
  const others = readdirSync(folder).filter((name) => NAME.test(name) && name !== basename(made));
  const old = others.toSorted().slice(0, Math.max(0, others.length - keep + 1));
  for (const name of old) rmSync(join(folder, name));
  return old;
}
