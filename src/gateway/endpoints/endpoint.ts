// An endpoint: a route of the contract with its handler, which runs with input that the route's schema has checked.

import { checkInput, type Values } from '../../contract/check-input.ts';
import type {
  FileParts,
  FileResult,
  Handlers,
  HandlerResult,
  ValidInput,
} from '../../contract/handlers.ts';
import type { Contract, Route } from '../../contract/route.ts';
import type { Awaitable } from '../../lib/async.ts';
import type { Caller } from '../request/auth.ts';
import type { Condition } from '../request/etag.ts';
import type { Headers } from '../request/headers.ts';
import { parameterHeaders, type HeaderName } from '../request/input.ts';
import type { Transport } from '../request/transport.ts';
import type { Encoded } from '../response/compression.ts';

/** The context of a call: its caller and condition. */
export interface CallContext {
  readonly caller: Caller;
  /** What the caller already has. Undefined if the call is unconditional. */
  readonly condition: Condition | undefined;
  /** The headers of an HTTP request. A program in the same process has none, and no limit for long responses. */
  readonly headers: Headers | undefined;
  readonly transport: Transport;
}

/** A whole body. */
export type Bytes = Uint8Array<ArrayBuffer>;
/** The body of a success: whole, in parts that are each made only when they are read, or none. */
export type Body = Bytes | AsyncIterable<Bytes> | null;

/** The result of a handler, with additions for HTTP. */
export interface EndpointResult extends Omit<HandlerResult<unknown>, 'body'> {
  /** The whole body, its parts in order, or a file. `null` means that the client's cached response is still valid. */
  readonly body: Body | FileParts;
  /** The media type with its charset. Default: JSON. */
  readonly type?: FileResult['type'];
  /** Additional headers: name, value, name, value, … */
  readonly headers?: FileResult['headers'];
  /** The parameter that takes the cursors in links. Default: `cursor`. */
  readonly cursorParameter?: Route['cursorParameter'];
  /** The body in content encodings, made once while the body is cached. */
  readonly encoded?: Encoded;
  /** Whether nothing else refers to the body, so its memory can be released when it has been sent. */
  readonly isOwn?: boolean;
}

/** A call of an endpoint: its handler, with input that the route's schema has checked. */
export interface Call {
  /** The endpoint and its input as text. Calls with the same key get the same result. */
  readonly key: string;
  readonly input: unknown;
  handle(context: CallContext, input: unknown): Awaitable<EndpointResult>;
}

/** A route with its handler. */
export interface HandledRoute extends Route {
  /** Checks input by the route's schema. Throws a 422 that names the parameter and what it takes. */
  readonly prepare: (values: Values) => Call;
  /** The headers that have the name of one of its parameters. */
  readonly parameterHeaders: readonly HeaderName[];
}

/** The endpoints of a contract, by group and name. */
export type HandledRoutes = Readonly<Record<string, Readonly<Record<string, HandledRoute>>>>;

/** Joins each route of a contract to its handler. */
export function bindHandlers<C extends Contract>(
  contract: C,
  handlers: Handlers<CallContext, C>,
): HandledRoutes {
  const groups: Record<string, Record<string, HandledRoute>> = {};
  for (const group in contract) groups[group] = bindGroup(group, contract[group], handlers[group]);
  return groups;
}

function bindGroup<G extends Contract[string]>(
  group: string,
  routes: G,
  handlers: Handlers<CallContext, { group: G }>['group'],
): Record<string, HandledRoute> {
  const bound: Record<string, HandledRoute> = {};
  for (const name in routes) bound[name] = bind(`${group}.${name}`, routes[name], handlers[name]);
  return bound;
}

function bind<R extends Route>(
  name: string,
  route: R,
  handle: (context: CallContext, input: ValidInput<R>) => Awaitable<EndpointResult>,
): HandledRoute {
  return {
    ...route,
    parameterHeaders: parameterHeaders(route),
    prepare(values) {
      const input = checkInput(route.input, values, 'url');
      return { key: JSON.stringify([name, input]), input, handle };
    },
  };
}
