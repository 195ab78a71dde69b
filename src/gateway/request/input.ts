// Input: reads the path parameters and query of a request, or the values of a program, for the route's schema.

import * as v from 'valibot';

import { isInPath, toParameterText } from '../../contract/endpoints.ts';
import { Failure } from '../../contract/failure.ts';
import type { ValidInput } from '../../contract/handlers.ts';
import { parameterSchema } from '../../contract/parameters.ts';
import type { Route } from '../../contract/route.ts';
import { suggestName } from '../../contract/suggest-name.ts';

/** Parameters by name, in the types of the schema, but not yet checked by it. */
export type Values = Readonly<Record<string, unknown>>;

/** A parameter as text, or undefined if its bytes are no text. */
type TextParameter = readonly [name: string, text: string | undefined];

/** Reads the input of a request. Throws a 422 if it is no text, or if a parameter is unknown or repeated. */
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
  const all = Object.entries(values).map(([name, value]): TextParameter => [
    name,
    toParameterText(value),
  ]);
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
  for (const [name, text] of path) values[name] = toType(route, name, text);
  for (const [name, text] of query) {
    if (!Object.hasOwn(route.input.entries, name) || isInPath(route, name))
      throw unknownParameter(route, name);
    if (Object.hasOwn(values, name)) throw new Failure(422, `Send the parameter "${name}" once.`);
    values[name] = toType(route, name, text);
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

/** Turns text into the type of the parameter's schema. Text of another type stays text, which the schema refuses. */
function toType(route: Route, name: string, text: string | undefined): unknown {
  if (text === undefined || text.includes('\0')) throw malformedParameter(route, name);
  const { type } = parameterSchema(route, name);
  if (type === 'number' && /^(0|[1-9]\d{0,14})$/.test(text)) return Number(text);
  if (type === 'boolean' && /^(true|false)$/.test(text)) return text === 'true';
  return type === 'array' ? text.split(',') : text;
}

function percentDecode(raw: string): string | undefined {
  if (!raw.includes('%')) return raw;
  try {
    return decodeURIComponent(raw);
  } catch {
    return undefined; // a lone %, or bytes that are not UTF-8
  }
}

/** Checks input by the route's schema. Throws a 422 that names the parameter and what it takes. */
export function checkInput<R extends Route>(route: R, values: Values): ValidInput<R> {
  // Only the first issue is reported: of 8,000 unknown names in `fields`, the rest took 2 ms to find.
  const checked = v.safeParse(route.input, values, { abortEarly: true });
  if (checked.success) return checked.output;
  throw invalidInput(route, checked.issues[0]);
}

/** The 422 of a malformed parameter. */
export function malformedParameter(route: Route, name: string): Failure {
  const takes = v.getDescription(parameterSchema(route, name));
  return new Failure(422, `The parameter "${name}" takes ${takes}.`);
}

function invalidInput(route: Route, { path, input, message }: v.BaseIssue<unknown>): Failure {
  const name = path?.[0]?.key;
  if (typeof name !== 'string') return new Failure(422, message); // a rule about several parameters
  const schema = parameterSchema(route, name) as { item?: { options?: readonly string[] } };
  const names = schema.item?.options ?? [];
  const isName = path?.[1] !== undefined && /^[\w-]+$/.test(String(input)); // of a list
  const meant = isName ? suggestName(String(input).slice(0, MAX_SHOWN), names) : undefined;
  if (meant === undefined) return malformedParameter(route, name);
  return new Failure(422, `Unknown name in the parameter "${name}". Did you mean "${meant}"?`);
}

/** How many characters of an unknown name an error repeats. */
const MAX_SHOWN = 40;

function unknownParameter(route: Route, name: string): Failure {
  const shown = name.slice(0, MAX_SHOWN).replaceAll(/[^\x21-\x7e]/g, '?');
  const names = queryParameters(route);
  const meant = suggestName(shown, names);
  const advice = meant === undefined ? takesOnly(names) : `Did you mean "${meant}"?`;
  return new Failure(422, `Unknown parameter "${shown}". ${advice}`);
}

function takesOnly(names: readonly string[]): string {
  return `This endpoint takes ${names.length === 0 ? 'no parameters' : names.join(', ')}.`;
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
