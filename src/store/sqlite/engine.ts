// The SQLite engine. All but the reads of the gateway is loaded when it is first used.

import type { Engine } from '../engine.ts';
import { explainSqlite, isMissing } from './connection.ts';
import { isDatabaseFile, resolveLinks } from './files/paths.ts';
import { openStore } from './store.ts';
import { statFiles } from './watch/file-identity.ts';

/** Returns the engine for a SQLite file. */
export function sqliteEngine(path: string): Engine {
  return {
    name: 'SQLite',
    hasReplicas: false,
    erasureNote:
      'Another program is reading the database, so its files still contain the deleted words. When that program has ended, any command that writes removes them, such as "accounts list".',
    open: () => openStore(path),
    openSync: () => openStore(path),
    async openApp(now) {
      const { openAppFile } = await import('./app/open.ts');
      return openAppFile(path, now);
    },
    mayImport: () => true,
    async withWriter(work) {
      const { withFileWriter } = await import('./writer.ts');
      return withFileWriter(path, work);
    },
    async withImport(options, work) {
      const { withFileImport } = await import('./import.ts');
      return withFileImport(path, options, work);
    },
    async withSnapshot(work) {
      const { withFileSnapshot } = await import('./snapshot.ts');
      return withFileSnapshot(path, work);
    },
    async verify(stage) {
      const { verifyFile } = await import('./check/verify.ts');
      return verifyFile(path, stage);
    },
    async upgrade(options) {
      const { upgradeFile } = await import('./files/upgrade.ts');
      const { SCHEMA_VERSION: schema } = await import('./migrations.ts');
      return { schema, ...(await upgradeFile({ ...options, database: path })) };
    },
    async createIfMissing(fill) {
      const { createDatabase } = await import('./writer.ts');
      if (isMissing(path)) createDatabase(path, fill);
    },
    explain: (error) => explainSqlite(error, path),
    owns: (other) => isDatabaseFile(path, other),
    sizes: () => statFiles(path),
    async tidy() {
      const { mergeLog } = await import('./writer.ts');
      mergeLog(path);
    },
    async file() {
      const { backUp } = await import('./files/backup.ts');
      const { restore } = await import('./files/restore.ts');
      const { findLeftovers } = await import('./files/safety-copy.ts');
      const { inspectFile } = await import('./check/inspect.ts');
      return {
        isMissing: () => isMissing(path),
        backUp: (options) => backUp({ ...options, database: path }),
        restore: (options) => restore({ ...options, database: path }),
        inspect: () => inspectFile(path),
        leftovers: () => findLeftovers(resolveLinks(path)),
      };
    },
  };
}
