// Endpoints: the routes of a contract one by one, and what is wrong with a parameter of one.

import * as v from 'valibot';

import type { Contract, Route } from './api.ts';
import { Failure } from './failure.ts';

/** A route with its name. */
export interface Endpoint {
  /** As in the contract: `memories.list`. */
  readonly name: string;
  readonly route: Route;
}

/** All endpoints of a contract, one after the other. */
export function endpointsOf(contract: Contract): Endpoint[] {
  return Object.entries(contract).flatMap(([group, routes]) =>
    Object.entries(routes).map(([name, route]) => ({ name: `${group}.${name}`, route })),
  );
}

/** Tells a parameter of the path from one of the query. */
export function isInPath({ path }: Route, name: string): boolean {
  return path.includes(`{${name}}`);
}

/** The schema of a parameter, without the wrapper that makes it optional. */
export function parameterSchema({ input }: Route, name: string): v.GenericSchema {
  const schema = input.entries[name] as v.GenericSchema & { wrapped?: v.GenericSchema };
  return schema.wrapped ?? schema;
}

/** Writes a value of a program as it would stand in a request. Fails with 422 when it cannot. */
export function toText(route: Route, name: string, value: unknown): string {
  if (!Object.hasOwn(route.input.entries, name)) return ''; // refused for its name
  if (/^(string|number|bigint|boolean)$/.test(typeof value)) return String(value).toWellFormed();
  throw malformed(route, name);
}

/** The 422 of one parameter: its name, and what the contract says it takes. */
export function malformed(route: Route, name: string): Failure {
  const takes = v.getDescription(parameterSchema(route, name));
  return new Failure(422, `The parameter "${name}" takes ${takes}.`);
}
