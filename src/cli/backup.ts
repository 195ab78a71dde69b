// backup and restore: a database into a file, and back.

import { one } from './accounts.ts';
import { amount, isoTime, showTime, type Command } from './command.ts';
import { needFile } from './file.ts';
import { showBytes } from './progress.ts';
import { tell, watched } from './verify.ts';

/** Writes a backup, while others read and write the database. */
export const backupCommand: Command = {
  summary: 'write a backup of the database, also while it is served and written',
  takes: 'FILE',
  options: ['database', 'overwrite', 'json'],
  says: { overwrite: 'replace the file of that name' },
  run: async (args) => {
    const file = one(args, 'FILE');
    const database = needFile(args, 'make a backup with pg_dump');
    const { backUp } = await import('../store/sqlite/backup.ts');
    const overwrite = args.flag('overwrite');
    const made = await backUp({ database, file, overwrite, stage: watched });
    const { at, bytes, memories, accounts, sha256 } = made;
    return {
      text: `${file} is a backup as of ${showTime(at)}: ${showBytes(bytes)}, ${contents(made)}, SHA-256 ${sha256}.`,
      json: { file, database, at: isoTime(at), bytes, memories, accounts, sha256 },
    };
  },
};

/** Restores a backup, while others read the database. */
export const restoreCommand: Command = {
  summary: 'put a backup in the place of the database, which is kept beside it',
  takes: 'FILE',
  options: ['database', 'discard', 'json'],
  run: async (args) => {
    const file = one(args, 'FILE');
    const database = needFile(args, 'restore what pg_dump has written with pg_restore');
    const { restore } = await import('../store/sqlite/restore.ts');
    const discard = args.flag('discard');
    const restored = await restore({ file, database, discard, stage: watched });
    if (restored.findings.length > 0) {
      const found = tell(file, restored);
      return { ...found, note: `${file} is not well, so nothing was restored.` };
    }
    const { kept, isNewFile, memories, accounts } = restored;
    const old = kept === undefined ? '' : ` What was there is kept as ${kept}.`;
    return {
      text: `${database} is what ${file} has: ${contents(restored)}.${old}`,
      json: {
        ok: true,
        file,
        database,
        memories,
        accounts,
        kept: kept ?? null,
        new_file: isNewFile,
      },
      ...(isNewFile && kept !== undefined ? { note: NEW_FILE } : {}),
    };
  },
};

const NEW_FILE = 'The database is a new file; servers that run take it within a second.';

function contents({ memories, accounts }: { memories: number; accounts: number }): string {
  return `${amount(memories, 'memory', 'memories')} of ${amount(accounts, 'account', 'accounts')}`;
}
