// Lets test files of a folder share a process: it starts, and compiles what they all import, once. Those of browsers share the browser, too.

import { globSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { ROOT } from './world/program.ts';

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

/**
 * Distributes test files over processes of some files each. Node's runner goes by the order of paths, so the files of
 * `first`, each in a process of its own, are imported by modules whose paths are before all others.
 */
export function shareProcesses(
  all: readonly string[],
  { sharing, first }: { sharing: number; first: readonly string[] },
): SharedProcesses {
  const cache = join(ROOT, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'tests-'));
  const rest = all.filter((path) => !first.includes(path));
  const files: string[] = [];
  const put = (name: string, own: readonly string[]) => {
    const file = join(folder, `${name}.mjs`);
    writeFileSync(file, own.map(toImport).join(''));
    files.push(file);
  };
  for (const [i, path] of first.entries()) put(`0-${i}`, [path]);
  for (const [name, own] of Map.groupBy(rest, (path) => path.split(/[/\\]/)[1] ?? ''))
    for (let i = 0; i < own.length; i += sharing) put(`${name}-${i}`, own.slice(i, i + sharing));
  return { folder, files };
}

function toImport(path: string): string {
  return `import ${JSON.stringify(pathToFileURL(join(ROOT, path)))};\n`;
}
