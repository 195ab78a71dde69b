// Asked: a request, or a call of a program, as the endpoint that is meant and its checked input.

import { LRUCache } from 'lru-cache';

import type { Route } from '../contract/api.ts';
import { endpointsOf, type Endpoint } from '../contract/endpoints.ts';
import { routes } from '../contract/routes.ts';
import type { Exchange } from './exchange.ts';
import { readInput, readValues } from './input.ts';
import { createMatch, isRead } from './match.ts';
import { refuseHeaders } from './refuse.ts';

/** What is asked of an endpoint. */
export interface Asked {
  readonly endpoint: Endpoint<Route>;
  /** Checked by the contract, with its defaults filled in. */
  readonly input: unknown;
  /** Tells this from all else that may be asked. */
  readonly key: string;
}

/** So many targets are remembered, of at most so many characters. */
const MOST = 2000;
const LONGEST = 400;

/**
 * Makes the function that reads what a request asks; it fails with 404, 405 or 422. The latest targets
 * are remembered, as they mean the same for ever; for each account its own, so that nobody learns from
 * the time it takes what another has asked.
 */
export function createReadAsked(): (exchange: Exchange, account_id: string) => Asked {
  const match = createMatch(endpointsOf<Route>(routes));
  const known = new LRUCache<string, Asked>({ max: MOST });

  return (exchange, account_id) => {
    const { method, target, headers } = exchange;
    const key = `${account_id} ${target}`;
    const again = isRead(method) ? known.get(key) : undefined;
    const found = again ?? match(method, pathOf(target));
    const { name, route } = found.endpoint;
    exchange.route = name;
    exchange.next = route.next;
    refuseHeaders(route, headers);
    if (!('params' in found)) return found;
    const asked = toAsked(found.endpoint, readInput(route, found.params, queryOf(target)));
    if (target.length <= LONGEST) known.set(key, asked);
    return asked;
  };
}

/** Reads what a program asks. Fails with 422. */
export function readValuesAsked(
  endpoint: Endpoint<Route>,
  values: Readonly<Record<string, unknown>>,
): Asked {
  return toAsked(endpoint, readValues(endpoint.route, values));
}

function toAsked(endpoint: Endpoint<Route>, input: unknown): Asked {
  return { endpoint, input, key: JSON.stringify([endpoint.name, input]) };
}

/** The path of a target. */
export function pathOf(target: string): string {
  const at = target.indexOf('?');
  return at < 0 ? target : target.slice(0, at);
}

function queryOf(target: string): string {
  const at = target.indexOf('?');
  return at < 0 ? '' : target.slice(at + 1);
}
