// A program that backs up, restores or migrates, and says which stage of it begins, so that a test can kill it there.

import { backUp } from '../../src/store/backup.ts';
import { restore } from '../../src/store/restore.ts';
import type { Stage } from '../../src/store/stage.ts';
import { upgrade } from '../../src/store/upgrade.ts';

const [, , what = '', file = '', database = ''] = process.argv;

const stage: Stage = async ({ unit }, work) => {
  process.stdout.write(`${unit}\n`);
  return work(() => {});
};

if (what === 'backup') await backUp({ database, file, overwrite: true, stage });
else if (what === 'migrate') await upgrade({ database, stage });
else await restore({ database, file, discard: what === 'discard', stage });
process.stdout.write('done\n');
