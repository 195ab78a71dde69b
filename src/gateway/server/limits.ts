// Limits of the server: how long it waits, how much it accepts, and how many connections it serves.

import { Refusal } from '../../store/refusal.ts';

/** Limits of a server. Times are in milliseconds. */
export interface Limits {
  /** For the head of a request, and from the start of a connection to its first request. Default: 10,000. */
  readonly headMs: number;
  /** For a whole request. At least `headMs`. Default: 15,000. */
  readonly requestMs: number;
  /** How long a connection may be idle between two requests. Default: 5,000. */
  readonly idleMs: number;
  /** For a reader to take 2 MiB of a response. Default: 120,000. */
  readonly sendMs: number;
  /** The size of a request's head, in bytes. Default: 16,384. */
  readonly headBytes: number;
  /** Connections at a time. Further ones get 503. Default: 10,000. */
  readonly connections: number;
  /** Requests on a connection before it is closed. Default: 10,000. */
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

/** Adds defaults for missing limits. Throws `Refusal` if a limit is no whole number above 0. */
export function readLimits(given: Partial<Limits> = {}): Limits {
  const limits = { ...DEFAULTS, ...given };
  for (const [name, limit] of Object.entries(limits)) {
    if (!Number.isSafeInteger(limit) || limit < 1)
      throw new Refusal(`The limit "${name}" takes a whole number above 0.`);
  }
  if (limits.requestMs >= limits.headMs) return limits;
  throw new Refusal('The limit "requestMs" takes no less than "headMs", which is a part of it.');
}
