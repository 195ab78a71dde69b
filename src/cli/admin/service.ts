// Service: what is measured once, however many processes serve.

import { VERSION } from '../../gateway/version.ts';
import { isPostgres } from '../../store/address.ts';
import { sqliteVersion } from '../../store/sqlite/file.ts';
import { look } from '../../store/sqlite/place.ts';
import { measure, type Into } from './measure.ts';

/** What is served, and by how many. */
export interface Service {
  readonly database: string;
  readonly workers: number;
  /** How many processes were heard of when they were last asked. */
  readonly heard: () => number;
}

/** Adds what is measured of the service. */
export function measureService(into: Into, { database, workers, heard }: Service): void {
  const { prom, registry } = into;
  const about = { version: VERSION, node: process.versions.node, sqlite: sqliteVersion() };
  new prom.Gauge({
    name: 'memory_gateway_build_info',
    help: 'Always 1; its labels are the versions.',
    labelNames: Object.keys(about),
    registers: [registry],
  }).set(about, 1);
  measure(into, [
    {
      name: 'memory_gateway_database_bytes',
      help: 'Size of the database file.',
      type: 'gauge',
      read: () => (isPostgres(database) ? undefined : look(database).fileBytes),
    },
    {
      name: 'memory_gateway_wal_bytes',
      help: 'Size of the log of writes beside it, which SQLite takes over into the file.',
      type: 'gauge',
      read: () => (isPostgres(database) ? undefined : look(database).logBytes), // beside the file itself, where the name is a link
    },
    {
      name: 'memory_gateway_workers',
      help: 'Processes that are to serve.',
      type: 'gauge',
      read: () => workers,
    },
    {
      name: 'memory_gateway_workers_heard',
      help: 'Processes whose figures are in this answer; of the others the counts are the last known.',
      type: 'gauge',
      read: heard,
    },
  ]);
}
