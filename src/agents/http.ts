// The HTTP entry point for agents: one POST with a JSON-RPC message, one response, in both eras of the protocol.

import type { McpServerFactory } from '@modelcontextprotocol/server';
import * as v from 'valibot';

import { once } from '../lib/once.ts';
import { checkMessage, isNamed, Modern, rpcError } from './message.ts';
import type { Sdk, ServerCall } from './server.ts';
import { createMcpServer } from './server.ts';

/** A POST whose key and origin were checked. */
export interface McpRequest {
  readonly body: Uint8Array;
  /** The headers of the request that the protocol knows, one value each. */
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** A response in whole. */
export interface McpResponse {
  readonly status: number;
  readonly type: string | undefined;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** Answers a POST. Rejects only with errors of the program. */
export type McpHandler = (request: McpRequest, call: ServerCall) => Promise<McpResponse>;

/** Creates the server of a request from the SDK and what is known about the call. */
export type CreateServer = (sdk: Sdk, call: ServerCall) => ReturnType<typeof createMcpServer>;

const URL_OF_NO_USE = 'http://gateway/mcp';
const decoder = new TextDecoder('utf-8', { fatal: true });
const encoder = new TextEncoder();

/** A message of JSON-RPC 2.0, as the protocol narrows it: parameters have names. A response has no method. */
const Message = v.object({
  jsonrpc: v.literal('2.0'),
  id: v.optional(v.union([v.string(), v.pipe(v.number(), v.safeInteger())])),
  method: v.optional(v.string()),
  params: v.optional(v.custom<object>(isNamed)),
});

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

/** How deep JSON may be nested. The SDK reads it recursively. */
const MAX_DEPTH = 100;

/** Creates the entry point. The SDK is loaded by its first request. */
export function createMcpHandler(create: CreateServer = createMcpServer): McpHandler {
  const loaded = once(async () => {
    const sdk = await import('./sdk.ts');
    const factory: McpServerFactory = ({ authInfo }) =>
      create(sdk, authInfo?.extra?.['call'] as ServerCall);
    return { sdk, handler: sdk.createMcpHandler(factory, { maxSubscriptions: 0, keepAliveMs: 0 }) };
  });

  return async ({ body, headers, signal }, call) => {
    const message = parse(body);
    if (message === undefined)
      return refuse(PARSE_ERROR, 'Send one JSON-RPC message as JSON in UTF-8.');
    if (Array.isArray(message) || typeof message !== 'object' || message === null)
      return refuse(INVALID_REQUEST, 'Send one JSON-RPC message; batches are not supported.');
    if (isDeeper(message, MAX_DEPTH))
      return refuse(INVALID_REQUEST, `Nest the message at most ${MAX_DEPTH} levels deep.`);
    if (!v.is(Message, message))
      return refuse(
        INVALID_REQUEST,
        'Send "jsonrpc": "2.0", a method, an id that is text or a whole number, and params with names.',
      );
    const checked = checkMessage(message);
    if ('error' in checked) return answer(200, checked);
    const { sdk, handler } = await loaded();
    const accept = headers['accept'] ?? '';
    const request = new Request(URL_OF_NO_USE, {
      method: 'POST',
      headers: { ...headers, accept: 'application/json, text/event-stream' },
      signal,
    });
    const authInfo = { token: '', clientId: '', scopes: [], extra: { call } };
    const options = { parsedBody: checked, authInfo };
    if (accept.includes('text/event-stream') || !isOld(message))
      return read(await handler.fetch(request, options));
    // A client of the old era that takes no event stream gets JSON.
    const transport = new sdk.WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: undefined,
      enableJsonResponse: true,
    });
    const server = create(sdk, call);
    await server.connect(transport);
    try {
      return await read(await transport.handleRequest(request, options));
    } finally {
      await server.close();
    }
  };
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(body));
  } catch {
    return undefined;
  }
}

/** Returns whether a message is of the era that begins with `initialize`: it carries no version. */
function isOld(message: object): boolean {
  return !v.is(Modern, message);
}

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((each) => isDeeper(each, depth - 1));
}

async function read(response: Response): Promise<McpResponse> {
  return {
    status: response.status,
    type: response.headers.get('content-type') ?? undefined,
    body: new Uint8Array(await response.arrayBuffer()),
  };
}

function refuse(code: number, message: string): McpResponse {
  return answer(400, rpcError(code, message));
}

function answer(status: number, body: object): McpResponse {
  return { status, type: 'application/json', body: encoder.encode(JSON.stringify(body)) };
}
