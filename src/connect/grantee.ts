// The caller of the endpoint for OAuth clients: found by an access token, and by nothing else.

import { hash } from 'node:crypto';

import type { MountContext } from '../gateway/mount.ts';
import type { Caller, NoteKey } from '../gateway/request/auth.ts';
import { valuesOf } from '../gateway/request/headers.ts';
import type { GatewayRequest } from '../gateway/request/request.ts';
import { ResponseFailure } from '../gateway/response/response-failure.ts';
import type { Result } from '../gateway/result.ts';
import { andThen, type Awaitable } from '../lib/async.ts';
import type { AppStore } from '../store/app/app-store.ts';
import type { Addresses } from './addresses.ts';
import { READ_SCOPE } from './metadata.ts';

/** What is needed to find a caller. */
export interface GranteeParts {
  readonly addresses: Addresses;
  readonly gateway: MountContext;
  readonly store: () => Awaitable<AppStore>;
  /** Notes the use of a grant, and what it reads. */
  readonly noteUse: NoteKey;
}

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/**
 * Creates the function that finds the caller of a request, or a 401 that tells a client where to ask the owner
 * (RFC 9728 §5.1). Every refused token gets the same one. A token is looked up for every request, as of the
 * latest commit, so a revoked grant ends with the next one.
 */
export function createFindGrantee(parts: GranteeParts) {
  const { addresses, gateway, store, noteUse } = parts;
  const challenge = `resource_metadata="${addresses.resourceMetadata}", scope="${READ_SCOPE}"`;
  const absent = refusal(
    'Connect a client to this address: it asks the owner by OAuth. API keys work at /mcp.',
    `Bearer ${challenge}`,
  );
  const refused = refusal(
    'This access token does not count any more; refresh it, or ask the owner again.',
    `Bearer error="invalid_token", error_description="The token has expired or was revoked", ${challenge}`,
  );

  return (request: GatewayRequest): Awaitable<Result<Caller>> => {
    const values = valuesOf(request.headers, 'authorization');
    if (values.length === 0) return absent;
    const [, token = ''] =
      /^bearer +(\S+)$/i.exec(values.length === 1 ? (values[0] ?? '') : '') ?? [];
    if (!TOKEN.test(token)) return refused;
    return andThen(store(), ({ grants }) =>
      andThen(grants.findByToken(hash('sha256', token)), (grant): Awaitable<Result<Caller>> => {
        const now = gateway.now();
        // Its audience (RFC 8707 §2): a gateway that has moved does not take the tokens of its old address.
        if (grant === undefined || grant.resource !== addresses.resource || grant.expires_at <= now)
          return refused;
        noteUse(grant.id, now);
        const noteRead = (path: string) => noteUse(grant.id, now, path);
        return andThen(gateway.callerOf(grant.account_id, grant.scope), (caller) => ({
          ...caller,
          noteRead,
        }));
      }),
    );
  };
}

function refusal(detail: string, challenge: string): ResponseFailure {
  return new ResponseFailure(401, detail, { headers: ['www-authenticate', challenge] });
}
