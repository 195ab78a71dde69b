// The data folder of this user, where the program keeps what has no other place.

import { mkdirSync } from 'node:fs';

/** Returns the path of the data folder. */
export async function dataFolder(): Promise<string> {
  const { default: envPaths } = await import('env-paths'); // few commands need it
  return envPaths('memory-gateway', { suffix: '' }).data;
}

/** Creates the data folder if it is missing, for this user alone, and returns its path. Rejects with the error of the system. */
export async function createDataFolder(): Promise<string> {
  const folder = await dataFolder();
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}
