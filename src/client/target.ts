// The target of a call: path and query, from the route and its input.

import * as v from 'valibot';

import type { Route } from '../contract/api.ts';
import { isInPath, malformed, parameterSchema, toText } from '../contract/endpoints.ts';

/** Writes the target of a request. Fails with the API's own 422 when a value has no place in a path. */
export function targetOf(route: Route, input: Readonly<Record<string, unknown>>): string {
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = input[name];
    // Judged here, as "", "." and ".." would lead to another path on their way.
    if (!v.is(parameterSchema(route, name), value)) throw malformed(route, name);
    return encodeURIComponent(String(value));
  });
  const query = Object.entries(input)
    .filter(([name]) => !isInPath(route, name))
    .map(([name, value]) => [name, toText(route, name, value)]);
  return query.length === 0 ? path : `${path}?${new URLSearchParams(query).toString()}`;
}
