// The folder that the manual's pages run in: the program under its name, and the packages that examples import.

import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { buildProgram } from '../world/build.ts';
import { BINARY, ROOT } from '../world/program.ts';

/** A prepared folder. */
export interface Workshop {
  readonly folder: string;
  /** The environment of a page's commands. */
  readonly env: Readonly<Record<string, string>>;
  /** Creates an empty folder for one page. */
  readonly room: () => string;
  readonly remove: () => void;
}

/** Prepares a folder for the pages, with the program of the test run or one built for it. */
export function openWorkshop(): Workshop {
  const folder = mkdtempSync(join(tmpdir(), 'memory-gateway-manual-'));
  const path = (...names: string[]) => join(folder, ...names);
  for (const name of ['bin', 'home', 'rooms', 'rooms/node_modules', 'tmp']) mkdirSync(path(name));
  const program = BINARY ?? process.env['BUILT_PROGRAM'] ?? buildProgram(path('package'));
  const start = BINARY === undefined ? `'${process.execPath}' '${program}'` : `'${program}'`;
  writeFileSync(path('bin/memory-gateway'), `#!/bin/sh\nexec ${start} "$@"\n`);
  chmodSync(path('bin/memory-gateway'), 0o755);
  symlinkSync(process.execPath, path('bin/node'));
  putPackages(folder);
  // Without a terminal curl would print its progress.
  writeFileSync(path('home/.curlrc'), 'silent\nshow-error\n');
  let rooms = 0;
  return {
    folder,
    env: {
      PATH: `${path('bin')}:${process.env['PATH']}`,
      HOME: path('home'),
      TMPDIR: path('tmp'),
      LANG: 'C.UTF-8',
      TZ: 'UTC',
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? path('compiled'),
    },
    room: () => {
      const made = path('rooms', String((rooms += 1)));
      mkdirSync(made);
      return made;
    },
    remove: () => rmSync(folder, { recursive: true, maxRetries: 3 }),
  };
}

/**
 * Makes the project's packages importable in the folders, and the project's sources as
 * `memory-gateway`.
 */
function putPackages(folder: string): void {
  const packages = join(folder, 'rooms/node_modules');
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (name !== 'memory-gateway')
      symlinkSync(join(ROOT, 'node_modules', name), join(packages, name));
  const own = join(packages, 'memory-gateway');
  mkdirSync(own);
  // Node does not strip types from files below node_modules, so a link leads to the sources.
  symlinkSync(join(ROOT, 'src'), join(own, 'src'));
  const exports = {
    '.': './src/index.ts',
    './client': './src/client/index.ts',
    './contract': './src/contract/index.ts',
    './store': './src/store/index.ts',
  };
  writeFileSync(join(own, 'package.json'), JSON.stringify({ name: 'memory-gateway', exports }));
  writeFileSync(join(folder, 'rooms/package.json'), JSON.stringify({ type: 'module' }));
}
