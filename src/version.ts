// The program's version, from package.json. It is part of list ETags, and printed by --version.

import { readOwn } from './files.ts';

const manifest = JSON.parse(readOwn('package.json').toString()) as {
  version: string;
};

/** The version of this package, such as `1.2.3`. */
export const VERSION = manifest.version;
