// backup and restore of a SQLite database, while servers and other commands use it.

import { readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { toIsoTime } from '../../../lib/time.ts';
import { removeAbandoned } from '../../../store/files/temporary.ts';
import { Refusal } from '../../../store/refusal.ts';
import { oneArgument } from '../../args/args.ts';
import { requireSqliteFile } from '../../args/postgres.ts';
import { readNumber } from '../../args/values.ts';
import { withCleanup } from '../../cleanup.ts';
import type { Command } from '../../command.ts';
import { formatBytes, showStages } from '../../output/progress.ts';
import { formatCount, formatTime } from '../../output/text.ts';
import { verifyResult } from './verify.ts';

/** The database of a command that works on SQLite files only. */
const FILE_ONLY = { value: 'FILE', help: 'SQLite file' } as const;

/** Writes a backup. */
export const backupCommand: Command = {
  summary: 'Back up the database to a file (servers keep running)',
  about:
    'The backup is verified before it gets its name, so a damaged database never replaces a good backup. For PostgreSQL, use pg_dump.',
  takes: 'FILE',
  options: ['database', 'overwrite', 'keep', 'json'],
  overrides: { database: FILE_ONLY, overwrite: { help: 'Replace FILE if it exists' } },
  examples: [
    ['A backup with the date in its name', 'memory-gateway backup memories-$(date +%F).db'],
    [
      'Keep the last week of nightly backups',
      'memory-gateway backup /var/backups/memories --keep 7',
    ],
    ['Replace the last backup', 'memory-gateway backup memories.bak.db --overwrite'],
  ],
  run: withCleanup(async (args, context) => {
    const target = oneArgument(args, 'FILE');
    const keep = args.text('keep');
    const count = keep === undefined ? undefined : readNumber('keep', keep, [1, 99_999]);
    const file = count === undefined ? target : backupPath(target, Date.now());
    const { database, file: source } = await requireSqliteFile(args, 'use pg_dump');
    const overwrite = args.flag('overwrite');
    const made = await source.backUp({ file, overwrite, stage: showStages(context) });
    const { at, bytes, memories, accounts, sha256 } = made;
    const deleted = count === undefined ? [] : deleteOldBackups(file, count);
    const old = deleted.length === 0 ? '' : ` Deleted ${deleted.join(', ')}.`;
    return {
      text: `${file} is a backup as of ${formatTime(at)}: ${formatBytes(bytes)}, ${contents(made)}, SHA-256 ${sha256}.${old}`,
      json: {
        file,
        database,
        at: toIsoTime(at),
        bytes,
        memories,
        accounts,
        sha256,
        ...(count !== undefined && { deleted }),
      },
    };
  }),
};

/** Restores a backup. */
export const restoreCommand: Command = {
  summary: 'Replace the database with a backup (servers keep running)',
  about:
    'The backup is verified first. The current database is kept as a copy in the same folder, and the command prints its name. For PostgreSQL, use pg_restore.',
  takes: 'FILE',
  options: ['database', 'discard', 'json'],
  overrides: { database: FILE_ONLY },
  examples: [['Go back to a backup', 'memory-gateway restore memories.bak.db']],
  run: withCleanup(async (args, context) => {
    const file = oneArgument(args, 'FILE');
    const { database, file: target } = await requireSqliteFile(args, 'use pg_restore');
    const discard = args.flag('discard');
    const restored = await target.restore({ file, discard, stage: showStages(context) });
    if (restored.findings.length > 0) {
      const found = verifyResult(file, restored);
      return { ...found, note: `${file} is damaged, so nothing was restored.` };
    }
    const { kept, isNewFile, memories, accounts } = restored;
    const old = kept === undefined ? '' : ` The database from before is kept as ${kept}.`;
    return {
      text: `${database} now has the contents of ${file}: ${contents(restored)}.${old}`,
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
  }),
};

const NEW_FILE = 'The database is a new file; running servers open it within a second.';

function contents({ memories, accounts }: { memories: number; accounts: number }): string {
  return `${formatCount(memories, 'memory', 'memories')} of ${formatCount(accounts, 'account', 'accounts')}`;
}

/** A name that `backupName` returns. Other files in the folder are never deleted. */
const NAME = /^memory-gateway-\d{8}T\d{9}Z\.db$/;

/** Returns the path of a backup made at `now`, in milliseconds since 1970. Throws `Refusal` if there is no such folder. */
function backupPath(folder: string, now: number): string {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new Refusal(`With --keep, FILE is a folder, but ${folder} is none; create it first.`);
  return join(folder, `memory-gateway-${new Date(now).toISOString().replaceAll(/[-:.]/g, '')}.db`);
}

/** Returns when the newest backup of a folder was made, in milliseconds since 1970. 0: there is none. */
export function lastBackupAt(folder: string): number {
  const names = readdirSync(folder).filter((name) => NAME.test(name));
  return Math.max(0, ...names.map((name) => statSync(join(folder, name)).mtimeMs));
}

/**
 * Deletes all but the newest backups of a folder, and what backups that were killed have left in it. Returns the names
 * of the deleted ones. The backup that was just made counts as the newest: the clock may have been wrong when another
 * got its name.
 */
function deleteOldBackups(made: string, keep: number): string[] {
  const folder = dirname(made);
  const others = readdirSync(folder).filter((name) => NAME.test(name) && name !== basename(made));
  const old = others.toSorted().slice(0, Math.max(0, others.length - keep + 1));
  for (const name of old) rmSync(join(folder, name));
  removeAbandoned(made, (target) => NAME.test(target));
  return old;
}
