// Who asks: headers → key → account, or 401. The account comes from the key, and only from the key.

import { andThen, type Awaitable } from '../contract/awaitable.ts';
import { Failure } from '../contract/failure.ts';
import { failure } from '../contract/statuses.ts';
import { hashApiKey, isApiKey } from '../store/apikey.ts';
import type { Store } from '../store/store.ts';
import { valuesOf, type Headers } from './headers.ts';

// Made once, and returned: to note where an error was made, and to throw it, costs more than all else
// about a 401, which anybody may ask for.
const NO_KEY = failure(401);

/** The account that a key opened. */
export interface Caller {
  readonly account_id: string;
  /** Changes with every write to the account's memories. */
  readonly revision: string;
  /** The last four characters of the key, for the log; a program of the same process needs none. */
  readonly last_four?: string;
}

/**
 * Finds the account of the key in the headers. The store knows the key as it is now, so that a
 * revocation counts on the next request. Every way to fail is the same 401.
 */
export function authenticate(
  store: Store,
  headers: Headers,
  now: number,
): Awaitable<Caller | Failure> {
  const key = presentedKey(headers);
  if (key === undefined) return NO_KEY;
  return andThen(store.apiKey(hashApiKey(key)), (found) => {
    if (!found || found.ends_at <= now) return NO_KEY;
    return {
      account_id: found.account_id,
      revision: found.account_revision,
      last_four: found.last_four,
    };
  });
}

/** Finds an account for a program that embeds the gateway and decides itself who may read it. */
export function open(store: Store, account_id: string): Awaitable<Caller> {
  if (typeof account_id !== 'string') throw noAccount(); // a program without types
  return andThen(store.account(account_id), (found) => {
    if (!found || found.disabled_at !== null) throw noAccount();
    return { account_id, revision: found.revision };
  });
}

function presentedKey(headers: Headers): string | undefined {
  const authorization = valuesOf(headers, 'authorization');
  const [xApiKey, ...more] = valuesOf(headers, 'x-api-key');
  if (authorization.length > 1 || more.length > 0) return undefined;
  const bearer = bearerKey(authorization[0]);
  if (bearer !== undefined && xApiKey !== undefined && bearer !== xApiKey) return undefined;
  const key = bearer ?? xApiKey;
  return key !== undefined && isApiKey(key) ? key : undefined;
}

/** Returns `''`, which is no key, for an Authorization that is neither Bearer KEY nor another scheme. */
function bearerKey(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined;
  // RFC 9110 §11.4: a token, then spaces and what belongs to it; schemes ignore case.
  const scheme = /^([!#$%&'*+.^_`|~0-9a-z-]+)(?: +(.*))?$/i.exec(authorization);
  if (scheme === null) return '';
  return scheme[1]?.toLowerCase() === 'bearer' ? (scheme[2] ?? '') : undefined;
}

function noAccount(): Failure {
  return new Failure(401, 'There is no open account with this id; take ids from "accounts list".');
}
