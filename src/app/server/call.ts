// The types of the app's handlers: what each endpoint of its contract gets and returns.

import type * as v from 'valibot';

import type { Route } from '../../contract/route.ts';
import type { GatewayRequest } from '../../gateway/request/request.ts';
import type { Awaitable } from '../../lib/async.ts';
import type { AppStore } from '../../store/app/app-store.ts';
import type { appRoutes } from '../contract/app-routes.ts';
import type { AppContext } from './app-parts.ts';
import type { Address } from './request/address.ts';
import type { Reader } from './sign-in/reader.ts';

/** A call of one of the app's endpoints. */
export interface AppCall<Input, Who> {
  readonly app: AppContext;
  readonly store: AppStore;
  readonly request: GatewayRequest;
  readonly address: Address;
  /** The browser in words. */
  readonly agent: string;
  readonly reader: Who;
  readonly input: Input;
  /** The body of an upload. Empty otherwise. */
  readonly bytes: Buffer;
}

/** What a handler returns: its output, and headers. */
export interface HandlerReply<Output> {
  readonly output: Output;
  /** Name, value, name, value, … */
  readonly headers?: readonly string[];
}

/** The call of a route. Only public routes are called while nobody is signed in. */
export type CallOf<R extends Route> = AppCall<
  v.InferOutput<R['input']>,
  R extends { readonly auth: 'public' } ? Reader | undefined : Reader
>;

/** The handler of a route. */
export type AppHandler<R extends Route> = (
  call: CallOf<R>,
) => Awaitable<HandlerReply<v.InferOutput<R['output']>>>;

type Routes = typeof appRoutes;

/** One handler for each endpoint. */
export type AppHandlers = {
  readonly [G in keyof Routes]: {
    readonly [N in keyof Routes[G]]: Routes[G][N] extends Route ? AppHandler<Routes[G][N]> : never;
  };
};

/** The handlers of one group of endpoints. */
export type GroupOf<G extends keyof Routes> = AppHandlers[G];

/** The reply of an endpoint that returns nothing. */
export const DONE: HandlerReply<null> = { output: null };
