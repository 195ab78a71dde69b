// The packages of the benchmark, which are its own: installed by its own lock file when they are wanted.

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { Refusal } from '../../src/store/refusal.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);

/** Whether the packages are there as the lock file has them. */
export function areInstalled(): boolean {
  const { dependencies } = readJson('package.json') as { dependencies: Record<string, string> };
  return Object.entries(dependencies).every(([name, version]) => {
    try {
      const there = readJson(`node_modules/${name}/package.json`) as { version: string };
      return there.version === version;
    } catch {
      return false;
    }
  });
}

/** Installs the packages. Fails with `Refusal` when that cannot be done, such as without a network. */
export async function install(): Promise<void> {
  try {
    await run('npm', ['ci', '--prefix', 'scripts/bench', '--no-audit', '--no-fund'], { cwd: ROOT });
  } catch (error) {
    throw new Refusal(
      'The servers to compare with could not be installed; with a network, run: npm ci --prefix scripts/bench',
      { cause: error },
    );
  }
}

/** Builds the program, as it is measured as people run it. Fails with `Refusal`. */
export async function build(): Promise<void> {
  try {
    await run('npm', ['run', 'build'], { cwd: ROOT });
  } catch (error) {
    throw new Refusal('The program could not be built; see: npm run build', { cause: error });
  }
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
}
