// openGateway: a gateway on a database file, for programs that embed it.

import { openStore } from '../store/sqlite.ts';
import { createGateway, type Gateway, type GatewayOptions } from './gateway.ts';

/** What is opened, and how. */
export interface OpenOptions extends GatewayOptions {
  /** The SQLite file. */
  readonly database: string;
}

/**
 * Opens a gateway on a database file, which `close()` gives back. It touches no global, listens to no
 * signal and starts no timer. Fails with `Refusal` when the file is missing, foreign, older or newer.
 */
export function openGateway({ database, ...options }: OpenOptions): Gateway {
  const store = openStore(database);
  try {
    return createGateway(store, options);
  } catch (error) {
    store.close();
    throw error;
  }
}
