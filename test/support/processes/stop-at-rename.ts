// Loaded into a program with --import to stop it before it renames its first file, or after it with HOLD=after.

import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const { linkSync, renameSync } = fs;
fs.linkSync = (from, to) => holding(() => linkSync(from, to));
fs.renameSync = (from, to) => holding(() => renameSync(from, to));
syncBuiltinESMExports();

function holding(give: () => void): void {
  if (process.env['HOLD'] === 'after') give();
  fs.writeSync(1, 'held\n'); // at once, because nothing is sent while it waits
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}
