// Lists a contract's endpoints, and tells path parameters from query parameters.

import type { ClientRoute } from './client-routes.ts';

/** An endpoint with its name. */
export interface Endpoint<R extends ClientRoute = ClientRoute> {
  /** Group and name, as in `memories.list`. */
  readonly name: string;
  readonly route: R;
}

/** Lists all endpoints of a contract. */
export function endpointsOf<R extends ClientRoute>(
  groups: Readonly<Record<string, Readonly<Record<string, R>>>>,
): Endpoint<R>[] {
  return Object.entries(groups).flatMap(([group, routes]) =>
    Object.entries(routes).map(([name, route]) => ({ name: `${group}.${name}`, route })),
  );
}

/** Whether a parameter is part of the path. All others are in the query. */
export function isInPath({ path }: Pick<ClientRoute, 'path'>, name: string): boolean {
  return path.includes(`{${name}}`);
}

/**
 * Converts an input value to the text of a request, with commas between the values of a list.
 * Returns `''`, which every parameter refuses, for values that have no such text.
 */
export function toParameterText(value: unknown): string {
  return Array.isArray(value) ? value.map(primitiveText).join() : primitiveText(value);
}

function primitiveText(value: unknown): string {
  return /^(string|number|bigint|boolean)$/.test(typeof value) ? String(value).toWellFormed() : '';
}
