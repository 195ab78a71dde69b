// The program's version, from package.json: part of the etags of lists, and what --version prints.

import { readFileSync } from 'node:fs';

const manifest = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as { version: string };

/** The version of this package, such as `1.2.3`. */
export const VERSION = manifest.version;
