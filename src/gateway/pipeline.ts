// The pipeline: the path of every request, in order. Head → framing → base path → credential → route → input → cache → handler → response.

import { randomUUID } from 'node:crypto';

import { Failure } from '../contract/failure.ts';
import { andThen, type Awaitable } from '../lib/async.ts';
import { Refusal } from '../store/refusal.ts';
import type { Scope } from '../store/scope.ts';
import type { LocalCall } from './adapters/local.ts';
import type { EndpointResult } from './endpoints/endpoint.ts';
import type { FairMemory } from './fair-share/held-bytes.ts';
import type { FairTime } from './fair-share/time.ts';
import type { HandleMcp } from './mcp/endpoint.ts';
import { MCP_PATH } from './mcp/endpoint.ts';
import { runMount, type Mounts } from './mount.ts';
import type { Public } from './public/public.ts';
import type { Authenticate, Caller } from './request/auth.ts';
import { withoutPrefix } from './request/base-url.ts';
import type { FindClientIp } from './request/client-ip.ts';
import { answerPreflight, createCors } from './request/cors.ts';
import { createNegotiate } from './request/encoding.ts';
import { readIfNoneMatch } from './request/etag.ts';
import { readTarget } from './request/framing.ts';
import { readHeaders, valuesOf } from './request/headers.ts';
import { readProgramInput } from './request/input.ts';
import type { GatewayRequest, Head } from './request/request.ts';
import { pathOf, type ResolveCall } from './request/route.ts';
import type { ResponseCache } from './response/cache.ts';
import {
  createToHttpResponse,
  failureResponse,
  type Content,
  type HttpResponse,
} from './response/http-response.ts';
import type { Report } from './response/report.ts';
import type { Result } from './result.ts';

/** Returns what a request target leads to, or the failure that is its response. May throw. */
export type Answer = (request: GatewayRequest, target: string) => Awaitable<Result<Content>>;

/** How requests are received and answered. */
export interface PipelineOptions {
  readonly report: Report;
  readonly memory: FairMemory;
  /** The longest request target, in characters. Default: 13,312. */
  readonly maxTarget?: number | undefined;
  /** The path to remove from the beginning of targets. Default: none. */
  readonly prefix?: string | undefined;
  /** Origins whose pages may read responses. Default: none. */
  readonly allowOrigins?: readonly string[] | undefined;
  /** Finds the caller's address. Default: it is not needed. */
  readonly findClientIp?: FindClientIp | undefined;
  /** Whether the access log has the caller's address. Default: false. */
  readonly logAddress?: boolean | undefined;
}

/** The path of a request, which both HTTP entry points call. */
export interface Pipeline {
  /** Reads the head of a request. Never throws. */
  readonly receive: (head: Head) => GatewayRequest;
  /** Creates the response to a request. Never throws or rejects. */
  readonly respond: (request: GatewayRequest) => Awaitable<HttpResponse>;
}

/**
 * The default limit for request targets. A query of 1,024 characters has 12,288 if each of them takes four bytes.
 * The rest of a head of 16 KiB is for the headers. RFC 9112 §3 recommends at least 8,000 octets.
 */
const MAX_TARGET = 13_312;

/** Creates the pipeline around what it answers. Throws `Refusal` if an option is invalid. */
export function createPipeline(answer: Answer, options: PipelineOptions): Pipeline {
  const { report, maxTarget = MAX_TARGET, prefix = '', findClientIp, logAddress = false } = options;
  if (!Number.isSafeInteger(maxTarget) || maxTarget < 1)
    throw new Refusal('maxTarget takes a whole number of characters above 0.');
  const tooLong = new Failure(414, `Keep the request target within ${maxTarget} characters.`);
  const negotiate = createNegotiate();
  const cors = createCors(options.allowOrigins ?? []);
  const toHttpResponse = createToHttpResponse(options.memory);
  return { receive, respond };

  // Head: what the headers say about the response, each read once.
  function receive({ method, headers: raw, base, peer, transport }: Head): GatewayRequest {
    const headers = readHeaders(raw);
    const accepted = headers.get('accept-encoding');
    const encoding = accepted && negotiate(accepted);
    const known = headers.get('if-none-match');
    const clientIp = findClientIp?.(peer, headers);
    return {
      id: randomUUID(),
      method,
      headers,
      encoding,
      condition: known && readIfNoneMatch(known, encoding),
      cors: headers.has('origin') ? cors.of(valuesOf(headers, 'origin')) : cors.absent,
      base,
      clientIp,
      peer,
      transport,
      trace: logAddress ? { bytes: 0, address: clientIp } : { bytes: 0 },
    };
  }

  function respond(request: GatewayRequest): Awaitable<HttpResponse> {
    try {
      // Framing: is it one well-formed request, and for which target?
      const whole = readTarget(request);
      if (whole.length > maxTarget) throw tooLong;
      // Base path: where this gateway begins.
      const target = prefix === '' ? whole : withoutPrefix(whole, prefix);
      // Credential → route → input → cache → handler.
      const content = answer(request, target);
      // Response: status, headers and body.
      const response =
        content instanceof Promise
          ? content.then((made) => toResponse(request, target, made))
          : toResponse(request, target, content);
      return response instanceof Promise
        ? response.catch((error: unknown) => fail(request, error))
        : response;
    } catch (error) {
      return fail(request, error);
    }
  }

  function toResponse(
    request: GatewayRequest,
    target: string,
    content: Result<Content>,
  ): Awaitable<HttpResponse> {
    if (content instanceof Failure) return fail(request, content);
    return toHttpResponse(request, target, content);
  }

  /** Every error becomes a failure here. */
  function fail(request: GatewayRequest, error: unknown): HttpResponse {
    return failureResponse(request, report(error, request));
  }
}

/** Reads a target of `/v1` for a caller whose credential was checked. May throw. */
export type Read = (request: GatewayRequest, target: string, caller: Caller) => Awaitable<Content>;

/** The parts that answer the requests of a gateway. */
export interface AnswerParts {
  /** Finds the account of the key in a request's headers. */
  readonly findCaller: Authenticate;
  readonly read: Read;
  readonly mcp: HandleMcp;
  readonly mounts: Mounts;
  readonly publicEndpoints: Public;
}

/** Creates the middle of the pipeline: from a request target to the content of its response. */
export function createAnswer(parts: AnswerParts): Answer {
  const { findCaller, read, mcp, mounts, publicEndpoints } = parts;
  return (request, target) => {
    const path = pathOf(target);
    const isOfApi = path === '/v1' || path.startsWith('/v1/');
    if (!isOfApi) return answerElsewhere(request, target, path);
    const preflight = request.method === 'OPTIONS' ? answerPreflight(request) : undefined;
    if (preflight) return preflight;
    // Credential: whose memories are read, by the key in the headers.
    return andThen(findCaller(request, path), (caller) => {
      if (caller instanceof Failure) return caller;
      request.trace.last_four = caller.last_four;
      return read(request, target, caller);
    });
  };

  /** Outside `/v1`: agents, the app behind its sessions, and public documents. */
  function answerElsewhere(request: GatewayRequest, target: string, path: string) {
    if (path === MCP_PATH) return mcp(request);
    const preflight = answerPreflight(request);
    if (preflight) return preflight;
    const mount = mounts.find(path);
    return mount ? runMount(mount, request, target) : publicEndpoints.handle(request, path);
  }
}

/** The parts that read memories. */
export interface ReadParts {
  /** Finds the endpoint of a target and checks its input. */
  readonly resolve: ResolveCall;
  readonly cache: ResponseCache;
  readonly time: FairTime;
}

/** Creates the last part of the pipeline, for callers with a key and for those with a session. */
export function createRead({ resolve, time, cache }: ReadParts): Read {
  return (request, target, caller) => {
    const { condition, headers, transport, trace } = request;
    trace.account_id = caller.account_id;
    // Route and input: which endpoint of the contract, with which parameters.
    const call = resolve(request, target, caller.account_id);
    // Cache and handler: a result of this revision, or a new one.
    const context = { caller, condition, headers, transport };
    return time.run(context, () => cache.run(call, context));
  };
}

/** Runs a call of a program in the same process. */
export type RunLocally = (call: LocalCall) => Awaitable<EndpointResult>;

/** Creates the same part for a program in the same process, whose credential is its own decision. */
export function createRunLocally(
  callerOf: (account_id: string, scope: Scope | undefined) => Awaitable<Caller>,
  cache: ResponseCache,
): RunLocally {
  return ({ account_id, scope, route, input, signal }) =>
    andThen(callerOf(account_id, scope), (caller) => {
      const call = route.prepare(readProgramInput(route, input));
      const context = { caller, condition: undefined, headers: undefined, transport: { signal } };
      return cache.run(call, context);
    });
}

/** Creates the function that runs calls of agents, whose accounts get their share of time like all callers. */
export function createRunFairly(run: RunLocally, time: FairTime): RunLocally {
  return (call) => time.run({ caller: call, transport: call }, () => run(call));
}
