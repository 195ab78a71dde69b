// The test files that run on both engines: those of nine folders, except files named *.sqlite.test.ts.

import { globSync } from 'node:fs';

import { ROOT } from '../world/program.ts';

/** The folders whose tests open no database, or one of the run's engine. */
const FOLDERS = ['api', 'app', 'cli', 'client', 'connect', 'embed', 'http', 'sources', 'store'];

/** Returns the paths of the test files that run on both engines. */
export function testsOfBothEngines(folders: readonly string[] = FOLDERS): string[] {
  return folders
    .flatMap((folder) => globSync(`test/${folder}/*.test.ts`, { cwd: ROOT }))
    .filter((path) => !path.endsWith('.sqlite.test.ts'))
    .toSorted();
}
