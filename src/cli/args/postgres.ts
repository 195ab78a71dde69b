// Reads the options that only PostgreSQL has, and refuses PostgreSQL where a command needs a file.

import { showDatabase } from '../../store/address.ts';
import { engineOf } from '../../store/engines.ts';
import type { DatabaseFile } from '../../store/files/database-file.ts';
import type { PostgresOptions } from '../../store/servers.ts';
import type { Args } from './args.ts';
import type { Option } from './options/option.ts';
import { options, type OptionName } from './options/options.ts';
import { UsageError } from './parse.ts';
import { readDuration, readNumber } from './values.ts';

/** The names of the options for PostgreSQL. */
export const postgresOptionNames = [
  'replica',
  'max-lag',
  'connections',
] as const satisfies OptionName[];

/** Reads the options for PostgreSQL. Returns undefined for a SQLite file. Throws `UsageError`. */
export function readPostgresOptions(args: Args): PostgresOptions | undefined {
  if (!engineOf(args.need('database')).hasReplicas) {
    const given = postgresOptionNames.find(
      (name) => args.text(name) !== (options[name] as Option).default,
    );
    if (given === undefined) return undefined;
    throw new UsageError(`--${given} is for PostgreSQL; give --database postgres://… with it.`);
  }
  return {
    replicas: readReplicas(args.text('replica')),
    maxLagMs: readDuration('max-lag', args.need('max-lag'), ['1s', '24h']),
    connections: readNumber('connections', args.need('connections'), [1, 999]),
  };
}

function readReplicas(text: string | undefined): string[] {
  const replicas = text?.split(',') ?? [];
  const wrong = replicas.find((replica) => !isAddress(replica));
  // The message leaves out the value, which may contain a password.
  if (wrong !== undefined)
    throw new UsageError('--replica takes addresses such as postgres://host/memories.');
  const twice = replicas.find((replica, i) => replicas.indexOf(replica) < i);
  if (twice !== undefined) throw new UsageError(`Give --replica ${showDatabase(twice)} once.`);
  return replicas;
}

/** Returns whether a text is the address of a server, which may be a replica. */
function isAddress(replica: string): boolean {
  return URL.canParse(replica) && engineOf(replica).hasReplicas;
}

/** A database in one file, and its name. */
export interface SqliteFile {
  readonly database: string;
  readonly file: DatabaseFile;
}

/** Returns the SQLite file that a command works on. Rejects with `UsageError` for PostgreSQL, and says what to do instead. */
export async function requireSqliteFile(args: Args, instead: string): Promise<SqliteFile> {
  const database = args.need('database');
  const file = await engineOf(database).file?.();
  if (file !== undefined) return { database, file };
  throw new UsageError(`This command works on a SQLite file only; for PostgreSQL, ${instead}.`);
}
