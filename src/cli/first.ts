// The first import of the program: on a Node that is too old it ends here, in one sentence.

import { tooOld } from '../node-version.ts';

if (tooOld !== undefined) {
  process.stderr.write(`${tooOld}\n`);
  process.exit(1);
}
