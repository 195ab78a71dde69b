// The pipeline of every HTTP request: framing, preflight, endpoint, response. Every error becomes a failure here.

import { Failure } from '../../contract/failure.ts';
import { failure } from '../../contract/statuses.ts';
import { andThen, type Awaitable } from '../../lib/async.ts';
import { Refusal } from '../../store/refusal.ts';
import { createIsNewError, type Log, type Trace } from '../log.ts';
import { withoutPrefix } from '../request/base-url.ts';
import type { GatewayRequest, ReadRequest } from '../request/request.ts';
import type { Result } from '../result.ts';
import type { Schedule } from '../scheduler.ts';
import {
  createToHttpResponse,
  failureResponse,
  type Content,
  type HttpResponse,
} from './http-response.ts';
import { createLongResponses, type LongResponses } from './long-responses.ts';

/** Returns what a request target leads to, or the failure that is its response. May throw. */
export type HandleRequest = (request: GatewayRequest, target: string) => Awaitable<Result<Content>>;

/** Creates the response to a request. `readTarget` checks its framing first. Never throws or rejects. */
export type Respond = (
  request: GatewayRequest,
  readTarget: () => string,
) => Awaitable<HttpResponse>;

/** What a pipeline accepts. */
export interface PipelineOptions {
  /** The longest request target, in characters. */
  readonly maxTarget?: number | undefined;
  /** The path to remove from targets. */
  readonly prefix?: string | undefined;
  /** The register of long responses. Default: a new one. */
  readonly longResponses?: LongResponses;
}

/**
 * The default limit for request targets. A query of 1,024 characters has 12,288 if each of them takes four bytes.
 * The rest of a head of 16 KiB is for the headers. RFC 9112 §3 recommends at least 8,000 octets.
 */
const MAX_TARGET = 13_312;

/** Creates the pipeline around a request handler. Throws `Refusal` if an option is invalid. */
export function createRespond(
  handle: HandleRequest,
  report: Report,
  {
    maxTarget = MAX_TARGET,
    prefix = '',
    longResponses = createLongResponses(),
  }: PipelineOptions = {},
): Respond {
  if (!Number.isSafeInteger(maxTarget) || maxTarget < 1)
    throw new Refusal('maxTarget takes a whole number of characters above 0.');
  const tooLong = new Failure(414, `Keep the request target within ${maxTarget} characters.`);
  const toHttpResponse = createToHttpResponse(longResponses);
  return (request, readTarget) => {
    const fail = (error: unknown) => failureResponse(request, report(error, request));
    try {
      const rawTarget = readTarget();
      if (rawTarget.length > maxTarget) throw tooLong;
      const target = withoutPrefix(rawTarget, prefix);
      const response = andThen(handle(request, target), (content) =>
        content instanceof Failure ? fail(content) : toHttpResponse(request, target, content),
      );
      return response instanceof Promise ? response.catch(fail) : response;
    } catch (error) {
      return fail(error);
    }
  };
}

/** The request of an error. A call in the same process has no id and no method. */
export interface FailedRequest {
  readonly id?: string;
  readonly method?: string;
  readonly trace: Partial<Pick<Trace, 'route'>>;
}

/** Turns an error into the failure that the caller gets. Other errors than failures are bugs, and logged. */
export type Report = (error: unknown, request: FailedRequest) => Failure;

/** Creates the error reporter. It logs an error object once, even if a store throws it repeatedly. */
export function createReport(log: Log, state: { readonly closed: boolean }): Report {
  const isNew = createIsNewError();
  return (error, { id: request_id, method, trace: { route } }) => {
    if (error instanceof Failure) return error;
    if (state.closed) return failure(503);
    if (isNew(error)) log.error({ request_id, method, route, err: error }, 'request failed');
    return failure(500);
  };
}

/** The 503 of a gateway that cannot serve requests, and why. */
export function unavailable(why: string): Failure {
  return new Failure(503, `This gateway ${why}; send requests to another, or try again later.`);
}

/** The parts that both HTTP entry points share. */
export interface AdapterOptions {
  /** Returns whether a request is for a path of the gateway. Default: all are. */
  readonly isOwn?: ((request: { readonly url?: string | undefined }) => boolean) | undefined;
  readonly readRequest: ReadRequest;
  readonly respond: Respond;
  readonly schedule: Schedule;
  readonly report: Report;
  readonly log: Log;
  readonly state: { readonly draining: boolean };
  /** What precedes `/v1` in links, if it was configured. */
  readonly base: string | undefined;
}
