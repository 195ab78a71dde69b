// The type of an endpoint of the app, which says what the contract tells about each.

import type * as v from 'valibot';

import type { ClientRoute } from '../contract/client-routes.ts';

/**
 * One endpoint of the app. Names in braces in `path` are in the path. All other inputs are properties
 * of the JSON body, so a GET has only those of its path.
 */
export interface AppRoute extends ClientRoute {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly summary: string;
  readonly input: v.GenericSchema<object>;
  /** Whether a request needs no session. Default: it does. */
  readonly isPublic?: true;
  /** The error statuses of this endpoint, in addition to 400, 403, 411, 413, 415, 429 and 503. */
  readonly failures: readonly number[];
}
