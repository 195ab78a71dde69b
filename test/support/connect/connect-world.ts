// A gateway with connectors, the owner's browser, and scripted OAuth clients, for tests.

import assert from 'node:assert/strict';
import { hash, randomBytes } from 'node:crypto';
import type { TestContext } from 'node:test';

import { createConnector } from '../../../src/connect/connector.ts';
import type { FetchDocument } from '../../../src/connect/fetch-document.ts';
import { createAppWorld, type AppWorld, type TestBrowser } from '../app/app-world.ts';
import { send, type WireAnswer } from '../wire/wire.ts';
import { issued } from '../world/artifacts.ts';

/** The public address of the gateway. */
export const PUBLIC = 'https://memories.example';

/** Where the client of most tests gets its codes. */
export const REDIRECT = 'https://assistant.example/callback';

/** The address of the document of a client, and what a test serves there. */
export const DOCUMENT_URL = 'https://assistant.example/client.json';

type Json = ReturnType<typeof JSON.parse>;

/** A gateway with connectors. */
export interface ConnectWorld extends AppWorld {
  /** The documents of clients, by their addresses. */
  readonly documents: Map<string, unknown>;
  /** The addresses of documents that were fetched. */
  readonly fetched: string[];
  /** Sends a request to the public address. */
  readonly ask: (method: string, path: string, more?: AskOptions) => Promise<WireAnswer>;
  /** The owner's browser, at the public address. */
  readonly owner: (account_id?: string) => Promise<TestBrowser>;
}

/** What a request has besides its method and path. */
export interface AskOptions {
  readonly headers?: Record<string, string>;
  readonly form?: Record<string, string>;
  readonly json?: unknown;
}

/** How a gateway differs from that of most tests. */
export interface ConnectWorldOptions {
  readonly baseUrl?: string;
  /** Fetches documents in place of `documents`. */
  readonly fetchDocument?: FetchDocument;
  /** Whether the paths that grants read are kept. */
  readonly keyLog?: boolean;
}

/** Creates a gateway with connectors. */
export async function createConnectWorld(
  t: TestContext,
  { baseUrl = PUBLIC, fetchDocument, keyLog = false }: ConnectWorldOptions = {},
): Promise<ConnectWorld> {
  const documents = new Map<string, unknown>([[DOCUMENT_URL, describeClient()]]);
  const fetched: string[] = [];
  const connector = createConnector({
    fetchDocument:
      fetchDocument ??
      (async (url) => {
        fetched.push(url);
        const found = documents.get(url);
        return found === undefined
          ? new Response('', { status: 404 })
          : new Response(JSON.stringify(found), {
              headers: { 'content-type': 'application/json' },
            });
      }),
  });
  const world = await createAppWorld(t, { app: { connect: connector, keyLog }, baseUrl });
  const { origin } = new URL(baseUrl);
  const ask: ConnectWorld['ask'] = (method, path, { headers = {}, form, json } = {}) => {
    const [type, body] =
      form !== undefined
        ? ['application/x-www-form-urlencoded', String(new URLSearchParams(form))]
        : json !== undefined
          ? ['application/json', JSON.stringify(json)]
          : [undefined, undefined];
    const all = { host: new URL(origin).host, ...(type && { 'content-type': type }), ...headers };
    return send(world.port, { method, path, headers: all, body });
  };
  const owner = (account_id = 'ana') => world.signIn(account_id, { origin });
  return { ...world, documents, fetched, ask, owner };
}

/** The document of a client. */
export function describeClient(more: object = {}): object {
  return {
    client_id: DOCUMENT_URL,
    client_name: 'Assistant',
    redirect_uris: [REDIRECT],
    token_endpoint_auth_method: 'none',
    ...more,
  };
}

/** An authorization request and its secret. */
export interface Authorization {
  readonly query: string;
  readonly verifier: string;
  readonly state: string;
}

/** Creates an authorization request. Parameters that are undefined are left out. */
export function authorization(more: Record<string, string | undefined> = {}): Authorization {
  const verifier = issued(randomBytes(32).toString('base64url'));
  const state = randomBytes(8).toString('hex');
  const parameters = {
    response_type: 'code',
    client_id: DOCUMENT_URL,
    redirect_uri: REDIRECT,
    state,
    code_challenge: hash('sha256', verifier, 'base64url'),
    code_challenge_method: 'S256',
    resource: `${PUBLIC}/mcp/connect`,
    ...more,
  };
  const given = Object.entries(parameters).filter(
    (each): each is [string, string] => each[1] !== undefined,
  );
  return { query: String(new URLSearchParams(given)), verifier, state };
}

/** What the owner chooses unless a test says otherwise. */
export const CHOICE = {
  account: 'ana',
  reads: 'all',
  started_after: null,
  started_before: null,
  days: 30,
};

/** Lets the owner allow a request, and returns where the browser goes. */
export async function allow(owner: TestBrowser, query: string, choice: object = {}): Promise<URL> {
  const answer = await owner.post('/consents', { query, ...CHOICE, ...choice });
  assert.equal(answer.status, 200, answer.text);
  return new URL(JSON.parse(answer.text).location);
}

/** Tokens of a client. */
export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

/** Exchanges a code. */
export function exchange(
  { ask }: ConnectWorld,
  { verifier }: Authorization,
  back: URL,
  more: Record<string, string | undefined> = {},
): Promise<WireAnswer> {
  const form = {
    grant_type: 'authorization_code',
    client_id: DOCUMENT_URL,
    redirect_uri: REDIRECT,
    code: back.searchParams.get('code') ?? '',
    code_verifier: verifier,
    resource: `${PUBLIC}/mcp/connect`,
    ...more,
  };
  const given = Object.entries(form).filter(
    (each): each is [string, string] => each[1] !== undefined,
  );
  return ask('POST', '/oauth/token', { form: Object.fromEntries(given) });
}

/** Refreshes tokens. */
export function refresh(
  { ask }: ConnectWorld,
  refresh_token: string,
  more: object = {},
): Promise<WireAnswer> {
  const form = { grant_type: 'refresh_token', client_id: DOCUMENT_URL, refresh_token, ...more };
  return ask('POST', '/oauth/token', { form });
}

/** Connects a client in whole, and returns its tokens. */
export async function connect(
  world: ConnectWorld,
  owner: TestBrowser,
  choice: object = {},
  parameters: Record<string, string> = {},
): Promise<Tokens> {
  const asked = authorization(parameters);
  const back = await allow(owner, asked.query, choice);
  const { client_id = DOCUMENT_URL, redirect_uri = REDIRECT } = parameters;
  return readTokens(await exchange(world, asked, back, { client_id, redirect_uri }));
}

/** Reads the tokens of a response. */
export function readTokens(answer: WireAnswer): Tokens {
  assert.equal(answer.status, 200, answer.text);
  const tokens = JSON.parse(answer.text) as Tokens;
  issued(tokens.access_token);
  issued(tokens.refresh_token);
  return tokens;
}

/** Calls a tool with an access token. */
export async function callTool(
  { ask }: ConnectWorld,
  token: string,
  name: string,
  args: object = {},
): Promise<WireAnswer & { readonly result: Json }> {
  const answer = await ask('POST', '/mcp/connect', {
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/json',
      'mcp-protocol-version': '2025-06-18',
    },
    json: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
  });
  return { ...answer, result: answer.status === 200 ? JSON.parse(answer.text).result : undefined };
}
