// Where the memories are kept: what the app tells their owner about the database, its size and its backups.

import { statSync } from 'node:fs';
import { resolve } from 'node:path';

import type { AppOptions } from '../../app/server/app-parts.ts';
import { toIsoTime } from '../../lib/time.ts';
import { isPostgres } from '../../store/address.ts';

/** Creates the function that looks at a SQLite file. `lastBackupAt` returns 0 if there is no backup yet. Default: none are made. */
export function keptAt(database: string, lastBackupAt?: () => number): AppOptions['kept'] {
  if (isPostgres(database)) return undefined;
  const path = resolve(database);
  return () => {
    const sizes = [path, `${path}-wal`].map(
      (file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0,
    );
    const at = lastBackupAt?.() ?? 0;
    return {
      path,
      bytes: sizes.reduce((sum, size) => sum + size, 0),
      backup_at: at === 0 ? null : toIsoTime(at),
    };
  };
}
