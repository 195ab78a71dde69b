// What is asked: path parameters and query, or a program's values → the checked input of a route, or 422.

import * as v from 'valibot';

import type { Route } from '../contract/api.ts';
import { isInPath, toText } from '../contract/endpoints.ts';
import { Failure } from '../contract/failure.ts';
import { parameterSchema } from '../contract/parameters.ts';
import { malformed, refused, unknownParameter } from './refuse.ts';

/** A parameter as text; undefined where what came is no text at all. */
type Pair = readonly [name: string, text: string | undefined];

/** Reads and checks the input of a request. Fails with 422 that names the parameter and what it takes. */
export function readInput(
  route: Route,
  params: Readonly<Record<string, string>>,
  query: string,
): unknown {
  const path = Object.entries(params).map(([name, raw]): Pair => [name, percentDecode(raw)]);
  return check(route, path, pairs(query));
}

/** Reads and checks the input of a program: as text, so that it means what it would in a request. */
export function readValues(route: Route, values: Readonly<Record<string, unknown>>): unknown {
  const all = Object.entries(values).map(([name, value]): Pair => [name, toText(value)]);
  const isOfPath = ([name]: Pair) => isInPath(route, name);
  return check(
    route,
    all.filter(isOfPath),
    all.filter((pair) => !isOfPath(pair)),
  );
}

function check(route: Route, path: Iterable<Pair>, query: Iterable<Pair>): unknown {
  const values: Record<string, unknown> = {};
  for (const [name, text] of path) values[name] = decode(route, name, text);
  for (const [name, text] of query) {
    if (!Object.hasOwn(route.input.entries, name) || isInPath(route, name))
      throw unknownParameter(route, name);
    if (Object.hasOwn(values, name)) throw new Failure(422, `Send the parameter "${name}" once.`);
    values[name] = decode(route, name, text);
  }
  // Only the first issue is told: of 8,000 names in `fields` that are none, the rest took 2 ms to find.
  const checked = v.safeParse(route.input, values, { abortEarly: true });
  if (checked.success) return checked.output;
  throw refused(route, checked.issues[0]);
}

function* pairs(query: string): Generator<Pair> {
  if (query === '') return;
  for (const piece of query.split('&')) {
    if (piece === '') continue;
    const equals = piece.indexOf('=');
    const name = percentDecode(equals < 0 ? piece : piece.slice(0, equals));
    if (name === undefined || name.includes('\0'))
      throw new Failure(422, 'Write the query as percent-encoded UTF-8.');
    yield [name, percentDecode(equals < 0 ? '' : piece.slice(equals + 1).replaceAll('+', ' '))];
  }
}

/** Turns text into what the schema of a parameter is made of; what does not fit stays text and is refused. */
function decode(route: Route, name: string, text: string | undefined): unknown {
  if (text === undefined || text.includes('\0')) throw malformed(route, name);
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
