// openGateway and connectGateway: a gateway on the database that an embedding program names.

import { engineOf } from '../store/engines.ts';
import { Refusal } from '../store/refusal.ts';
import type { PostgresOptions } from '../store/servers.ts';
import type { Store } from '../store/store.ts';
import { createGateway, type Gateway, type GatewayOptions } from './gateway.ts';
import { guarded, silent } from './log.ts';

/** Options of `openGateway`. */
export interface OpenOptions extends GatewayOptions {
  /** The path of a SQLite file. */
  readonly database: string;
}

/** Options of `connectGateway`. */
export interface ConnectGatewayOptions extends GatewayOptions {
  /** The path of a SQLite file, or the address of a PostgreSQL database such as `postgres://host/memories`. */
  readonly database: string;
  /** How PostgreSQL is read, and from which replicas. Has no effect on a file. */
  readonly postgres?: PostgresOptions | undefined;
}

/**
 * Opens a gateway on a SQLite file, until `close()`. It sets no globals and installs no signal handlers.
 * With `throttle`, each address that sends an invalid key has a timer for a minute, which keeps no process
 * alive. Otherwise a gateway starts no timers. Throws `Refusal` if the file is missing, is no database of
 * ours, or needs another version of this program.
 */
export function openGateway(options: OpenOptions): Gateway {
  const { database, ...rest } = requireDatabase('openGateway', options);
  const { openSync } = engineOf(database);
  if (openSync === undefined)
    throw new Refusal(
      'openGateway takes a SQLite file; for PostgreSQL, use "await connectGateway({ database })".',
    );
  return createOn(openSync(), rest);
}

/**
 * Opens a gateway on a SQLite file or a PostgreSQL database, until `close()`. Resolves once the database
 * responds. Rejects with `Refusal` if it does not, or if it cannot be served, as in `openGateway`.
 */
export async function connectGateway(options: ConnectGatewayOptions): Promise<Gateway> {
  const { database, postgres, ...rest } = requireDatabase('connectGateway', options);
  const { warn } = guarded(rest.log ?? silent);
  return createOn(await engineOf(database).open(postgres, warn), rest);
}

/** Returns the options of a program, which may be written without types, if they name a database. */
function requireDatabase<T extends OpenOptions>(name: string, options: T): T {
  const given: unknown = options;
  if (typeof given !== 'object' || given === null) throw noDatabase(name, typeName(given));
  if (typeof options.database === 'string' && options.database !== '') return options;
  const names = Object.keys(given).join(', ');
  throw noDatabase(
    name,
    'database' in given
      ? `${typeName(options.database)} as "database"`
      : `an object with ${names === '' ? 'no properties' : names}`,
  );
}

/** Values are not repeated, because the address of a database may have a password in it. */
function noDatabase(name: string, got: string): Refusal {
  return new Refusal(
    `${name} got ${got}; call it with the path of a database: ${name}({ database: 'memories.db' }).`,
  );
}

function typeName(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (value === '') return 'an empty string';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function createOn(store: Store, options: GatewayOptions): Gateway {
  try {
    return createGateway(store, options);
  } catch (error) {
    void store.close();
    throw error;
  }
}
