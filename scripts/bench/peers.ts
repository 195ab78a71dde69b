// The packages of the benchmark, which has its own lock file and installs them when needed.

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { Refusal } from '../../src/store/refusal.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);

/** Returns whether the packages match the lock file. */
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

/** Installs the packages. Throws `Refusal` if that fails, for example without a network. */
export async function install(): Promise<void> {
  try {
    await run('npm', ['ci', '--prefix', 'scripts/bench', '--no-audit', '--no-fund'], { cwd: ROOT });
  } catch (error) {
    throw new Refusal(
      'The servers to compare with could not be installed. Check the network, then run: npm ci --prefix scripts/bench',
      { cause: error },
    );
  }
}

/** Builds the program, because users run the built one. Throws `Refusal` if that fails. */
export async function build(): Promise<void> {
  try {
    await run('npm', ['run', 'build'], { cwd: ROOT });
  } catch (error) {
    throw new Refusal('The program could not be built. Run: npm run build', { cause: error });
  }
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
}
