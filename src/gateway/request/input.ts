// Input: reads the path parameters and query of a request, or the values of a program, for the route's schema.

import {
  entryOf,
  malformedParameter,
  toType,
  unknownInput,
  type Values,
} from '../../contract/check-input.ts';
import { isInPath, isRepeated, toParameterTexts } from '../../contract/endpoints.ts';
import { Failure } from '../../contract/failure.ts';
import type { Route } from '../../contract/route.ts';

/** A parameter as text, or undefined if its bytes are no text. */
type TextParameter = readonly [name: string, text: string | undefined];

/** Reads the input of a request. Throws a 422 if it is no text, or if a parameter is unknown, or repeated and no list. */
export function readInput(
  route: Route,
  params: Readonly<Record<string, string>>,
  query: string,
): Values {
  const path = Object.entries(params).map(([name, raw]): TextParameter => [
    name,
    percentDecode(raw),
  ]);
  return readParameters(route, path, readQuery(query));
}

/** Reads the input of a program by way of its text, so that it means what it would in a request. Throws a 422. */
export function readProgramInput(route: Route, values: Values): Values {
  const all = Object.entries(values).flatMap(([name, value]) =>
    toParameterTexts(name, value).map((text): TextParameter => [name, text]),
  );
  const isOfPath = ([name]: TextParameter) => isInPath(route, name);
  return readParameters(
    route,
    all.filter(isOfPath),
    all.filter((parameter) => !isOfPath(parameter)),
  );
}

function readParameters(
  route: Route,
  path: Iterable<TextParameter>,
  query: Iterable<TextParameter>,
): Values {
  const values: Record<string, unknown> = {};
  for (const [name, text] of path) values[name] = readText(route, name, text);
  for (const [name, text] of query) {
    if (!Object.hasOwn(route.input.entries, name) || isInPath(route, name))
      throw unknownInput(route.input, name, 'url', queryParameters(route));
    const value = readText(route, name, text);
    const before = Object.hasOwn(values, name) ? values[name] : undefined;
    // Generated clients repeat a list instead of writing commas, so its parts join.
    if (before === undefined) values[name] = value;
    else if (Array.isArray(before) && Array.isArray(value)) before.push(...value);
    else throw new Failure(422, `Send the parameter "${name}" once.`);
  }
  return values;
}

function* readQuery(query: string): Generator<TextParameter> {
  if (query === '') return;
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = percentDecode(equals < 0 ? pair : pair.slice(0, equals));
    if (name === undefined || name.includes('\0'))
      throw new Failure(422, 'Write the query as percent-encoded UTF-8.');
    yield [name, percentDecode(equals < 0 ? '' : pair.slice(equals + 1).replaceAll('+', ' '))];
  }
}

function readText(route: Route, name: string, text: string | undefined): unknown {
  if (text === undefined)
    throw malformedParameter(route, name, 'Send it as percent-encoded UTF-8.');
  if (text.includes('\0'))
    throw malformedParameter(route, name, 'Send it without the character NUL.');
  return isRepeated(name) ? [text] : toType(entryOf(route.input, name), text);
}

function percentDecode(raw: string): string | undefined {
  if (!raw.includes('%')) return raw;
  try {
    return decodeURIComponent(raw);
  } catch {
    return undefined; // a lone %, or bytes that are not UTF-8
  }
}

function queryParameters(route: Route): string[] {
  return Object.keys(route.input.entries).filter((name) => !isInPath(route, name));
}

/** A header that has the name of a parameter, and the parameter. */
export type HeaderName = readonly [header: string, parameter: string];

/** Returns the headers that have the name of a parameter of the query, with underscores or dashes. */
export function parameterHeaders(route: Route): readonly HeaderName[] {
  return queryParameters(route).flatMap((name) =>
    Array.from(new Set([name, name.replaceAll('_', '-')]), (header) => [header, name] as const),
  );
}

/** The 422 of a parameter that was sent as a header, which would silently have no effect. */
export function sentAsHeader(name: string): Failure {
  return new Failure(422, `The parameter "${name}" was sent as a header. Send it in the query.`);
}
