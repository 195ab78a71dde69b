// The type of a route: one endpoint as data, from which its router, checks, clients and documents are made.

import type * as v from 'valibot';

import type { ByEndpoint, Target } from './targets.ts';

/** The part of a route that the client of the package carries. */
export interface ClientRoute extends Target {
  readonly output: v.GenericSchema;
  /** Creates the output schema for the given `fields`. Without `fields`, every field except `id` is optional. */
  readonly withFields?: (fields?: readonly string[]) => v.GenericSchema;
}

/**
 * One endpoint: its target, who may call it, input and output schemas, and its error statuses. Inputs that are not in the path are
 * in the query of a GET, and in the JSON body of any other request.
 */
export interface Route extends ClientRoute {
  readonly method: NonNullable<Target['method']>;
  /** What decides the account: an API key, or a session of the app. A `public` endpoint needs neither. */
  readonly auth: 'key' | 'session' | 'public';
  readonly summary: string;
  readonly input: InputSchema<object>;
  /** Whether a request can be for a range of the file. */
  readonly hasRanges?: true;
  /** The error statuses of this endpoint. `COMMON_STATUSES` lists the statuses of every endpoint. */
  readonly failures: readonly number[];
}

/** The schema of an endpoint's input: its parameters or properties by name in `entries`. */
export type InputSchema<I extends object> = v.GenericSchema<I> & {
  readonly entries: v.ObjectEntries;
};

/** A whole API: groups of endpoints, by name. */
export type Contract = ByEndpoint<Route>;

/** The input of an endpoint: its parameters in one object. */
export type Input<R extends Route> = v.InferInput<R['input']>;

/** What an endpoint returns when `fields` is not set. */
export type Output<R extends Route> = v.InferOutput<R['output']>;
