// openGateway and connectGateway: a gateway on a database, with the web app if an embedding program wants it.

import type { Gateway, GatewayOptions } from '../../gateway/gateway.ts';
import {
  connectGateway as connectWithoutApp,
  openGateway as openWithoutApp,
  type ConnectGatewayOptions as ConnectOptions,
  type OpenOptions as OpenWithoutApp,
} from '../../gateway/open.ts';
import { engineOf } from '../../store/engines.ts';
import { findAppFile } from '../app-files.ts';
import type { AppOptions } from './app-parts.ts';
import { createApp } from './app.ts';

interface WithApp {
  /**
   * The web app at `/app/`, with its own sign-in, or with `accountOf` if your program knows who is signed in.
   * Default: off.
   */
  readonly app?: AppOptions | false | undefined;
}

/** Options of `openGateway`. */
export interface OpenOptions extends OpenWithoutApp, WithApp {}

/** Options of `connectGateway`. */
export interface ConnectGatewayOptions extends ConnectOptions, WithApp {}

/**
 * Opens a gateway on a SQLite file, until `close()`. It sets no globals and installs no signal handlers.
 * With `throttle`, each address that sends an invalid key has a timer for a minute, and with `app`, the use of
 * keys is written by a timer. Neither keeps a process alive. Otherwise a gateway starts no timers. Throws
 * `Refusal` if the file is missing, is no database of ours, or needs another version of this program.
 */
export function openGateway(options: OpenOptions): Gateway {
  return openWithoutApp(withApp(options));
}

/**
 * Opens a gateway on a SQLite file or a PostgreSQL database, until `close()`. Resolves once the database
 * responds. Rejects with `Refusal` if it does not, or if it cannot be served, as in `openGateway`.
 */
export async function connectGateway(options: ConnectGatewayOptions): Promise<Gateway> {
  return connectWithoutApp(withApp(options));
}

/** Adds the app to the mounts of a gateway. A program may be written without types, so the rest is checked later. */
function withApp<T extends GatewayOptions & WithApp & { readonly database: string }>(
  options: T,
): T {
  const { app = false, database, mounts = [] } = options ?? {};
  if (app === false) return options;
  const mount = createApp({
    ...app,
    openStore: (now) => engineOf(database).openApp(now),
    findFile: findAppFile,
    database: () => engineOf(database).name,
  });
  return { ...options, mounts: [...mounts, mount], sandboxDocs: true };
}
