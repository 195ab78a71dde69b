// Exchange: what a door asks of the gateway, and what becomes known of it on the way.

import { randomUUID } from 'node:crypto';

import type { Route } from '../contract/api.ts';
import { negotiate, type Coding } from './coding.ts';
import { readCondition, type Condition } from './condition.ts';
import { corsHeaders } from './cors.ts';
import { readHeaders, valuesOf, type Headers } from './headers.ts';

/** One request on its way, from the door to the handler and into the log. */
export interface Exchange {
  /** The `x-request-id` of the answer and of every log line about it. */
  readonly id: string;
  readonly method: string;
  /** The request target in origin-form, without what stands before `/v1`. */
  target: string;
  readonly headers: Headers;
  /** The content coding that the caller takes. */
  readonly coding: Coding | undefined;
  readonly condition: Condition;
  /** Headers that go with every answer to this caller: those of cross-origin reads, where allowed. */
  readonly cors: readonly string[];
  /** What stands before `/v1` in links: nothing, a path, or an address with its path. */
  readonly base: string;
  /** Whether nobody waits for the answer any more. */
  readonly isGone: () => boolean;
  /** Who asks, where that is found out. */
  address?: string | undefined;
  /** After how many seconds who was refused may ask again. */
  retryAfter?: number;
  /** The endpoint's name, as in the contract. */
  route?: string;
  /** The parameter that the cursors in links go into. */
  next?: Route['next'];
  /** The last four characters of the key. */
  last_four?: string | undefined;
  /** How many bytes of body have left. */
  bytes: number;
}

/** What a door knows of a request before its target is judged. */
export interface Arrived {
  readonly method: string;
  /** Name, value, name, value, … as they came. */
  readonly headers: readonly string[];
  readonly base: string;
  readonly isGone: () => boolean;
}

/** Opens an exchange. */
export function openExchange(
  { method, headers: raw, base, isGone }: Arrived,
  allowOrigins: readonly string[],
): Exchange {
  const headers = readHeaders(raw);
  const coding = negotiate(valuesOf(headers, 'accept-encoding'));
  const condition = readCondition(valuesOf(headers, 'if-none-match'), coding);
  const cors = corsHeaders(allowOrigins, headers);
  const id = randomUUID();
  return { id, method, target: '', headers, coding, condition, cors, base, isGone, bytes: 0 };
}
