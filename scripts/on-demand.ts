// The packages of the benchmark and of the manual's site, which are installed when they are first needed.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Refusal } from '../src/store/refusal.ts';

/** Returns whether a folder has the packages of its package.json. */
export function areInstalled(folder: string): boolean {
  const read = (path: string) => JSON.parse(readFileSync(join(folder, path), 'utf8'));
  return Object.entries(read('package.json').dependencies).every(([name, version]) => {
    try {
      return read(`node_modules/${name}/package.json`).version === version;
    } catch {
      return false;
    }
  });
}

/** The day as of which npm takes what the packages need. Raise it together with their exact versions. */
const BEFORE = '2026-11-24';

/** Installs the packages of a folder, without a lock file. Throws `Refusal` if that fails, for example without a network. */
export function install(folder: string): void {
  const words = ['install', '--no-audit', '--no-fund', '--no-package-lock', `--before=${BEFORE}`];
  const { status } = spawnSync('npm', [...words, '--strict-allow-scripts'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status === 0) return;
  throw new Refusal(
    `The packages of ${folder} could not be installed; npm says why above. Check the network, then run this again.`,
  );
}
