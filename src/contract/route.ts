// The type of a route: one endpoint of the API as data.

import type * as v from 'valibot';

import type { ClientRoute } from './client-routes.ts';

/** One endpoint: its method, path, input and output schemas, and its error statuses. */
export interface Route extends ClientRoute {
  readonly method: 'GET';
  readonly summary: string;
  readonly input: InputSchema<object>;
  /** The error statuses of this endpoint. `COMMON_STATUSES` lists the statuses of every endpoint. */
  readonly failures: readonly number[];
}

/** The schema of an endpoint's path and query parameters, by name in `entries`. */
export type InputSchema<I extends object> = v.GenericSchema<I> & {
  readonly entries: v.ObjectEntries;
};

/** A whole API: groups of endpoints, by name. */
export type Contract = Readonly<Record<string, Readonly<Record<string, Route>>>>;

/** The input of an endpoint: its path and query parameters in one object. */
export type Input<R extends Route> = v.InferInput<R['input']>;

/** What an endpoint returns when `fields` is not set. */
export type Output<R extends Route> = v.InferOutput<R['output']>;
