// The parts of an app: what it needs besides its gateway, and what its handlers work with.

import type { IncomingMessage } from 'node:http';

import type * as v from 'valibot';

import { Failure } from '../../contract/failure.ts';
import type { MountContext } from '../../gateway/mount.ts';
import type { Awaitable } from '../../lib/async.ts';
import type { AppStore } from '../../store/app/app-store.ts';
import type { FindAppFile } from '../app-files.ts';
import type { Me } from '../contract/records.ts';
import type { Changes } from './changes.ts';
import type { Connector, CreateConnector } from './connector.ts';
import type { Imports, Sources } from './imports.ts';
import type { KeyUse } from './key-use.ts';
import type { Claim } from './sign-in/claim.ts';

/** Options of the app. */
export interface AppOptions {
  /**
   * The header in which a configured proxy names the account that it has signed in, by its id or name. It is
   * ignored if the request does not come from a configured proxy. Default: none.
   */
  readonly signInHeader?: string | undefined;
  /** Where signing out leads if the proxy or the host has signed somebody in. Default: nowhere. */
  readonly signOutUrl?: string | undefined;
  /**
   * Returns the id of the account that the host has signed in, or undefined. Then the app has no sign-in
   * and no sessions of its own.
   */
  readonly accountOf?:
    | ((request: IncomingMessage | Request) => Awaitable<string | undefined>)
    | undefined;
  /** Connects OAuth clients. Only the program has this. Default: none can be connected. */
  readonly connect?: CreateConnector | undefined;
  /**
   * The words that start `memory-gateway` on this machine, such as the path of Node and of its first file. The
   * app shows them in what it gives agents of this machine to paste. Default: `memory-gateway`.
   */
  readonly program?: readonly string[] | undefined;
  /** What people type on this machine to run `memory-gateway`, such as `npm run -s cli --` in a clone. Default: `memory-gateway`. */
  readonly command?: string | undefined;
  /**
   * The beginning and the end of commands that work as they are printed: how the program is run, and the option that
   * names its database. The app shows them to browsers of this machine alone. Default: `command`, and no option.
   */
  readonly here?: { readonly command: string; readonly database_option: string } | undefined;
  /** Returns where a SQLite database is, for browsers of this machine alone. Only the program has this. Default: it is not told. */
  readonly kept?: (() => v.InferOutput<typeof Me>['kept']) | undefined;
  /** The command that begins with one's own memories, if this is the demo, which writes none. Default: it is not. */
  readonly startCommand?: string | undefined;
  /** Gives the first account to whoever has the link of the terminal. Only the program has this. Default: the terminal creates accounts. */
  readonly claim?: Claim | undefined;
  /** Imports the files of owners. Only the program has this. Default: the app writes no memory. */
  readonly imports?: Imports | undefined;
  /** Pulls from the sources of owners. Only the program has this. Default: none can be set up. */
  readonly sources?: Sources | undefined;
  /** Whether owners may share memories by links, at `/s/`. Only the program has this. Default: false. */
  readonly shares?: boolean | undefined;
  /** Deletes memories for their owners, and brings them back. Only the program has this. Default: the app writes no memory. */
  readonly changes?: Changes | undefined;
  /** Keeps for 30 days which paths each key has read, for its owner. Default: false. */
  readonly keyLog?: boolean | undefined;
  /** Returns the addresses of the gateway for other devices, without a slash at the end. Only the program has this. Default: none is known. */
  readonly addresses?: (() => readonly string[]) | undefined;
}

/** What the app needs besides its gateway. */
export interface AppParts extends AppOptions {
  /** Opens the app's store. Called at the first request that needs it. */
  readonly openStore: (now: () => number) => Awaitable<AppStore>;
  /** Finds the files of the pages. */
  readonly findFile: FindAppFile;
  /** Returns the database in words, such as `SQLite`. */
  readonly database: () => string;
}

/** What the handlers of the app work with. */
export interface AppContext extends AppParts {
  readonly gateway: MountContext;
  readonly store: () => Awaitable<AppStore>;
  readonly connector: Connector | undefined;
  /** The register of the uses of keys. */
  readonly keyUse: KeyUse;
}

/** Returns what people type on the machine of the gateway to run the program. */
export function commandOf({ command = 'memory-gateway' }: AppOptions): string {
  return command;
}

/** Returns a part that writes memories. Throws a 403 if the app is read-only: owners use the command `words` then. */
export function requireWriting<K extends 'changes' | 'imports' | 'sources'>(
  app: AppOptions,
  part: K,
  words: string,
): NonNullable<AppOptions[K]> {
  const found = app[part];
  if (found !== undefined) return found;
  throw new Failure(
    403,
    `The app of this gateway is read-only; use "${commandOf(app)} ${words}", or ask its operator to serve it with --app on, as a user of the database who may write memories.`,
  );
}
