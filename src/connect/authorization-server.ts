// The authorization server: authorization requests of clients, decided by the owner, and the endpoints of clients.

import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import type { AdapterPayload, Context, Provider } from 'oidc-provider';

import type { ClientToAllow, LookedAt } from '../app/server/connector.ts';
import type { Log } from '../gateway/log.ts';
import type { Awaitable } from '../lib/async.ts';
import type { AppStore } from '../store/app/app-store.ts';
import { createAdapter } from './adapter.ts';
import type { Addresses } from './addresses.ts';
import { callServer, type ServerReply, type ServerRequest } from './call.ts';
import { isLoopbackRedirect, readClientName, placeOf } from './client-rules.ts';
import type { FetchDocument } from './fetch-document.ts';
import { READ_SCOPE } from './metadata.ts';
import { createConnectSettings, type Decision } from './settings.ts';

/** What the server is made of. */
export interface ServerParts {
  readonly addresses: Addresses;
  readonly store: () => Awaitable<AppStore>;
  readonly fetchDocument: FetchDocument;
  readonly log: Log;
}

/** The grant that a request is allowed with. */
export interface AllowedGrant {
  readonly id: string;
  readonly account_id: string;
  readonly client_id: string;
}

/** The server. */
export interface AuthorizationServer {
  /** Runs a request of a client for the token, registration or revocation endpoint. */
  readonly call: (request: ServerRequest) => Promise<ServerReply>;
  /** Returns whether a text is a code or token of a grant that has not ended. */
  readonly hasIssued: (text: string) => Promise<boolean>;
  /** Looks at an authorization request. */
  readonly look: (query: string) => Promise<LookedAt>;
  /** Answers an authorization request: with a code for a grant, or with a refusal if there is none. */
  readonly answer: (query: string, grant: AllowedGrant | null) => Promise<LookedAt | string>;
}

/**
 * The parameters of an authorization request. Others do not exist for the server (RFC 6749 §3.1). `response_mode` is
 * one of them: every answer is an address with a query, as the metadata says.
 */
const PARAMETERS = new Set([
  'response_type',
  'client_id',
  'redirect_uri',
  'state',
  'code_challenge',
  'code_challenge_method',
  'resource',
]);

/** Loads the library and creates the server. */
export async function createAuthorizationServer(parts: ServerParts): Promise<AuthorizationServer> {
  const { addresses, store, log } = parts;
  const oidc = await import('./oidc.ts');
  const decided = new Map<string, AdapterPayload>();
  const decisions = new WeakMap<IncomingMessage, Decision>();
  const settings = createConnectSettings({
    ...parts,
    oidc,
    adapter: createAdapter({ store, errors: oidc.errors, decided }),
    decisionOf: (request) => decisions.get(request),
    mayFetch: async (context, clientId) =>
      decisions.has(context.req) || (await holdsToken(await store(), context, clientId)),
  });
  const provider: Provider = new oidc.Provider(addresses.issuer, settings);
  provider.silent = true;
  provider.on('server_error', (_: Context, error: unknown) => {
    log.error({ route: 'oauth', err: error }, 'request of an OAuth client failed');
  });
  provider.on('authorization.error', (_: Context, { cause }: Error) => {
    // The page says only that it failed, so that nobody explores a network with it.
    if (cause instanceof Error)
      log.warn?.({ route: 'oauth', err: cause }, 'the document of an OAuth client is not usable');
  });

  async function authorize(query: string, decision: Decision, headers = {}): Promise<ServerReply> {
    const target = `/authorize?${parametersOf(query)}`;
    return callServer(provider, { method: 'GET', target, headers }, (request) => {
      decisions.set(request, decision);
    });
  }

  async function allow(query: string, grant: AllowedGrant): Promise<ServerReply> {
    // To the server, the owner's decision is a session that has this one grant.
    const id = randomUUID();
    const session = { jti: id, uid: id, kind: 'Session', accountId: grant.account_id };
    const seconds = Math.floor(Date.now() / 1000);
    const authorizations = { [grant.client_id]: { grantId: grant.id, sid: id } };
    decided.set(id, { ...session, loginTs: seconds, exp: seconds + 60, authorizations });
    try {
      return await authorize(query, { what: 'allow' }, { cookie: `_session=${id}` });
    } finally {
      decided.delete(id);
    }
  }

  return {
    call: (request) => callServer(provider, request),
    hasIssued: async (text) => (await (await store()).grantTokens.find(text)) !== undefined,
    async look(query) {
      const decision: Decision = { what: 'look' };
      const reply = await authorize(query, decision);
      const { client, redirectUri } = decision;
      if (client === undefined || redirectUri === undefined) return toProblem(reply);
      return { client: toClient(client.clientId, client.clientName, redirectUri) };
    },
    async answer(query, grant) {
      const reply = await (grant === null
        ? authorize(query, { what: 'deny' })
        : allow(query, grant));
      const { location } = reply.headers;
      return reply.status === 303 && typeof location === 'string' ? location : toProblem(reply);
    },
  };
}

/** Whether a request has a code or token of the client that it names, so that somebody has allowed this client. */
async function holdsToken(
  { grantTokens, grants }: AppStore,
  { oidc: { params } }: Context,
  clientId: string,
): Promise<boolean> {
  const token = params?.['code'] ?? params?.['refresh_token'] ?? params?.['token'];
  const found = typeof token === 'string' ? await grantTokens.find(token) : undefined;
  const grant = found && (await grants.get(found.grant_id));
  return grant?.client_id === clientId;
}

function parametersOf(query: string): string {
  const given = [...new URLSearchParams(query)].filter(([name]) => PARAMETERS.has(name));
  return String(new URLSearchParams([...given, ['scope', READ_SCOPE]]));
}

function toClient(id: string, name: string | undefined, redirectUri: string): ClientToAllow {
  const document = URL.parse(id);
  return {
    id,
    name: readClientName(name),
    redirect: placeOf(redirectUri),
    is_local: isLoopbackRedirect(redirectUri),
    is_verified: document !== null && document.origin === new URL(redirectUri).origin,
  };
}

/** Returns the fault of a request, from the page of the server, or from the address that it would send the browser to. */
function toProblem({ headers: { location }, body }: ServerReply): LookedAt {
  if (typeof location === 'string' && URL.canParse(location)) {
    const { searchParams, hash } = new URL(location);
    // A response type of tokens has its faults in the fragment (OAuth 2.0 Multiple Response Types §5).
    const said = [...new URLSearchParams(hash.slice(1)), ...searchParams];
    return { problem: say(Object.fromEntries(said)), back: location };
  }
  return { problem: say(JSON.parse(body.toString() || '{}') as Said), back: null };
}

type Said = Readonly<Record<string, unknown>>;

function say({ error = 'server_error', error_description: description = '' }: Said): string {
  return description === '' ? String(error) : `${String(description)} (${String(error)})`;
}
