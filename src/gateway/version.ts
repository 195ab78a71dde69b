// The program's version, from package.json: part of the etags of lists, and what --version prints.

import { readOwn } from '../files.ts';

const manifest = JSON.parse(readOwn(new URL('../../package.json', import.meta.url)).toString()) as {
  version: string;
};

/** The version of this package, such as `1.2.3`. */
export const VERSION = manifest.version;
