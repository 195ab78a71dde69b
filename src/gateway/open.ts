// openGateway: a gateway on a database file, for programs that embed it; connectGateway: on a database anywhere.

import { isPostgres } from '../store/address.ts';
import { openAnyStore } from '../store/open.ts';
import type { PostgresOptions } from '../store/options.ts';
import { Refusal } from '../store/refusal.ts';
import { openStore } from '../store/sqlite.ts';
import type { Store } from '../store/store.ts';
import { createGateway, type Gateway, type GatewayOptions } from './gateway.ts';
import { guarded, silent } from './log.ts';

/** What is opened, and how. */
export interface OpenOptions extends GatewayOptions {
  /** The SQLite file. */
  readonly database: string;
}

/** What is connected to, and how. */
export interface ConnectGatewayOptions extends GatewayOptions {
  /** A SQLite file, or the address of a PostgreSQL database such as `postgres://host/memories`. */
  readonly database: string;
  /** How PostgreSQL is read, and from which replicas; nothing of it matters to a file. */
  readonly postgres?: PostgresOptions | undefined;
}

/**
 * Opens a gateway on a database file, which `close()` gives back. It touches no global, listens to no
 * signal and starts no timer. Fails with `Refusal` when the file is missing, foreign, older or newer.
 */
export function openGateway({ database, ...options }: OpenOptions): Gateway {
  if (isPostgres(database))
    throw new Refusal(
      'PostgreSQL takes its time; await connectGateway in the place of openGateway.',
    );
  return over(openStore(database), options);
}

/** Does the same for a database of any engine, as soon as it answers. */
export async function connectGateway(options: ConnectGatewayOptions): Promise<Gateway> {
  const { database, postgres, ...rest } = options;
  const { warn } = guarded(rest.log ?? silent);
  return over(await openAnyStore(database, postgres, warn), rest);
}

function over(store: Store, options: GatewayOptions): Gateway {
  try {
    return createGateway(store, options);
  } catch (error) {
    void store.close();
    throw error;
  }
}
