// The reader: the account that a request of the app belongs to, by its session, a proxy's header or the host program.

import { hash } from 'node:crypto';

import { Failure } from '../../../contract/failure.ts';
import type { MountContext } from '../../../gateway/mount.ts';
import { trimSpace, valuesOf } from '../../../gateway/request/headers.ts';
import type { GatewayRequest } from '../../../gateway/request/request.ts';
import { requestedUrl, sourceOf } from '../../../gateway/request/transport.ts';
import { ResponseFailure } from '../../../gateway/response/response-failure.ts';
import { andThen, type Awaitable } from '../../../lib/async.ts';
import type { AppStore, SessionRecord } from '../../../store/app/app-store.ts';
import type { AppContext } from '../app-parts.ts';
import type { Address } from '../request/address.ts';
import { readCookie } from './cookie.ts';

/** A signed-in account. */
export interface Reader {
  readonly account_id: string;
  /** Null if a proxy or the host has signed the account in. */
  readonly session: SessionRecord | null;
}

/** Finds the reader of a request. Undefined if nobody is signed in. */
export type FindReader = (
  request: GatewayRequest,
  address: Address,
) => Awaitable<Reader | undefined>;

/** Creates the function that finds readers. It never looks at API keys. */
export function createFindReader(app: AppContext): FindReader {
  const { accountOf, signInHeader, gateway, store } = app;
  if (accountOf !== undefined)
    return (request, address) => {
      requireHost(request, address, gateway);
      return andThen(accountOf(sourceOf(request.transport)), (id) =>
        typeof id === 'string' ? byName(id, (found) => found === id) : undefined,
      );
    };
  return (request, address) => {
    const named = signInHeader && valuesOf(request.headers, signInHeader.toLowerCase());
    if (named && named.length > 0 && gateway.isFromProxy(request)) {
      const [name = '', ...more] = named;
      if (trimSpace(name) === '' || more.length > 0) return undefined;
      return byName(name, () => true);
    }
    const token = readCookie(request.headers, address);
    if (token === undefined) return undefined;
    return andThen(store(), (opened) => findBySession(opened, token));
  };

  /** Finds an enabled account by its id or name. A host names ids only, and another account may have one as its name. */
  function byName(name: string, isWanted: (id: string) => boolean): Awaitable<Reader | undefined> {
    return andThen(store(), ({ accounts }) =>
      andThen(accounts.find(name), (found) =>
        found !== undefined && isWanted(found.id)
          ? { account_id: found.id, session: null }
          : undefined,
      ),
    );
  }
}

/**
 * Throws a 403 if a request names another host than the base URL: its page may be one of a host that was made to
 * resolve to ours (DNS rebinding). Our cookies belong to a host, but the sign-in of an embedding program may not.
 * A configured proxy answers for the names that it passes on.
 */
function requireHost(
  request: GatewayRequest,
  { origin, isHttps }: Address,
  gateway: MountContext,
): void {
  if (requestedUrl(request, isHttps)?.origin === origin) return;
  if (gateway.isFromProxy(request)) return;
  throw new Failure(
    403,
    'This request names another host than the base URL; open the app at that address, or let your proxy pass Host on.',
  );
}

function findBySession({ sessions }: AppStore, token: string): Awaitable<Reader | undefined> {
  return andThen(sessions.find(hash('sha256', token)), (found) => {
    if (found === undefined) return undefined;
    const { session, account } = found;
    return andThen(sessions.seen(session), () => ({ account_id: account.id, session }));
  });
}

/** Creates the 401 of a request that nobody is signed in for. */
export function signedOut(): ResponseFailure {
  return unauthorized('Nobody is signed in here, or the session has ended; sign in again.');
}

/** Creates a 401. Its scheme is none that browsers ask a password for (RFC 9110 §11.6.1 demands one). */
export function unauthorized(detail: string): ResponseFailure {
  return new ResponseFailure(401, detail, { headers: ['www-authenticate', 'Session'] });
}
