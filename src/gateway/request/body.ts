// Request bodies: read only by paths that want one, by Content-Length, up to a limit, and to their end.

import type { IncomingMessage, ServerResponse } from 'node:http';

import { Failure } from '../../contract/failure.ts';
import { valuesOf, type Headers } from './headers.ts';
import type { GatewayRequest } from './request.ts';
import { callerLeft, isWeb } from './transport.ts';

/** How a body may be sent. */
export interface BodyOptions {
  /** Whether it may come in chunks, without its length. Default: no. */
  readonly mayBeChunked?: boolean;
}

/**
 * Reads the body of a request to its end. Rejects with a 411 if its length was not sent, with a 413 if it has
 * more than `limit` bytes, with a 408 if it takes too long, and with a 400 if it breaks off. To be called once.
 */
export function readBody(
  { headers, transport }: GatewayRequest,
  limit: number,
  options: BodyOptions = {},
): Promise<Buffer<ArrayBuffer>> {
  if (isWeb(transport)) return readWebBody(transport, limit);
  return readNodeBody(transport, { ...options, headers, limit });
}

/** Bodies that are too slow or malformed, by their responses. They may be so before anybody reads them. */
const failures = new WeakMap<ServerResponse, Failure>();

const BODY_FAILED = 'bodyFailed';

/** Notes that the body of a request is too slow or malformed. Returns whether its reader sends the response. */
export function failBody(response: ServerResponse, failure: Failure): boolean {
  failures.set(response, failure);
  return response.emit(BODY_FAILED, failure);
}

/** Reads the body of a request of `node:http`. */
async function readNodeBody(
  response: ServerResponse,
  { headers, limit, mayBeChunked = false }: NodeBodyOptions,
): Promise<Buffer<ArrayBuffer>> {
  const request = response.req;
  // A chunked body has no length until all of it has arrived.
  const isChunked = headers.has('transfer-encoding');
  const [text] = valuesOf(headers, 'content-length');
  if (!mayBeChunked && (text === undefined || isChunked)) throw noLength();
  const length = Number(text ?? 0);
  if (length > limit) throw tooLarge(limit);
  if (length === 0 && !isChunked) return Buffer.alloc(0);
  if (request.readableEnded) return alreadyRead(request, limit);
  const failed = failures.get(response);
  if (failed !== undefined) throw failed;
  // Node leaves the invitation to us, so that no body is invited that nobody reads.
  if (headers.has('expect') && request.httpVersion === '1.1') response.writeContinue();
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let received = 0;
    response.once(BODY_FAILED, reject);
    request.on('data', (chunk: Buffer) => {
      received += chunk.length;
      if (received <= limit) {
        chunks.push(chunk);
        return;
      }
      request.pause();
      reject(tooLarge(limit));
    });
    request.once('end', () => resolve(Buffer.concat(chunks)));
    request.once('error', () => reject(callerLeft()));
    request.once('close', () => reject(callerLeft())); // after "end" this does nothing
  });
}

interface NodeBodyOptions extends BodyOptions {
  readonly headers: Headers;
  readonly limit: number;
}

/** Returns the body that a host has read and parsed before us, as `express.json()` does. */
function alreadyRead(request: IncomingMessage, limit: number): Buffer<ArrayBuffer> {
  const bytes = parsedBody(request);
  if (bytes.length > limit) throw tooLarge(limit);
  return bytes;
}

function parsedBody(request: IncomingMessage): Buffer<ArrayBuffer> {
  const { body } = request as { readonly body?: unknown };
  if (body instanceof Uint8Array) return Buffer.from(body);
  if (typeof body === 'string') return Buffer.from(body);
  if (typeof body === 'object' && body !== null) return Buffer.from(JSON.stringify(body));
  throw new TypeError(
    'the host has read the body of this request; pass the request on before its body parser',
  );
}

/** Reads the body of a web `Request`, whose host is responsible for its framing. */
async function readWebBody(request: Request, limit: number): Promise<Buffer<ArrayBuffer>> {
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw tooLarge(limit);
  const chunks: Uint8Array[] = [];
  let length = 0;
  if (request.body === null) return Buffer.alloc(0);
  try {
    for await (const chunk of request.body) {
      length += chunk.length;
      if (length > limit) throw tooLarge(limit); // which cancels the stream
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof Failure ? error : brokenBody();
  }
  return Buffer.concat(chunks);
}

function brokenBody(): Failure {
  return new Failure(400, 'The request body broke off; send as many bytes as its headers say.');
}

function noLength(): Failure {
  return new Failure(411, 'Send the body with a Content-Length, and without chunks.');
}

function tooLarge(limit: number): Failure {
  return new Failure(413, `Keep the body within ${limit} bytes.`);
}
