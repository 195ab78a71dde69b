// licenses: the licenses of the program and its packages.

import { isSource, readOwn } from '../../files.ts';
import { Refusal } from '../../store/refusal.ts';
import type { Command } from '../command.ts';

/** Written by the build. */
const PACKAGE_LICENSES = 'dist/cli/LICENSES.txt';

/** Prints the licenses of the program and its packages. */
export const licensesCommand: Command = {
  summary: 'Print the licenses of the program and its packages',
  options: [],
  examples: [['Read the licenses in a pager', 'memory-gateway licenses | less']],
  run: () => {
    const rule = '-'.repeat(80);
    return {
      text: [readOwn('LICENSE'), readPackageLicenses()]
        .map((text) => String(text).trim())
        .join(`\n\n${rule}\n\n`),
    };
  },
};

function readPackageLicenses(): Buffer {
  if (isSource)
    throw new Refusal(
      'A clone has no list of licenses. Look in node_modules, where each package has its license file.',
    );
  return readOwn(PACKAGE_LICENSES);
}
