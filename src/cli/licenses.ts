// licenses: what the program may be used by, and all that is in it.

import { readOwn } from '../files.ts';
import { Refusal } from '../store/refusal.ts';
import { none } from './accounts.ts';
import type { Command } from './command.ts';

const OWN = new URL('../../LICENSE', import.meta.url);

/** Made by the build. */
const OTHERS = new URL('LICENSES.txt', import.meta.url);

/** Prints the licence of the program, and those of all that is in it. */
export const licensesCommand: Command = {
  summary: 'print the licences of the program and of all that is in it',
  options: [],
  run: (args) => {
    none(args);
    const rule = '-'.repeat(80);
    return {
      text: [readOwn(OWN), readOthers()].map((text) => String(text).trim()).join(`\n\n${rule}\n\n`),
    };
  },
};

function readOthers(): Buffer {
  try {
    return readOwn(OTHERS);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause;
    throw new Refusal(
      'These are the sources; the licences of what they use are in node_modules, a file in each package.',
      { cause },
    );
  }
}
