// The settings of the authorization server: the few features that connectors use, and what is decided by us.

import { generateKeyPairSync } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import type { Adapter, Client, ClientMetadata, Configuration, Context } from 'oidc-provider';
import { v4 as uuid } from 'uuid';

import type { Awaitable } from '../lib/async.ts';
import type { AppStore } from '../store/app/app-store.ts';
import type { Addresses } from './addresses.ts';
import { adoptMetadata } from './client-rules.ts';
import type { FetchDocument } from './fetch-document.ts';
import { CLIENT_AUTH_ALGORITHMS, CLIENT_AUTH_METHODS, READ_SCOPE } from './metadata.ts';
import type * as oidc from './oidc.ts';

/** How long codes and access tokens live, in seconds. Refresh tokens live as long as their grant. */
const CODE_SECONDS = 60;
const ACCESS_SECONDS = 3600;

/** What a call of the authorization endpoint is for. */
export interface Decision {
  /** `look`: the owner has not decided yet. */
  readonly what: 'look' | 'allow' | 'deny';
  /** The client, once the request has passed all checks. */
  client?: Client;
  redirectUri?: string;
}

/** What the settings are made of. */
export interface SettingsParts {
  readonly oidc: typeof oidc;
  readonly addresses: Addresses;
  readonly store: () => Awaitable<AppStore>;
  readonly adapter: (kind: string) => Adapter;
  /** The decision that belongs to a request. Requests of other endpoints have none. */
  readonly decisionOf: (request: IncomingMessage) => Decision | undefined;
  readonly fetchDocument: FetchDocument;
  /** Returns whether the document of a client may be fetched now. */
  readonly mayFetch: (context: Context, clientId: string) => Promise<boolean>;
}

/** Creates the settings. */
export function createConnectSettings(parts: SettingsParts): Configuration {
  const { adapter, fetchDocument } = parts;
  return {
    adapter,
    // No token of ours is signed, but the server wants a key.
    jwks: {
      keys: [
        generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }),
      ],
    },
    clientAuthMethods: [...CLIENT_AUTH_METHODS],
    clientDefaults: { token_endpoint_auth_method: 'none', id_token_signed_response_alg: 'ES256' },
    enabledJWA: { clientAuthSigningAlgValues: [...CLIENT_AUTH_ALGORITHMS] },
    extraClientMetadata: clientRules(parts),
    responseTypes: ['code'],
    scopes: [],
    subjectTypes: ['public'],
    pkce: { required: () => true },
    // A code belongs to its address (RFC 6749 §4.1.3).
    allowOmittingSingleRegisteredRedirectUri: false,
    rotateRefreshToken: true,
    issueRefreshToken: () => true,
    expiresWithSession: () => false,
    revokeGrantPolicy: () => true,
    enableHttpPostMethods: false,
    cookies: { long: { signed: false }, short: { signed: false } },
    ttl: lifetimes(),
    routes: {
      authorization: '/authorize',
      token: '/token',
      registration: '/register',
      revocation: '/revoke',
    },
    features: features(parts),
    interactions: { policy: ownersPage(parts), url: () => '/' },
    findAccount: async (_: Context, id: string) => {
      const { accounts } = await parts.store();
      const found = await accounts.find(id);
      // An account may have the name of another's id.
      return found?.id === id ? { accountId: id, claims: async () => ({ sub: id }) } : undefined;
    },
    renderError: (context: Context, out: object) => {
      context.type = 'json';
      context.body = JSON.stringify(out);
    },
    fetch: (address: string | URL, options: RequestInit) => fetchDocument(String(address), options),
  };
}

function features({ oidc: { errors }, addresses, mayFetch }: SettingsParts) {
  return {
    devInteractions: { enabled: false },
    userinfo: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    claimsParameter: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    dPoP: { enabled: false },
    registration: { enabled: true, idFactory: () => uuid(), issueRegistrationAccessToken: false },
    revocation: {
      enabled: true,
      allowedPolicy: (_: Context, client: Client, token: Pick<Client, 'clientId'>) =>
        token.clientId === client.clientId,
    },
    clientIdMetadataDocument: { enabled: true, ack: 'draft-02', allowFetch: mayFetch },
    resourceIndicators: {
      enabled: true,
      // Clients from before RFC 8707 name none, and there is only one.
      defaultResource: () => addresses.resource,
      useGrantedResource: () => true,
      getResourceServerInfo: (_: Context, resource: string) => {
        if (resource !== addresses.resource)
          throw new errors.InvalidTarget(`the resource has to be ${addresses.resource}`);
        return { scope: READ_SCOPE, accessTokenFormat: 'opaque', accessTokenTTL: ACCESS_SECONDS };
      },
    },
  };
}

function clientRules({ oidc: { errors } }: SettingsParts) {
  return {
    // Called once for each client: with all that it says, before the server checks it.
    properties: ['redirect_uris'],
    validator: (_: Context, __: string, ___: unknown, metadata: ClientMetadata) => {
      const fault = adoptMetadata(metadata);
      if (fault !== undefined) throw new errors.InvalidClientMetadata(fault);
    },
  };
}

/** How long the grant of a request still lives, in seconds. */
const ofGrant = ({ oidc: { entities } }: Context) =>
  Math.max(1, (entities.Grant?.exp ?? 0) - Math.floor(Date.now() / 1000));

/** No token outlives its grant. */
function lifetimes() {
  return {
    AuthorizationCode: CODE_SECONDS,
    AccessToken: (context: Context) => Math.min(ACCESS_SECONDS, ofGrant(context)),
    RefreshToken: ofGrant,
    Session: CODE_SECONDS,
    Interaction: CODE_SECONDS,
    Grant: CODE_SECONDS,
    IdToken: CODE_SECONDS,
  };
}

/** Every request waits for the owner, whatever was allowed before. */
function ownersPage({ oidc: { errors, interactionPolicy }, decisionOf }: SettingsParts) {
  const { Prompt, Check } = interactionPolicy;
  const check = new Check('undecided', 'the owner has to decide', 'consent_required', (context) => {
    const decision = decisionOf(context.req);
    if (decision?.what === 'deny') throw new errors.AccessDenied('the owner has denied it');
    const { client, params } = context.oidc;
    if (decision !== undefined && client !== undefined) {
      decision.client = client;
      decision.redirectUri = String(params?.['redirect_uri']);
    }
    return decision?.what !== 'allow';
  });
  return [
    new Prompt({ name: 'login', requestable: true }),
    new Prompt({ name: 'consent', requestable: true }, check),
  ];
}
