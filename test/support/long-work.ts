// A program that backs up, restores or migrates, and says which stage of it begins, so that a test can kill it there, and ends.
// With `--held` it stops for good when its first pages are copied.

import { backUp } from '../../src/store/sqlite/backup.ts';
import { restore } from '../../src/store/sqlite/restore.ts';
import { upgrade } from '../../src/store/sqlite/upgrade.ts';
import type { Stage } from '../../src/store/stage.ts';

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
else if (what === 'migrate') await upgrade({ database, stage });
else await restore({ database, file, discard: what === 'discard', stage });
process.stdout.write('done\n');

/** The most memory it ever had, in kB. */
function peak(): number {
  return process.resourceUsage().maxRSS;
}
