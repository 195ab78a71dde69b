// The PostgreSQL engine. All of it is loaded when it is first used, and so is the driver.

import type { Engine } from '../engine.ts';
import { withoutProgress } from '../progress.ts';

/** Returns the engine for the address of a PostgreSQL database. */
export function postgresEngine(address: string): Engine {
  return {
    name: 'PostgreSQL',
    hasReplicas: true,
    erasureNote:
      'No response contains the deleted words any more. The files of PostgreSQL contain them until VACUUM has run and other rows overwrite them. Its log (WAL), replicas and backups contain them for as long as you keep those.',
    async open(options, warn) {
      const { openPostgres } = await import('./store.ts');
      return openPostgres(address, options, warn);
    },
    async openApp(now) {
      const { openPostgresApp } = await import('./app/open.ts');
      return openPostgresApp(address, now);
    },
    async mayImport() {
      const { mayWriteMemories } = await import('./app/open.ts');
      return mayWriteMemories(address);
    },
    async withWriter(work) {
      const { withPostgresWriter } = await import('./writer.ts');
      return withPostgresWriter(address, work);
    },
    async withImport(options, work) {
      const { withPostgresImport } = await import('./import.ts');
      return withPostgresImport(address, options, work);
    },
    async withSnapshot(work) {
      const { withPostgresSnapshot } = await import('./snapshot.ts');
      return withPostgresSnapshot(address, work);
    },
    async verify(stage = withoutProgress) {
      const { verifyPostgres } = await import('./check/verify.ts');
      return verifyPostgres(address, stage);
    },
    async upgrade() {
      const { migratePostgres, POSTGRES_VERSION: schema } = await import('./migrations.ts');
      return { schema, applied: await migratePostgres(address), kept: undefined };
    },
    async createIfMissing() {
      const { migratePostgres } = await import('./migrations.ts');
      await migratePostgres(address, { onlyNew: true });
    },
    async explain(error) {
      const { explainPostgres } = await import('./errors.ts');
      return explainPostgres(error, address);
    },
    owns: () => false,
    sizes: () => undefined,
  };
}
