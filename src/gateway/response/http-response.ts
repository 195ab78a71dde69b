// HTTP responses: turns results, documents and failures into status, headers and body.

import { pipeline } from 'node:stream';

import type { Failure } from '../../contract/failure.ts';
import { toJson } from '../../contract/json.ts';
import { andThen, type Awaitable } from '../../lib/async.ts';
import type { Body, Bytes, EndpointResult } from '../endpoints/endpoint.ts';
import {
  STREAM_BYTES,
  TOO_MANY_LONG,
  type FairMemory,
  type LongResponse,
} from '../fair-share/held-bytes.ts';
import type { Trace } from '../log.ts';
import { allowsIdentity, etagHeader, type ContentEncoding } from '../request/encoding.ts';
import { valuesOf } from '../request/headers.ts';
import type { GatewayRequest } from '../request/request.ts';
import { pathOf } from '../request/route.ts';
import { RateLimited } from '../request/throttle.ts';
import { compress, createCompressor, MIN_BYTES } from './compression.ts';
import { partOf } from './ranges.ts';
import { ResponseFailure } from './response-failure.ts';
import { MAX_WHOLE, withRelease } from './stream.ts';

/** A response that an entry point sends. HEAD has the response of GET, whose body the entry point omits. */
export interface HttpResponse {
  readonly status: number;
  /** Name, value, name, value, … */
  readonly headers: string[];
  /** The whole body, or its parts, each made only when it is read. Null if there is none. */
  readonly body: Body;
  /** To be called when a long response has been sent or has broken off, because it counts until then. */
  readonly end?: (() => void) | undefined;
  /** Whether nothing else refers to the body. */
  readonly isOwn?: boolean | undefined;
}

/** The content of a response: the result of an endpoint, or a public document. */
export interface Content extends EndpointResult {
  /** Default: 200. */
  readonly status?: number;
  /** The headers about caching, instead of those of `/v1`. Such a response has no CORS headers. */
  readonly common?: readonly string[];
  /** The request's encoding and condition, if this content prefers another encoding than the fastest. */
  readonly negotiated?: Negotiated;
}

type Negotiated = Pick<GatewayRequest, 'encoding' | 'condition'>;
type Parts = AsyncIterable<Bytes>;

const JSON_TYPE = 'application/json; charset=utf-8';

// Caches protect Authorization only (RFC 9111 §3.5), not X-API-Key, so `private` and `vary` keep the
// responses of different callers apart.
const COMMON_HEADERS: readonly string[] = [
  'cache-control',
  'private, no-cache',
  'vary',
  'authorization, x-api-key, accept-encoding',
];

/** Creates the response of a success. Links to other pages are made from the request target. */
export type ToHttpResponse = (
  request: GatewayRequest,
  target: string,
  content: Content,
) => Awaitable<HttpResponse>;

/** Creates the function that creates the responses of successes. It throws a 429 if an account has too many long ones. */
export function createToHttpResponse(memory: FairMemory): ToHttpResponse {
  return (request, target, content) => {
    const { body, status = 200, isOwn, negotiated = request } = content;
    if (body === null) return withoutBody(request, content);
    if (!(body instanceof Uint8Array) || body.length > MAX_WHOLE)
      return toLongResponse(memory, request, {
        ...content,
        ...('read' in body ? partOf(request, body, content) : { body }),
        target,
      });
    const encoding = body.length < MIN_BYTES ? undefined : negotiated.encoding;
    const headers = successHeaders(request, target, content, encoding);
    if (encoding === undefined) return wholeResponse({ status, headers, body, isOwn });
    const bytes = inEncoding(content, body, encoding);
    return bytes instanceof Promise
      ? bytes.then((made) => wholeResponse({ status, headers, body: made }))
      : wholeResponse({ status, headers, body: bytes });
  };
}

/** Creates a 304, or a 204 with the headers of its content. */
function withoutBody(
  request: GatewayRequest,
  { status, etag = '', common, headers: own = [], negotiated = request }: Content,
): HttpResponse {
  const headers = commonHeaders(request, common);
  if (status === 204) return { status, headers: [...headers, ...own], body: null };
  const known = negotiated.condition?.match(etag) ?? '';
  return { status: 304, headers: [...headers, 'etag', known], body: null };
}

/** Returns a whole body in a content encoding, without a promise if it is cached. */
function inEncoding({ encoded }: Content, body: Bytes, encoding: ContentEncoding) {
  if (encoded === undefined) return compress(body, encoding);
  return encoded.made[encoding] ?? encoded.make(encoding);
}

/** The content of a long response, and the request target that led to it. */
interface LongContent extends Content {
  readonly body: Bytes | Parts;
  readonly target: string;
  /** Whether the body is sent as it is. Media are compressed already. */
  readonly isPlain?: boolean;
}

/** Creates a long response, which counts for its account from now on until its `end` is called. */
function toLongResponse(
  memory: FairMemory,
  request: GatewayRequest,
  content: LongContent,
): Awaitable<HttpResponse> {
  const { body, status = 200, target, isPlain = false, negotiated = request } = content;
  const isWhole = body instanceof Uint8Array;
  const { account_id } = request.trace;
  // Public documents belong to no account, and are in memory once.
  const long =
    account_id === undefined
      ? undefined
      : memory.start(account_id, isWhole ? body.length : STREAM_BYTES);
  const fail = (error: unknown): never => {
    long?.end();
    throw error;
  };
  try {
    const wanted = isPlain ? undefined : negotiated.encoding;
    const encoding = isWhole ? wanted : streamEncoding(wanted, request, long);
    const headers = successHeaders(request, target, content, encoding);
    if (!isWhole) {
      const parts = encoding === undefined ? body : compressParts(body, encoding);
      return { status, headers, body: countBytes(parts, request.trace), end: long?.end };
    }
    const encoded = encoding === undefined ? body : inEncoding(content, body, encoding);
    const response = andThen(encoded, (bytes) =>
      wholeResponse({ status, headers, body: bytes, end: long?.end }),
    );
    return response instanceof Promise ? response.catch(fail) : response;
  } catch (error) {
    return fail(error);
  }
}

/** Returns the encoding of a stream. A stream is sent unencoded if no compressor is free. Throws a 429 if the caller takes no such bytes. */
function streamEncoding(
  encoding: ContentEncoding | undefined,
  { headers }: GatewayRequest,
  long: LongResponse | undefined,
): ContentEncoding | undefined {
  if (encoding === undefined || long === undefined || long.mayCompress()) return encoding;
  if (allowsIdentity(valuesOf(headers, 'accept-encoding'))) return undefined;
  throw TOO_MANY_LONG;
}

/** Returns the headers of a success, with links to other pages (RFC 8288). A cursor carries all other parameters. */
function successHeaders(
  request: GatewayRequest,
  target: string,
  content: Content,
  encoding: ContentEncoding | undefined,
): string[] {
  const { etag, type = JSON_TYPE, headers: more, common, next, first } = content;
  const headers = commonHeaders(request, common, type);
  if (more !== undefined) headers.push(...more);
  if (etag !== undefined) headers.push('etag', etagHeader(etag, encoding));
  if (encoding !== undefined) headers.push('content-encoding', encoding);
  if (next !== undefined || first !== undefined)
    headers.push('link', linksOf(`${request.base}${pathOf(target)}`, content));
  return headers;
}

function linksOf(url: string, { next, first, cursorParameter = 'cursor' }: Content): string {
  const links: string[] = [];
  if (next !== undefined) links.push(`<${url}?${cursorParameter}=${next}>; rel="next"`);
  if (first !== undefined) links.push(`<${url}?${cursorParameter}=${first}>; rel="first"`);
  return links.join(', ');
}

/** A request, as far as the headers of its response depend on it. */
type Recipient = Pick<GatewayRequest, 'id'> & Partial<Pick<GatewayRequest, 'cors'>>;

function commonHeaders(
  { id, cors = [] }: Recipient,
  common = COMMON_HEADERS,
  type?: string,
): string[] {
  const headers = type === undefined ? [] : ['content-type', type];
  headers.push('x-content-type-options', 'nosniff', ...common, 'x-request-id', id);
  if (common === COMMON_HEADERS && cors.length > 0) headers.push(...cors);
  return headers;
}

/** After these, the end of the request is ambiguous, or the connection is of no further use. */
const CLOSING = new Set([400, 408, 414, 417, 431, 501, 505]);

/** Creates the response of a failure, which has the same form wherever it arises. */
export function failureResponse(
  request: Recipient,
  failure: Failure,
): HttpResponse & { readonly body: Bytes } {
  const { status, detail } = failure;
  const { common, headers: own } = failure instanceof ResponseFailure ? failure : {};
  const headers = commonHeaders(request, common, JSON_TYPE);
  headers.push(...(own ?? headersOf(failure)));
  if (CLOSING.has(status)) headers.push('connection', 'close');
  return wholeResponse({ status, headers, body: toJson({ detail }) });
}

/** Returns the headers that belong to the status of a failure: name, value, … */
export function headersOf(failure: Failure): string[] {
  if (failure.status === 401) return ['www-authenticate', 'Bearer'];
  if (failure.status === 405) return ['allow', 'GET, HEAD'];
  return failure instanceof RateLimited ? ['retry-after', String(failure.retryAfter)] : [];
}

/** Adds the length of a whole body to the headers of its response. */
function wholeResponse<R extends HttpResponse & { readonly body: Bytes }>(response: R): R {
  response.headers.push('content-length', String(response.body.length));
  return response;
}

// Both generators do nothing until they are read, so a body that nobody reads costs nothing.

async function* compressParts(parts: Parts, encoding: ContentEncoding): Parts {
  const compressor = createCompressor(encoding);
  // An error on either side ends both, and is thrown to the reader of the compressed parts.
  pipeline(withRelease(parts, compressor), compressor, () => {});
  yield* compressor as Parts;
}

async function* countBytes(parts: Parts, trace: Trace): Parts {
  for await (const part of parts) {
    trace.bytes += part.length;
    yield part;
  }
}
