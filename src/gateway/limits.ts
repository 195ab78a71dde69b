// Limits: how long a server waits, how much it takes, and how many it serves at a time.

import { Refusal } from '../store/refusal.ts';

/** What a server puts up with. Times are in milliseconds. */
export interface Limits {
  /** From the first byte of a request to the end of its head, and of a connection to its first request: 10 s. */
  readonly headMs: number;
  /** For the whole request, 15 s; not less than `headMs`. */
  readonly requestMs: number;
  /** How long a connection may be idle between two requests: 5 s. */
  readonly idleMs: number;
  /** How long a reader may take for each 2 MiB of an answer: 2 minutes. */
  readonly sendMs: number;
  /** How many bytes a request's head may have: 16,384. */
  readonly headBytes: number;
  /** How many connections there may be at a time; the next get 503: 10,000. */
  readonly connections: number;
  /** How many requests a connection may bring before it is closed: 10,000. */
  readonly requests: number;
}

const DEFAULTS: Limits = {
  headMs: 10_000,
  requestMs: 15_000,
  idleMs: 5000,
  sendMs: 120_000,
  headBytes: 16_384,
  connections: 10_000,
  requests: 10_000,
};

/** Fills in the limits that are not given. Fails with `Refusal` when one is no whole number above 0. */
export function readLimits(given: Partial<Limits> = {}): Limits {
  const limits = { ...DEFAULTS, ...given };
  for (const [name, limit] of Object.entries(limits)) {
    if (!Number.isSafeInteger(limit) || limit < 1)
      throw new Refusal(`The limit "${name}" takes a whole number above 0.`);
  }
  if (limits.requestMs >= limits.headMs) return limits;
  throw new Refusal('The limit "requestMs" takes no less than "headMs", which is a part of it.');
}
