// Parameters: what each takes. The description completes the sentence of a 422: 'The parameter "limit" takes …'.

import * as v from 'valibot';

import type { Route } from './api.ts';
import { Memory, type MemoryField } from './memory.ts';

/** How many items a page may hold at most. */
const MAX_LIMIT = 1000;

/** How many characters a query may have. */
export const MAX_QUERY = 1024;

/** Checks the size of a page. */
export const Limit = v.pipe(
  v.number(),
  v.integer(),
  v.minValue(1),
  v.maxValue(MAX_LIMIT),
  v.description(`a whole number from 1 to ${MAX_LIMIT}`),
);

/** Checks the spelling of a cursor. */
export const Cursor = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z0-9_-]{1,8000}$/),
  v.description('a cursor as it stands in a link of an earlier answer of this endpoint'),
);

/** Checks an order: newest or oldest first. */
export const Order = v.pipe(v.picklist(['desc', 'asc']), v.description('"desc" or "asc"'));

/** Checks a switch. */
export const Flag = v.pipe(v.boolean(), v.description('"true" or "false"'));

/** Checks what is searched for. */
export const Query = v.pipe(
  v.string(),
  v.regex(/\S/),
  v.check((text) => Array.from(text).length <= MAX_QUERY),
  v.description(`1 to ${MAX_QUERY} characters: words, "a phrase" or a prefix*`),
);

const FIELDS = Object.keys(Memory.entries) as [MemoryField, ...MemoryField[]];

/** Checks the names of fields, each once. */
export const Fields = v.pipe(
  v.array(v.picklist(FIELDS)),
  v.minLength(1),
  v.check((names) => new Set(names).size === names.length),
  v.description(`names of fields with commas between, each once, of ${FIELDS.join(', ')}`),
);

/** The schema of a parameter, without the wrapper that makes it optional. */
export function parameterSchema({ input }: Route, name: string): v.GenericSchema {
  const schema = input.entries[name] as v.GenericSchema & { wrapped?: v.GenericSchema };
  return schema.wrapped ?? schema;
}
