// What is asked: path parameters and query → the input of a route, checked, or 422.

import leven from 'leven';
import * as v from 'valibot';

import type { Route } from '../contract/api.ts';
import { Failure } from '../contract/failure.ts';

/** Reads and checks the input of a route. Fails with 422 that names the parameter and what it takes. */
export function readInput(
  route: Route,
  params: Readonly<Record<string, string>>,
  query: string,
): unknown {
  const { entries } = route.input;
  const values: Record<string, unknown> = {};
  for (const [name, raw] of Object.entries(params)) values[name] = decode(route, name, raw);
  for (const [name, raw] of pairs(query)) {
    if (!Object.hasOwn(entries, name) || name in params)
      throw unknownParameter(name, route, params);
    if (Object.hasOwn(values, name)) throw new Failure(422, `Send the parameter "${name}" once.`);
    values[name] = decode(route, name, raw);
  }
  const checked = v.safeParse(route.input, values);
  if (checked.success) return checked.output;
  const name = checked.issues[0].path?.[0]?.key;
  throw typeof name === 'string'
    ? malformed(route, name)
    : new Failure(422, checked.issues[0].message);
}

function* pairs(query: string): Generator<[name: string, raw: string]> {
  if (query === '') return;
  for (const piece of query.split('&')) {
    if (piece === '') continue;
    const equals = piece.indexOf('=');
    const name = percentDecode(equals < 0 ? piece : piece.slice(0, equals));
    if (name === undefined) throw new Failure(422, 'Write the query as percent-encoded UTF-8.');
    yield [name, equals < 0 ? '' : piece.slice(equals + 1).replaceAll('+', ' ')];
  }
}

/** Turns text into what the schema of a parameter is made of; what does not fit stays text and is refused. */
function decode(route: Route, name: string, raw: string): unknown {
  const text = percentDecode(raw);
  if (text === undefined) throw malformed(route, name);
  const { type } = unwrap(route.input.entries[name]);
  if (type === 'number' && /^(0|[1-9]\d{0,14})$/.test(text)) return Number(text);
  return text;
}

function percentDecode(raw: string): string | undefined {
  try {
    const text = decodeURIComponent(raw);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined; // a lone %, or bytes that are not UTF-8
  }
}

/** The 422 of one parameter: its name, and what the contract says it takes. */
export function malformed(route: Route, name: string): Failure {
  const takes = v.getDescription(unwrap(route.input.entries[name]));
  return new Failure(422, `The parameter "${name}" takes ${takes}.`);
}

function unknownParameter(name: string, route: Route, params: object): Failure {
  const shown = name.slice(0, 40).replaceAll(/[^\x21-\x7e]/g, '?');
  const known = Object.keys(route.input.entries).filter((entry) => !(entry in params));
  const nearest = known.toSorted((a, b) => leven(a, shown) - leven(b, shown))[0];
  const advice = nearest ? `the nearest known one is "${nearest}"` : 'this endpoint takes none';
  return new Failure(422, `There is no parameter "${shown}"; ${advice}.`);
}

function unwrap(schema: unknown): v.GenericSchema {
  const wrapper = schema as v.GenericSchema & { wrapped?: v.GenericSchema };
  return wrapper.wrapped ?? wrapper;
}
