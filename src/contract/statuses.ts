// Error statuses: what each one means, and its sentence in the response and the OpenAPI document.

import { Failure } from './failure.ts';
import type { fileRoutes } from './file-routes.ts';
import type { routes } from './routes.ts';

/** An error status. */
export interface Status {
  /** When a request gets this status, in one sentence. */
  readonly meaning: string;
  /** Its `detail`, or an example if the sentence depends on the request. */
  readonly detail: string;
}

type Named = NamedIn<typeof routes> | NamedIn<typeof fileRoutes>;
type NamedIn<C> = { [G in keyof C]: FailuresIn<C[G]> }[keyof C];
type FailuresIn<G> = G[keyof G] extends { readonly failures: readonly (infer S extends number)[] }
  ? S
  : never;

/** The statuses that routes list in their `failures`. */
export const NAMED_STATUSES = {
  401: {
    meaning: 'The API key is missing or invalid. The response is the same in every case.',
    detail:
      'Invalid API key: send an active key as "Authorization: Bearer KEY" or as "X-API-Key: KEY".',
  },
  403: {
    meaning:
      'The key may read names and summaries only, and the request is for a transcript, an original or a recording.',
    detail:
      'This is a transcript, but you may read names and summaries only; use a key that may read transcripts.',
  },
  404: {
    meaning:
      'The account has no memory with this id, or no original or recording of it is there. Other accounts make no difference.',
    detail: 'There is no memory with this id; take ids from the list of memories.',
  },
  410: {
    meaning: 'A restore has undone the state that this cursor was read from.',
    detail:
      'The database was restored, and this cursor belongs to changes that the restore has undone; start again without "since", and replace your copy.',
  },
  416: {
    meaning: 'The `Range` header asks for a part beyond the end of the file.',
    detail: 'The file has 4096 bytes; send a Range that begins below that, or none.',
  },
  422: {
    meaning: 'A parameter is unknown, repeated or malformed, or cannot be combined with another.',
    detail: 'Send the parameter "limit" once.',
  },
  500: {
    meaning: 'Internal error. Retry. If it persists, report the `x-request-id`.',
    detail:
      'The gateway could not complete the request; try again, and if it keeps failing, give its operator the time, or the x-request-id.',
  },
} as const satisfies Record<Named, Status>;

/** The statuses that every endpoint shares: HTTP errors, rate limiting and shutdown. */
export const COMMON_STATUSES = {
  400: {
    meaning: 'The request cannot be read: its framing, its Host header or its URL is malformed.',
    detail: 'Send a well-formed HTTP/1.1 request.',
  },
  408: {
    meaning: 'The request headers took too long to arrive.',
    detail: 'Send the request faster.',
  },
  414: {
    meaning: 'The URL is too long.',
    detail: 'Keep the request target within 13312 characters.',
  },
  417: {
    meaning: 'The `Expect` header is something other than "100-continue".',
    detail: 'Send no Expect header but "100-continue".',
  },
  429: {
    meaning:
      'Your address sent too many invalid API keys, or your account has too many long responses open. Wait the seconds that `retry-after` says.',
    detail:
      'Too many requests with invalid API keys came from your address; wait as many seconds as Retry-After says, then send an active key.',
  },
  431: {
    meaning: 'The request headers are too long.',
    detail: 'Keep the request head within 16384 bytes and 900 lines.',
  },
  501: {
    meaning: 'The `Transfer-Encoding` header is something other than "chunked".',
    detail: 'Send no Transfer-Encoding but "chunked".',
  },
  503: {
    meaning: 'The gateway is shutting down, or has reached its connection limit.',
    detail: 'This gateway is closed; send requests to another, or try again later.',
  },
  505: {
    meaning: 'The HTTP version is neither 1.0 nor 1.1.',
    detail: 'Speak HTTP/1.1 or HTTP/1.0.',
  },
} as const satisfies Record<number, Status>;

type Known = keyof typeof NAMED_STATUSES | keyof typeof COMMON_STATUSES;
const ALL: Readonly<Record<Known, Status>> = { ...NAMED_STATUSES, ...COMMON_STATUSES };

/** Creates the failure of a status, with the sentence that the document shows. */
export function failure(status: Known): Failure {
  return new Failure(status, ALL[status].detail);
}
