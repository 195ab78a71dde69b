// Routing: finds the endpoint of a method and path, and prepares its call from the request's parameters.

import { LRUCache } from 'lru-cache';

import {
  createFindEndpoints,
  endpointsOf,
  type Endpoint,
  type Match,
} from '../../contract/endpoints.ts';
import { Failure } from '../../contract/failure.ts';
import type { Call, HandledRoute, HandledRoutes } from '../endpoints/endpoint.ts';
import { readInput, sentAsHeader } from './input.ts';
import type { GatewayRequest } from './request.ts';

/** Creates the function that finds an endpoint. It throws a 404, or a 405 if only the method is wrong. */
export function createEndpointMatch<E extends Endpoint>(endpoints: readonly E[]) {
  const findAt = createFindEndpoints(endpoints);
  return (method: string, path: string): Match<E> => {
    const [found] = findAt(path);
    if (found === undefined) throw pathNotFound();
    if (!isRead(method)) throw methodNotAllowed();
    return found;
  };
}

/** Returns whether a method reads. HEAD is GET without the body, everywhere. */
export function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** The 405 of every path. */
export function methodNotAllowed(): Failure {
  return new Failure(405, 'This API is read-only; use GET or HEAD.');
}

/** The 404 of a path that does not exist. */
export function pathNotFound(): Failure {
  return new Failure(404, 'There is nothing at this path; the memories are at …/v1/memories.');
}

/** Returns the call that a request makes. Throws a 404, 405 or 422. */
export type ResolveCall = (request: GatewayRequest, target: string, account_id: string) => Call;

/** The number of targets that are cached, and the longest. */
const MAX_TARGETS = 2000;
const MAX_TARGET_LENGTH = 400;

/**
 * Creates the function that finds a request's endpoint and checks its input. The latest targets are
 * cached, because a target always means the same. The cache key has the account, so that response times
 * tell nobody which targets other accounts request.
 */
export function createResolve(...contracts: readonly HandledRoutes[]): ResolveCall {
  const match = createEndpointMatch(
    contracts.flatMap((routes) => endpointsOf<HandledRoute>(routes)),
  );
  const cached = new LRUCache<string, { endpoint: Endpoint<HandledRoute>; call: Call }>({
    max: MAX_TARGETS,
  });

  return ({ method, headers, trace }, target, account_id) => {
    const key = `${method} ${account_id} ${target}`; // of other methods than GET and HEAD, none is cached
    const found = cached.get(key) ?? match(method, pathOf(target));
    const { name, route } = found.endpoint;
    trace.route = name;
    for (const [header, parameter] of route.parameterHeaders)
      if (headers.has(header)) throw sentAsHeader(parameter);
    if ('call' in found) return found.call;
    const { endpoint, params } = found;
    const call = route.prepare(readInput(route, params, queryOf(target)));
    if (target.length <= MAX_TARGET_LENGTH) cached.set(key, { endpoint, call });
    return call;
  };
}

/** Returns the path of a target. */
export function pathOf(target: string): string {
  const query = target.indexOf('?');
  return query < 0 ? target : target.slice(0, query);
}

function queryOf(target: string): string {
  const query = target.indexOf('?');
  return query < 0 ? '' : target.slice(query + 1);
}
