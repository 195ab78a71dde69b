// openGateway and connectGateway: a gateway on a database, with the web app if an embedding program wants it.

import type { Gateway, GatewayOptions } from '../../gateway/gateway.ts';
import {
  connectGateway as connectWithoutApp,
  openGateway as openWithoutApp,
  type ConnectGatewayOptions as ConnectOptions,
  type OpenOptions as OpenWithoutApp,
} from '../../gateway/open.ts';
import { engineOf } from '../../store/engines.ts';
import { createAppFiles } from '../app-files.ts';
import { createApp } from './app.ts';
import type { Changes } from './changes.ts';
import type { CreateConnector } from './connector.ts';
import type { Imports, Sources } from './imports.ts';
import type { Claim } from './sign-in/claim.ts';
import type { SignInOptions } from './sign-in/sign-in-options.ts';

/** Options of the app. */
export interface AppOptions extends SignInOptions {
  /** Connects OAuth clients. Only the program has this. */
  readonly connect?: CreateConnector | undefined;
  /**
   * The words that start `memory-gateway` on this machine, such as the path of Node and of its first file. The
   * app shows them in what it gives agents of this machine to paste. Default: `memory-gateway`.
   */
  readonly program?: readonly string[] | undefined;
  /** Gives the first account to whoever has the link of the terminal. Only the program has this. */
  readonly claim?: Claim | undefined;
  /** Imports the files of owners. Only the program has this. */
  readonly imports?: Imports | undefined;
  /** Pulls from the sources of owners. Only the program has this. */
  readonly sources?: Sources | undefined;
  /** Whether owners may share memories by links, at `/s/`. Only the program has this. */
  readonly shares?: boolean | undefined;
  /** Deletes memories for their owners. Only the program has this. */
  readonly changes?: Changes | undefined;
  /** Keeps for 30 days which paths each key has read, for its owner. Default: false. */
  readonly keyLog?: boolean | undefined;
  /** Returns the addresses of the gateway for other devices. Only the program has this. */
  readonly addresses?: (() => readonly string[]) | undefined;
}

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
    findFile: createAppFiles(),
    database: () => engineOf(database).name,
  });
  return { ...options, mounts: [...mounts, mount], sandboxDocs: true };
}
