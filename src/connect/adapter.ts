// Where the authorization server keeps its records: grants, tokens and registered clients in the app's store.

import { LRUCache } from 'lru-cache';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import * as v from 'valibot';

import type { Awaitable } from '../lib/async.ts';
import type { AppStore } from '../store/app/app-store.ts';
import type { GrantRecord, TokenKind } from '../store/app/connect/connect-store.ts';
import { Refusal } from '../store/refusal.ts';
import { READ_SCOPE } from './metadata.ts';
import type * as oidc from './oidc.ts';

/** An adapter without the methods that only other features need. */
type Records = Pick<Adapter, 'upsert' | 'find' | 'consume' | 'destroy' | 'revokeByGrantId'>;

/** The records of one kind that nobody keeps. */
const NONE: Records = {
  upsert: async () => {},
  find: async () => undefined,
  consume: async () => {},
  destroy: async () => {},
  revokeByGrantId: async () => {},
};

const KINDS: Readonly<Record<string, TokenKind>> = {
  AuthorizationCode: 'code',
  AccessToken: 'access',
  RefreshToken: 'refresh',
};

/** How many proofs of clients are remembered, so that none is used twice. */
const MAX_PROOFS = 10_000;

const Payload = v.record(v.string(), v.unknown());

/** What an adapter works with. */
export interface AdapterParts {
  readonly store: () => Awaitable<AppStore>;
  readonly errors: typeof oidc.errors;
  /** The sessions of requests that are running: each is one decision of an owner. */
  readonly decided: ReadonlyMap<string, AdapterPayload>;
}

/** Creates the function that returns the records of a kind. */
export function createAdapter(parts: AdapterParts): (kind: string) => Adapter {
  const proofs = createProofs();
  return (kind) => Object.assign({ findByUid: none, findByUserCode: none }, recordsOf(kind));

  function recordsOf(kind: string): Records {
    const token = KINDS[kind];
    if (token !== undefined) return createTokens(parts, kind, token);
    if (kind === 'Grant') return createGrants(parts);
    if (kind === 'Client') return createClients(parts);
    if (kind === 'ReplayDetection') return proofs;
    if (kind === 'Session') return { ...NONE, find: async (id) => parts.decided.get(id) };
    // An interaction is the owner's page, which has the whole request in its address.
    return NONE;
  }
}

async function none(): Promise<undefined> {}

/** Codes and tokens. Their id is their text, which is neither stored nor part of the payload. */
function createTokens({ store, errors }: AdapterParts, kind: string, token: TokenKind): Records {
  const endGrant = async (id: string) => (await store()).grants.end(id);
  return {
    async upsert(id, { jti: _, ...payload }) {
      const { grantId = '', accountId = '', exp = 0 } = payload;
      const owner = { grant_id: grantId, account_id: accountId };
      const added = await (
        await store()
      ).grantTokens.add({
        ...owner,
        token: id,
        kind: token,
        payload: JSON.stringify(payload),
        expires_at: exp * 1000,
      });
      if (!added) throw new errors.InvalidGrant('the grant has ended');
    },
    async find(id) {
      const found = await (await store()).grantTokens.find(id);
      if (found?.kind !== token) return undefined;
      const payload = v.parse(Payload, JSON.parse(found.payload));
      return { ...payload, jti: id, kind, ...(found.used_at === null ? {} : { consumed: true }) };
    },
    async consume(id) {
      const { grantTokens } = await store();
      if (await grantTokens.use(id)) return;
      // Of two requests with one token, the second comes from somebody else (RFC 9700 §4.14.2).
      const found = await grantTokens.find(id);
      if (found !== undefined) await endGrant(found.grant_id);
      throw new errors.InvalidGrant('it was used before');
    },
    destroy: async (id) => (await store()).grantTokens.remove(id),
    revokeByGrantId: endGrant,
  };
}

/** Grants. The owner's page creates them, the authorization server only finds and ends them. */
function createGrants({ store }: AdapterParts): Records {
  return {
    ...NONE,
    async find(id) {
      const grant = await (await store()).grants.get(id);
      return grant && toPayload(grant);
    },
    destroy: async (id) => (await store()).grants.end(id),
  };
}

function toPayload(grant: GrantRecord): AdapterPayload {
  return {
    jti: grant.id,
    kind: 'Grant',
    accountId: grant.account_id,
    clientId: grant.client_id,
    resources: { [grant.resource]: READ_SCOPE },
    iat: Math.floor(grant.created_at / 1000),
    exp: Math.floor(grant.expires_at / 1000),
  };
}

/** What is stored of a registered client. Everything else has its default. */
const REGISTERED = ['client_name', 'client_uri', 'redirect_uris'] as const;

function createClients({ store, errors }: AdapterParts): Records {
  return {
    ...NONE,
    async upsert(id, payload) {
      const given = REGISTERED.filter((name) => payload[name] !== undefined);
      const metadata = JSON.stringify(
        Object.fromEntries(given.map((name) => [name, payload[name]])),
      );
      try {
        await (await store()).oauthClients.create({ id, metadata });
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        throw new errors.CustomOIDCProviderError('temporarily_unavailable', error.message);
      }
    },
    async find(id) {
      const found = v.is(v.pipe(v.string(), v.uuid()), id)
        ? await (await store()).oauthClients.find(id)
        : undefined;
      if (found === undefined) return undefined;
      const metadata = v.parse(Payload, JSON.parse(found.metadata));
      const issued = Math.floor(found.created_at / 1000);
      return { ...metadata, client_id: id, client_id_issued_at: issued };
    },
  };
}

/** The proofs that clients have signed, until they expire. Each process has its own. */
function createProofs(): Records {
  const proofs = new LRUCache<string, AdapterPayload>({ max: MAX_PROOFS, ttlAutopurge: false });
  return {
    ...NONE,
    upsert: async (id, payload, seconds) => {
      proofs.set(id, payload, { ttl: seconds * 1000 });
    },
    find: async (id) => proofs.get(id),
  };
}
