// Statuses: what each failure means, and how its sentence reads, for the OpenAPI document.

import { Failure } from './failure.ts';
import type { routes } from './routes.ts';

/** A status that is a failure. */
export interface Status {
  /** When it is the answer, in one sentence. */
  readonly meaning: string;
  /** What its `detail` says, or may say where that depends on the request. */
  readonly detail: string;
}

type Named = {
  [G in keyof typeof routes]: FailuresIn<(typeof routes)[G]>;
}[keyof typeof routes];
type FailuresIn<G> = G[keyof G] extends { readonly failures: readonly (infer S extends number)[] }
  ? S
  : never;

/** The statuses that endpoints name among their failures. */
export const NAMED_STATUSES = {
  401: {
    meaning: 'There is no key, or none that opens an account; always the same answer.',
    detail:
      'Invalid API key: send an active key as "Authorization: Bearer KEY" or as "X-API-Key: KEY".',
  },
  404: {
    meaning: 'The account has no such memory, whether or not another account has.',
    detail: 'There is no memory with this id; take ids from the list of memories.',
  },
  422: {
    meaning: 'A parameter is unknown, repeated or malformed, or does not go with another.',
    detail: 'Send the parameter "limit" once.',
  },
  500: {
    meaning: 'A fault of the gateway, which its operator finds by the request id; try again.',
    detail:
      'The gateway could not complete the request; try again, and if it keeps failing, give its operator the time, or the x-request-id.',
  },
} as const satisfies Record<Named, Status>;

/** The statuses that any endpoint may answer beside those: HTTP's own, and the end of service. */
export const COMMON_STATUSES = {
  400: {
    meaning: 'The request cannot be read: its framing, its Host or its target.',
    detail: 'Send a well-formed HTTP/1.1 request.',
  },
  408: {
    meaning: 'The head of the request took too long.',
    detail: 'Send the request faster.',
  },
  414: {
    meaning: 'The request target is too long.',
    detail: 'Keep the request target within 8192 characters.',
  },
  417: {
    meaning: 'The request expects something other than "100-continue".',
    detail: 'Send no Expect header but "100-continue".',
  },
  429: {
    meaning:
      'Too many keys came from this address that open no account; `retry-after` says when to ask again.',
    detail:
      'Too many requests with invalid API keys came from your address; wait as many seconds as Retry-After says, then send an active key.',
  },
  431: {
    meaning: 'The head of the request is too long.',
    detail: 'Keep the request head within 16384 bytes and 900 lines.',
  },
  501: {
    meaning: 'The request has a transfer coding other than "chunked".',
    detail: 'Send no Transfer-Encoding but "chunked".',
  },
  503: {
    meaning: 'The gateway has been closed, or has as many connections as it takes.',
    detail: 'This gateway is closed; send requests to another, or try again later.',
  },
  505: {
    meaning: 'The request is in a version of HTTP other than 1.0 and 1.1.',
    detail: 'Speak HTTP/1.1 or HTTP/1.0.',
  },
} as const satisfies Record<number, Status>;

type Known = keyof typeof NAMED_STATUSES | keyof typeof COMMON_STATUSES;
const ALL: Readonly<Record<Known, Status>> = { ...NAMED_STATUSES, ...COMMON_STATUSES };

/** Makes the failure of a status, in the words that the document shows. */
export function failure(status: Known): Failure {
  return new Failure(status, ALL[status].detail);
}
