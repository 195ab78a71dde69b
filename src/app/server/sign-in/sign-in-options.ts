// The options of sign-in: who else may say who is signed in.

import type { IncomingMessage } from 'node:http';

import type { Awaitable } from '../../../lib/async.ts';

/** Who decides who is signed in, besides sessions. */
export interface SignInOptions {
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
}
