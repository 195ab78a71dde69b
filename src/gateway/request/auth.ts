// Authentication: finds the account of the API key in a request's headers. Nothing else decides the account.

import { Failure } from '../../contract/failure.ts';
import { failure } from '../../contract/statuses.ts';
import { andThen, type Awaitable } from '../../lib/async.ts';
import { hashApiKey, isApiKey } from '../../store/accounts/api-key.ts';
import type { Scope } from '../../store/scope.ts';
import type { Store } from '../../store/store.ts';
import type { Result } from '../result.ts';
import type { Headers } from './headers.ts';
import type { GatewayRequest } from './request.ts';

/** The 401 of every refused key. */
const INVALID_KEY = failure(401);

/** The account that a request reads. */
export interface Caller {
  readonly account_id: string;
  /** Changes with every write to the account's memories. */
  readonly revision: string;
  /** The last four characters of the key, for the log. A program in the same process has none. */
  readonly last_four?: string;
  /** The SHA-256 of the key, if there is one. */
  readonly key_sha256?: string;
  /** What the caller may read of the account. Undefined: everything. */
  readonly scope?: Scope | undefined;
  /** Notes what an OAuth client reads. Default: the notes of its key. */
  readonly noteRead?: (path: string) => void;
}

/** Returns the account of a request, or why it has none. `path` is what it reads, if that is known before its body. */
export type Authenticate = (
  request: Pick<GatewayRequest, 'headers' | 'clientIp'>,
  path?: string,
) => Awaitable<Result<Caller>>;

/** Notes the use of a key, by its SHA-256, at a time in milliseconds since 1970, and the path that is read. */
export type NoteKey = (keySha256: string, at: number, path?: string) => void;

/** The clock that ends keys, in milliseconds since 1970, and who notes their use. */
export interface KeyOptions {
  readonly now: () => number;
  readonly keyNotes: readonly NoteKey[];
}

/**
 * Creates the function that returns the account of the key in the headers, or a 401 that is the same for every
 * reason. The store returns the key as of the latest commit, so that a revocation takes effect on the next request.
 */
export function createAuthenticate(store: Store, { now, keyNotes }: KeyOptions): Authenticate {
  return ({ headers }, path) => {
    const key = readKey(headers);
    if (key === undefined) return INVALID_KEY;
    const keySha256 = hashApiKey(key);
    const at = now();
    return andThen(store.apiKey(keySha256, at), (found) => {
      if (!found || found.ends_at <= at) return INVALID_KEY;
      for (const note of keyNotes) note(keySha256, at, path);
      return {
        account_id: found.account_id,
        revision: found.account_revision,
        last_four: found.last_four,
        key_sha256: keySha256,
        scope: found.scope,
      };
    });
  };
}

/** Finds an account for a program that embeds the gateway and decides by itself who may read it. Throws a 401. */
export function findAccount(store: Store, account_id: string): Awaitable<Caller> {
  if (typeof account_id !== 'string') throw noAccount(); // from a program without types
  return andThen(store.account(account_id), (found) => {
    if (!found || found.disabled_at !== null) throw noAccount();
    return { account_id, revision: found.revision };
  });
}

function noAccount(): Failure {
  return new Failure(
    401,
    'There is no enabled account with this id; "memory-gateway accounts list" shows the ids.',
  );
}

function readKey(headers: Headers): string | undefined {
  const authorization = headers.get('authorization');
  const xApiKey = headers.get('x-api-key');
  if ((authorization?.length ?? 0) > 1 || (xApiKey?.length ?? 0) > 1) return undefined;
  const bearer = readBearer(authorization?.[0]);
  const own = xApiKey?.[0];
  if (bearer !== undefined && own !== undefined && bearer !== own) return undefined;
  const key = bearer ?? own;
  return key !== undefined && isApiKey(key) ? key : undefined;
}

/** Returns undefined for another scheme, and `''`, which is no valid key, for a malformed header. */
function readBearer(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined;
  // RFC 9110 §11.4: a scheme in any case, then spaces and its credentials.
  const match = /^([!#$%&'*+.^_`|~0-9a-z-]+)(?: +(.*))?$/i.exec(authorization);
  if (match === null) return '';
  return match[1]?.toLowerCase() === 'bearer' ? (match[2] ?? '') : undefined;
}
