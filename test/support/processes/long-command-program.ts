// A program that backs up, restores or migrates and prints each stage, so that a test can kill it there. With `--held` it stops for good after copying its first pages.

import type { Stage } from '../../../src/store/progress.ts';
import { backUp } from '../../../src/store/sqlite/files/backup.ts';
import { restore } from '../../../src/store/sqlite/files/restore.ts';
import { upgradeFile } from '../../../src/store/sqlite/files/upgrade.ts';

const [, , what = '', file = '', database = '', held] = process.argv;

const stage: Stage = async ({ unit }, work) => {
  process.stdout.write(`${unit} ${peak()}\n`);
  const made = await work((done) => {
    if (held !== '--held' || unit !== 'pages' || done === 0) return;
    process.stdout.write('held\n');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });
  process.stdout.write(`done with ${unit} ${peak()}\n`);
  return made;
};

if (what === 'backup') await backUp({ database, file, overwrite: true, stage });
else if (what === 'migrate') await upgradeFile({ database, stage });
else await restore({ database, file, discard: what === 'discard', stage });
process.stdout.write('done\n');

/** Returns its peak memory in kB. */
function peak(): number {
  return process.resourceUsage().maxRSS;
}
