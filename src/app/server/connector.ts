// The interface of a connector: the part of a gateway that lets OAuth clients read an account if its owner agrees.

import type { Mount, MountContext } from '../../gateway/mount.ts';
import type { Awaitable } from '../../lib/async.ts';
import type { AppStore } from '../../store/app/app-store.ts';
import type { Scope } from '../../store/scope.ts';

/** A client as the owner sees it before deciding. */
export interface ClientToAllow {
  readonly id: string;
  readonly name: string;
  /** Where the code is sent: a host with its port, or a scheme such as `cursor://`. */
  readonly redirect: string;
  /** Whether the code goes to a program on the owner's own machine, which could be any program. */
  readonly is_local: boolean;
  /** Whether the host of the redirect is that of the document that names the client. */
  readonly is_verified: boolean;
}

/** What a client's request comes to: a decision of the owner, or a fault, with the address that the client expects it at. */
export type LookedAt =
  | { readonly client: ClientToAllow }
  | { readonly problem: string; readonly back: string | null };

/** What the owner allows. */
export interface Allowed {
  readonly account_id: string;
  readonly scope: Scope;
  readonly expires_at: number;
  /** The browser in words. */
  readonly agent: string;
}

/** A connector. Its paths are outside `/app/`. */
export interface Connector extends Pick<Mount, 'owns' | 'commonHeaders' | 'handle' | 'close'> {
  /** The address that a client is given. */
  readonly url: string;
  /** Looks at the query of a client's authorization request. Fetches what describes the client. */
  readonly look: (query: string) => Promise<LookedAt>;
  /** Allows a request, or denies it. Returns where the browser goes. Throws a 422 if the request has a fault. */
  readonly decide: (query: string, allowed: Allowed | null) => Promise<string>;
  /** Writes the uses of grants that are gathered now. */
  readonly flush: () => Awaitable<void>;
}

/** Creates the connector of an app, on its store. May throw `Refusal`. */
export type CreateConnector = (parts: {
  readonly gateway: MountContext;
  readonly store: () => Awaitable<AppStore>;
  /** Whether the paths that each grant reads are kept. */
  readonly keyLog: boolean;
}) => Connector;
