// The endpoint for agents, POST /mcp: checks origin, key, method and body, and loads the rest with its first request.

import * as v from 'valibot';

import type { McpHandler, McpResponse } from '../../agents/http.ts';
import type { Api } from '../../contract/api.ts';
import { Failure } from '../../contract/failure.ts';
import { MemoryId } from '../../contract/schemas/memory.ts';
import { andThen, type Awaitable } from '../../lib/async.ts';
import { isLoopback } from '../../lib/loopback.ts';
import { once } from '../../lib/once.ts';
import type { Scope } from '../../store/scope.ts';
import type { Caller, NoteKey } from '../request/auth.ts';
import { readBody } from '../request/body.ts';
import { answerPreflight, type Sendable } from '../request/cors.ts';
import { type Headers, valuesOf } from '../request/headers.ts';
import type { GatewayRequest } from '../request/request.ts';
import { signalOf } from '../request/transport.ts';
import type { Content } from '../response/http-response.ts';
import type { Report } from '../response/report.ts';
import { ResponseFailure } from '../response/response-failure.ts';
import type { Result } from '../result.ts';

/** The path of the endpoint. */
export const MCP_PATH = '/mcp';

/** The longest message, in bytes. */
const MAX_BODY = 64 * 1024;

/** The headers that the protocol knows. Others, with keys among them, are not passed on. */
const PASSED = [
  'accept',
  'content-type',
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
  'mcp-session-id',
];

/** What a page of an allowed origin may send. */
const CALLS: Sendable = {
  methods: 'POST',
  headers:
    'authorization, x-api-key, content-type, mcp-protocol-version, mcp-method, mcp-name, mcp-session-id',
};

/** Returns the caller of a request, or why it has none. */
export type FindCaller = (request: GatewayRequest) => Awaitable<Result<Caller>>;

/** What the endpoint uses of its gateway. */
export interface McpOptions {
  readonly findCaller: FindCaller;
  /** Returns the API of an account whose credential was checked, with its scope. */
  readonly apiOf: (account_id: string, scope: Scope | undefined) => Api;
  readonly report: Report;
  readonly now: () => number;
  readonly keyNotes: readonly NoteKey[];
  /** Lets other requests run. */
  readonly pause: () => Promise<void>;
  readonly allowOrigins: readonly string[];
  /** The configured base URL. */
  readonly base: string;
  /** Returns whether the app shows memories. */
  readonly hasReader: () => boolean;
}

/** Answers a request of an agent. Without `find`, an API key decides who calls. May throw or reject. */
export type HandleMcp = (request: GatewayRequest, find?: FindCaller) => Awaitable<Result<Content>>;

/** Creates the endpoint. */
export function createMcpEndpoint(options: McpOptions): HandleMcp {
  const { findCaller, allowOrigins, base } = options;
  const address = URL.canParse(base) ? base : undefined;
  const isOwnOrigin = createIsOwnOrigin(allowOrigins, base);
  const loaded = once(async () => (await import('../../agents/http.ts')).createMcpHandler());

  return (request, find = findCaller) => {
    const { headers, method, trace } = request;
    trace.route = 'mcp';
    if (!isOwnOrigin(headers))
      throw new Failure(403, 'Pages of this origin may not call /mcp; add it with --allow-origin.');
    const preflight = answerPreflight(request, CALLS);
    if (preflight) return preflight;
    return andThen(find(request), (caller): Awaitable<Result<Content>> => {
      if (caller instanceof Failure) return caller;
      trace.last_four = caller.last_four;
      trace.account_id = caller.account_id;
      if (method !== 'POST')
        throw new ResponseFailure(405, 'Agents send every message with POST.', {
          headers: ['allow', 'POST'],
        });
      if (headers.has('content-encoding'))
        throw new Failure(415, 'Send the message without a content encoding.');
      return answer(request, caller);
    });
  };

  async function answer(request: GatewayRequest, caller: Caller): Promise<Content> {
    const { account_id, scope, noteRead = noteOfKey(caller) } = caller;
    const { apiOf, report, now, pause, hasReader } = options;
    const { trace, headers } = request;
    const body = await readBody(request, MAX_BODY, { mayBeChunked: true });
    const handle: McpHandler = await loaded();
    const api = apiOf(account_id, scope);
    const response = await handle(
      { body, headers: passedHeaders(headers), signal: signalOf(request.transport) },
      {
        context: (signal) => ({
          api,
          now: now(),
          timezone: 'UTC',
          signal,
          pause,
          readerUrl: address !== undefined && hasReader() ? `${address}/app/m` : undefined,
        }),
        report: (error) => report(error, request),
        onCall(name, memory_id) {
          trace.route = name;
          const path = name.replace('mcp.', `${MCP_PATH} `);
          noteRead(v.is(MemoryId, memory_id) ? `${path} memory://${memory_id}` : path);
        },
      },
    );
    return toContent(response);
  }

  /** Returns what notes the reads of a key. */
  function noteOfKey({ key_sha256 }: Caller) {
    const { now, keyNotes } = options;
    return (path: string) => {
      if (key_sha256 !== undefined) for (const note of keyNotes) note(key_sha256, now(), path);
    };
  }
}

function toContent({ status, type, body }: McpResponse): Content {
  return { status, body, ...(type === undefined ? {} : { type }) };
}

/** Returns the headers for the protocol. Of a header that was sent twice, the values are joined (RFC 9110 §5.3). */
function passedHeaders(headers: Headers): Record<string, string> {
  return Object.fromEntries(
    PASSED.filter((name) => headers.has(name)).map((name) => [
      name,
      valuesOf(headers, name).join(', '),
    ]),
  );
}

/**
 * Creates the function that returns whether a request comes from no page or from one that may call. A page
 * of another site could reach a gateway on this machine by DNS rebinding: its Host header is its own, so only
 * a configured address counts as ours. Without one, only pages of this machine may call.
 */
function createIsOwnOrigin(
  allowOrigins: readonly string[],
  base: string,
): (headers: Headers) => boolean {
  const own = URL.canParse(base) ? new URL(base).origin : undefined;
  return (headers) => {
    const origins = valuesOf(headers, 'origin');
    const [origin] = origins;
    if (origin === undefined) return true;
    if (origins.length > 1) return false;
    if (allowOrigins.includes(origin)) return true;
    return own === undefined ? isOfThisMachine(origin) : origin === own;
  };
}

function isOfThisMachine(origin: string): boolean {
  if (!/^https?:\/\//.test(origin) || !URL.canParse(origin)) return false;
  return isLoopback(new URL(origin).hostname);
}
