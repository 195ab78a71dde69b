// The input of the app's endpoints: JSON and path, checked by the schema of the route.

import * as v from 'valibot';

import { Failure } from '../../contract/failure.ts';
import type { AppRoute } from '../route.ts';

/**
 * Reads the input of a request from its path and its body. Throws a 400 if the body is not JSON, and a 422 that
 * names the first property that is missing, unknown or malformed.
 */
export function readInput(
  route: AppRoute,
  params: Readonly<Record<string, string>>,
  body: Buffer | undefined,
): unknown {
  const given = body === undefined || body.length === 0 ? {} : parse(body);
  const repeated = Object.keys(params).find((name) => Object.hasOwn(given, name));
  if (repeated !== undefined)
    throw new Failure(422, `Send "${repeated}" in the path, and not in the body.`);
  const checked = v.safeParse(route.input, { ...given, ...params }, { abortEarly: true });
  if (checked.success) return checked.output;
  throw invalid(route, checked.issues[0]);
}

function parse(body: Buffer): object {
  const text = body.toString('utf8');
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // The same sentence as for another value, because the text may be a secret.
  }
  throw new Failure(400, 'Send the body as one JSON object.');
}

/** How many characters of an unknown name an error repeats. */
const MAX_SHOWN = 40;

function invalid(route: AppRoute, issue: v.BaseIssue<unknown>): Failure {
  const key = issue.path?.[0]?.key;
  if (typeof key !== 'string') return new Failure(422, 'Send the body as one JSON object.');
  const name = key.slice(0, MAX_SHOWN).replaceAll(/[^\x21-\x7e]/g, '?');
  if (issue.expected === 'never')
    return new Failure(422, `Unknown property "${name}"; leave it out.`);
  if (issue.input === undefined) return new Failure(422, `Send the property "${name}".`);
  const takes = takesOf(schemaOf(route.input, key)) ?? issue.expected ?? 'another value';
  return new Failure(422, `The property "${name}" takes ${takes}.`);
}

type Schema = v.GenericSchema & {
  readonly entries?: Readonly<Record<string, Schema>>;
  readonly options?: readonly unknown[];
  readonly wrapped?: Schema;
};

function schemaOf(input: Schema, name: string): Schema | undefined {
  if (input.entries !== undefined) return input.entries[name];
  // Variants are objects.
  const options = (input.options ?? []) as readonly Schema[];
  return options.map((option) => option.entries?.[name]).find((found) => found !== undefined);
}

function takesOf(schema: Schema | undefined): string | undefined {
  if (schema === undefined) return undefined;
  if (schema.type === 'optional') return takesOf(schema.wrapped);
  const inner = schema.wrapped ?? schema;
  const description = v.getDescription(inner);
  if (description !== undefined) return description;
  if (inner.type === 'boolean') return 'true or false';
  if (inner.type === 'picklist') return (inner.options ?? []).join(', ');
  if (inner.type === 'literal') return 'link, password or passkey';
  return schema.type === 'nullable'
    ? 'a UTC time such as 2027-01-31T00:00:00.000Z, or null'
    : undefined;
}
