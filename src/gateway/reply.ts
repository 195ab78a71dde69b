// Reply: what an answer or a failure is in HTTP, the same for every door that speaks it.

import { pipeline } from 'node:stream';

import { andThen, type Awaitable } from '../contract/awaitable.ts';
import type { Failure } from '../contract/failure.ts';
import { compress, compressor, MIN_BYTES, type Coding } from './coding.ts';
import { preflightHeaders } from './cors.ts';
import type { Document } from './document.ts';
import type { Exchange } from './exchange.ts';
import type { Handled } from './handle.ts';
import { answerHead, commonHead, renderFailure } from './head.ts';
import { releasing } from './stream.ts';

/** What a request leads to: an answer of the API, or a document. */
export type Found = Omit<Handled, 'body'> &
  Partial<Pick<Document, 'type' | 'headers'>> & {
    readonly body: Body;
    /** 200 when left out. */
    readonly status?: number;
  };

type Body = Uint8Array<ArrayBuffer> | Parts | null;
type Parts = AsyncIterable<Uint8Array<ArrayBuffer>>;

/** What a door sends. HEAD has the reply of GET, and its door leaves the body out. */
export interface Reply {
  readonly status: number;
  /** Name, value, name, value, … */
  readonly head: string[];
  /** The whole body, or its parts, each made only when it is asked for; null when there is none. */
  readonly body: Body;
}

/** Makes the reply of an answer. */
export function replyTo(exchange: Exchange, found: Found): Awaitable<Reply> {
  const { body, etag = '', status = 200 } = found;
  if (body === null) {
    const held = exchange.condition.match(etag) ?? '';
    return { status: 304, head: [...commonHead(exchange), 'etag', held], body };
  }
  const { coding } = exchange;
  if (!(body instanceof Uint8Array)) {
    const parts = coding === undefined ? body : pack(body, coding);
    return { status, head: answerHead(exchange, found, coding), body: count(parts, exchange) };
  }
  if (coding === undefined || body.length < MIN_BYTES)
    return whole(status, answerHead(exchange, found), body);
  const head = answerHead(exchange, found, coding);
  const packing = found.pack === undefined ? compress(body, coding) : found.pack(coding);
  return andThen(packing, (packed) => whole(status, head, packed));
}

/** Makes the reply of a failure. */
export function replyToFailure(exchange: Exchange, failure: Failure): Reply {
  const { head, body } = renderFailure(failure, exchange);
  return whole(failure.status, head, body);
}

/** Makes the reply to a browser's preflight, which comes without the key it asks about. */
export function replyToPreflight({ id, method, headers, cors }: Exchange): Reply | undefined {
  const head = preflightHeaders(method, headers, cors);
  return head && { status: 204, head: [...commonHead({ id }), ...head], body: null };
}

function whole(status: number, head: string[], body: Uint8Array<ArrayBuffer>): Reply {
  head.push('content-length', String(body.length));
  return { status, head, body };
}

// Both wait to be read before they do anything: a body that nobody reads costs nothing.

async function* pack(parts: Parts, coding: Coding): Parts {
  const packed = compressor(coding);
  // What goes wrong on either side ends both, and is thrown to who reads the packed parts.
  pipeline(releasing(parts, packed), packed, () => {});
  yield* packed as Parts;
}

async function* count(parts: Parts, exchange: Exchange): Parts {
  for await (const part of parts) {
    exchange.bytes += part.length;
    yield part;
  }
}
