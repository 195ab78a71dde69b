// Lets many test files share a process: it starts, and compiles what they all import, once.

import { globSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { ROOT } from './world/program.ts';

/**
 * The folders whose tests neither change their process nor measure it. Sharing saves them a third of their time. Those
 * of browsers also share the browser.
 */
const FOLDERS = ['agents', 'api', 'app', 'browser', 'connect', 'formats', 'sources', 'store'];

/** Module files that import test files, and the test files that run by themselves. */
export interface SharedProcesses {
  /** The folder of the modules, to be removed after the run. */
  readonly folder: string;
  readonly files: readonly string[];
}

/** Returns the files that a pattern means, without those of installed packages, which have tests of their own. */
export function expand(pattern: string): string[] {
  return globSync(pattern, { cwd: ROOT, exclude: ['**/node_modules/**'] }).toSorted();
}

/** Distributes test files over processes of some files each. */
export function shareProcesses(all: readonly string[], sharing: number): SharedProcesses {
  const cache = join(ROOT, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'tests-'));
  const files: string[] = all.filter((path) => !FOLDERS.includes(folderOf(path)));
  for (const name of FOLDERS) {
    const own = all.filter((path) => folderOf(path) === name);
    for (let i = 0; i < own.length; i += sharing) {
      const file = join(folder, `${name}-${i}.mjs`);
      writeFileSync(
        file,
        own
          .slice(i, i + sharing)
          .map(toImport)
          .join(''),
      );
      files.push(file);
    }
  }
  return { folder, files };
}

function folderOf(path: string): string {
  return path.split(/[/\\]/)[1] ?? '';
}

function toImport(path: string): string {
  return `import ${JSON.stringify(pathToFileURL(join(ROOT, path)))};\n`;
}
