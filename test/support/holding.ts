// Loaded into a program by `--import`, to stop it for good when it gives its first file a name: before that, or with HOLD=after behind it.

import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const { linkSync, renameSync } = fs;
fs.linkSync = (from, to) => holding(() => linkSync(from, to));
fs.renameSync = (from, to) => holding(() => renameSync(from, to));
syncBuiltinESMExports();

function holding(give: () => void): void {
  if (process.env['HOLD'] === 'after') give();
  fs.writeSync(1, 'held\n'); // at once: nothing is sent once it waits
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}
