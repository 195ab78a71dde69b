// A scripted OAuth client: discovers a connector from its first 401, asks the owner, and calls tools. Over real HTTP.

import assert from 'node:assert/strict';
import { hash, randomBytes } from 'node:crypto';

import { issued } from '../world/artifacts.ts';

/** How a client makes itself known: by a document at its address, or by registering itself. */
export type Registration = 'document' | 'registration';

/** What a client needs. */
export interface OAuthClientOptions {
  /** The address of the gateway. */
  readonly base: string;
  readonly redirect: string;
  readonly kind: Registration;
  readonly document: string;
}

/** A client. */
export interface OAuthClient {
  /** Where the owner's browser is sent. */
  readonly authorizationUrl: string;
  /** Takes the code out of the address that the browser came back to, and exchanges it. */
  readonly redeem: (url: string) => Promise<void>;
  readonly refresh: () => Promise<void>;
  /** Calls a tool, and returns the text of the response. */
  readonly call: (tool: string) => Promise<string>;
  /** Calls a tool that has to be refused. Returns the challenge. */
  readonly refusal: () => Promise<string>;
}

type Json = Record<string, never>;

async function json(url: string): Promise<Json> {
  const response = await fetch(url);
  assert.equal(response.status, 200, url);
  return (await response.json()) as Json;
}

/** Creates a client of a gateway, which finds everything else by itself. */
export async function createOAuthClient({
  base,
  redirect,
  kind,
  document,
}: OAuthClientOptions): Promise<OAuthClient> {
  const endpoint = `${base}/mcp/connect`;
  const challenge = (await post(endpoint, '{}')).headers.get('www-authenticate') ?? '';
  const [, metadataUrl = ''] = /resource_metadata="([^"]+)"/.exec(challenge) ?? [];
  const { resource, authorization_servers: servers } = await json(metadataUrl);
  assert.equal(resource, endpoint);
  const issuer = new URL(String(servers?.[0]));
  const server = await json(
    `${issuer.origin}/.well-known/oauth-authorization-server${issuer.pathname}`,
  );
  assert.equal(server['issuer'], issuer.href);
  const client_id =
    kind === 'document' ? document : await register(String(server['registration_endpoint']));

  const [verifier, state] = [
    issued(randomBytes(32).toString('base64url')),
    randomBytes(8).toString('hex'),
  ];
  const parameters = new URLSearchParams({
    response_type: 'code',
    client_id,
    redirect_uri: redirect,
    state,
    code_challenge: hash('sha256', verifier, 'base64url'),
    code_challenge_method: 'S256',
    resource: String(resource),
    scope: 'memories:read',
  });
  let tokens = { access_token: '', refresh_token: '' };

  async function register(url: string): Promise<string> {
    const about = { client_name: 'Assistant', redirect_uris: [redirect] };
    const response = await post(url, JSON.stringify(about));
    assert.equal(response.status, 201);
    return String(((await response.json()) as Json)['client_id']);
  }

  async function token(form: Record<string, string>): Promise<void> {
    const body = new URLSearchParams({ client_id, ...form });
    const response = await fetch(String(server['token_endpoint']), { method: 'POST', body });
    assert.equal(response.status, 200, await response.clone().text());
    tokens = (await response.json()) as typeof tokens;
    issued(tokens.access_token);
    issued(tokens.refresh_token);
  }

  const ask = (tool: string) =>
    post(
      endpoint,
      JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: tool, arguments: {} },
      }),
      { authorization: `Bearer ${tokens.access_token}`, accept: 'application/json' },
    );

  return {
    authorizationUrl: `${String(server['authorization_endpoint'])}?${String(parameters)}`,
    async redeem(url) {
      const { searchParams } = new URL(url);
      assert.equal(searchParams.get('state'), state);
      assert.equal(searchParams.get('iss'), issuer.href);
      const code = searchParams.get('code') ?? '';
      await token({
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirect,
        code_verifier: verifier,
        resource: String(resource),
      });
    },
    refresh: () => token({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token }),
    async call(tool) {
      const response = await ask(tool);
      assert.equal(response.status, 200);
      return response.text();
    },
    async refusal() {
      const response = await ask('list_memories');
      assert.equal(response.status, 401);
      return response.headers.get('www-authenticate') ?? '';
    },
  };
}

function post(url: string, body: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
}
