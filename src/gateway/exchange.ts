// Exchange: what a door asks of the gateway, and what becomes known of it on the way.

import type { Coding } from './coding.ts';
import type { Condition } from './condition.ts';

/** One request on its way, from the door to the handler and into the log. */
export interface Exchange {
  /** The `x-request-id` of the answer and of every log line about it. */
  readonly id: string;
  readonly method: string;
  /** The request target in origin-form. */
  target: string;
  /** Name, value, name, value, … as they came. */
  readonly headers: readonly string[];
  /** The content coding that the caller takes. */
  readonly coding: Coding | undefined;
  readonly condition: Condition;
  /** Headers that go with every answer to this caller: those of cross-origin reads, where allowed. */
  readonly cors: readonly string[];
  /** The endpoint's name, as in the contract. */
  route?: string;
  /** The last four characters of the key. */
  last_four?: string;
  /** How many bytes of body have left. */
  bytes: number;
}
