// The data folder of this user, where the program keeps what has no other place.

import { mkdirSync } from 'node:fs';

import { Refusal } from '../store/refusal.ts';

/** Returns the path of the data folder. Rejects with `Refusal` if this user has no home folder, as in some containers. */
export async function dataFolder(): Promise<string> {
  try {
    const { default: envPaths } = await import('env-paths'); // few commands need it
    return envPaths('memory-gateway', { suffix: '' }).data;
  } catch (cause) {
    throw new Refusal('This user has no home folder; name one in the variable HOME.', { cause });
  }
}

/** Creates the data folder if it is missing, for this user alone, and returns its path. Rejects with the error of the system. */
export async function createDataFolder(): Promise<string> {
  const folder = await dataFolder();
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}
