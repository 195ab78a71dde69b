// The parts of an app: what it needs besides its gateway, and what its handlers work with.

import { Failure } from '../../contract/failure.ts';
import type { MountContext } from '../../gateway/mount.ts';
import type { Awaitable } from '../../lib/async.ts';
import type { AppStore } from '../../store/app/app-store.ts';
import type { FindAppFile } from '../app-files.ts';
import type { Changes } from './changes.ts';
import type { Connector, CreateConnector } from './connector.ts';
import type { Imports, Sources } from './imports.ts';
import type { KeyUse } from './key-use.ts';
import type { Claim } from './sign-in/claim.ts';
import type { SignInOptions } from './sign-in/sign-in-options.ts';

/** What the app needs besides its gateway. */
export interface AppParts extends SignInOptions {
  /** Opens the app's store. Called at the first request that needs it. */
  readonly openStore: (now: () => number) => Awaitable<AppStore>;
  /** Finds the files of the pages. */
  readonly findFile: FindAppFile;
  /** Creates what connects OAuth clients. Default: none can be connected. */
  readonly connect?: CreateConnector | undefined;
  /** The words that start the program on this machine. Default: only its name is shown. */
  readonly program?: readonly string[] | undefined;
  /** Gives the first account away. Default: the terminal creates accounts. */
  readonly claim?: Claim | undefined;
  /** Imports the files of owners. Default: the app writes no memory. */
  readonly imports?: Imports | undefined;
  /** Pulls from the sources of owners. Default: none can be set up. */
  readonly sources?: Sources | undefined;
  /** Whether owners may share memories by links, at `/s/`. Default: no. */
  readonly shares?: boolean | undefined;
  /** Deletes memories for their owners, and brings them back. Default: the app writes no memory. */
  readonly changes?: Changes | undefined;
  /** Returns the addresses of the gateway for other devices, without a slash at the end. Default: none is known. */
  readonly addresses?: (() => readonly string[]) | undefined;
  /** Whether the paths that each key reads are kept. Default: no. */
  readonly keyLog?: boolean | undefined;
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

/** Returns a part that writes memories. Throws a 403 if the app is read-only. `instead` says how owners do it then. */
export function requireWriting<Part>(part: Part | undefined, instead: string): Part {
  if (part !== undefined) return part;
  throw new Failure(
    403,
    `The app of this gateway is read-only; ${instead}, or ask its operator to serve it with --app on, as a user of the database who may write memories.`,
  );
}
