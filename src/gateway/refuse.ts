// Refusals of parameters: one sentence each that names the parameter and says what to send instead.

import leven from 'leven';
import * as v from 'valibot';

import type { Route } from '../contract/api.ts';
import { isInPath } from '../contract/endpoints.ts';
import { Failure } from '../contract/failure.ts';
import { parameterSchema } from '../contract/parameters.ts';
import type { Headers } from './headers.ts';

/** The 422 of one parameter: its name, and what the contract says it takes. */
export function malformed(route: Route, name: string): Failure {
  const takes = v.getDescription(parameterSchema(route, name));
  return new Failure(422, `The parameter "${name}" takes ${takes}.`);
}

/** The 422 of a parameter that the endpoint does not take, with the nearest that it does. */
export function unknownParameter(route: Route, name: string): Failure {
  const shown = name.slice(0, 40).replaceAll(/[^\x21-\x7e]/g, '?');
  const known = Object.keys(route.input.entries).filter((entry) => !isInPath(route, entry));
  const advice = known.length > 0 ? nearestOf(known, shown) : 'this endpoint takes none';
  return new Failure(422, `There is no parameter "${shown}"; ${advice}.`);
}

/** The 422 of input that breaks the contract, by the first thing that is wrong with it. */
export function refused(route: Route, { path, input, message }: v.BaseIssue<unknown>): Failure {
  const name = path?.[0]?.key;
  if (typeof name !== 'string') return new Failure(422, message); // a rule that spans parameters
  const schema = parameterSchema(route, name) as { item?: { options?: readonly string[] } };
  const known = schema.item?.options;
  const isName = known !== undefined && path?.[1] !== undefined && /^[\w-]+$/.test(String(input));
  if (!isName) return malformed(route, name);
  const advice = nearestOf(known, String(input).slice(0, 40));
  return new Failure(422, `A name in the parameter "${name}" is unknown; ${advice}.`);
}

/** Fails with 422 when a parameter has come as a header, where it would count for nothing in silence. */
export function refuseHeaders(route: Route, headers: Headers): void {
  for (const [spelling, name] of spellingsOf(route))
    if (headers.has(spelling))
      throw new Failure(422, `The parameter "${name}" came as a header; send it in the query.`);
}

const spellings = new WeakMap<Route, readonly (readonly [spelling: string, name: string])[]>();

/** The headers that look like parameters of the query: headers have dashes where parameters do not. */
function spellingsOf(route: Route) {
  const known = spellings.get(route);
  if (known !== undefined) return known;
  const names = Object.keys(route.input.entries).filter((name) => !isInPath(route, name));
  const made = names.flatMap((name) =>
    Array.from(new Set([name, name.replaceAll('_', '-')]), (spelling) => [spelling, name] as const),
  );
  spellings.set(route, made);
  return made;
}

/** A name that has the text in it is near, however much longer it is: "duration", "processing". */
function nearestOf(known: readonly string[], text: string): string {
  const lower = text.toLowerCase(); // as all known names are
  const distance = (name: string) =>
    Math.min(leven(name, lower), lower.length > 2 && name.includes(lower) ? 1 : Infinity);
  const nearest = known.toSorted((a, b) => distance(a) - distance(b))[0];
  return `the nearest known one is "${nearest}"`;
}
