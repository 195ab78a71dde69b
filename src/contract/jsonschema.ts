// Schemas of the contract as JSON Schema, each that has a name written once.

import {
  toJsonSchema,
  toJsonSchemaDefs,
  type ConversionConfig,
  type JsonSchema,
} from '@valibot/to-json-schema';
import * as v from 'valibot';

import type { Answering } from './answers.ts';
import { Change } from './change.ts';
import { Memory, MemoryFields, Summary } from './memory.ts';
import { Fields, MAX_QUERY, Query } from './parameters.ts';
import { changeWords, memoryWords, summaryWords } from './words.ts';

const Failed = v.pipe(
  v.strictObject({
    detail: v.pipe(v.string(), v.minLength(1), v.description('One sentence that says what to do.')),
  }),
  v.description('Why there is no other answer.'),
);

const definitions = { Memory, MemoryFields, Summary, Change, Error: Failed };

/** What the contract checks by functions, as far as JSON Schema has words for it. */
const CHECKED = new Map<unknown, JsonSchema>([
  [Query, { minLength: 1, maxLength: MAX_QUERY }],
  [Fields, { uniqueItems: true }],
]);

const TIMESTAMP = String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`;

const CONVERSION: ConversionConfig = {
  target: 'draft-2020-12',
  ignoreActions: ['check'], // functions, which JSON Schema cannot have
  // What has a default may be left out on its way in, and is always there on its way out.
  overrideSchema: ({ valibotSchema, jsonSchema }) =>
    'entries' in valibotSchema
      ? { ...jsonSchema, required: alwaysThere(valibotSchema.entries as v.ObjectEntries) }
      : undefined,
  // A `date-time` may have another zone, and other decimals; ours have not.
  overrideAction: ({ valibotAction, jsonSchema }) =>
    valibotAction.type === 'iso_timestamp' ? { ...jsonSchema, pattern: TIMESTAMP } : undefined,
  overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
};

function alwaysThere(entries: v.ObjectEntries): string[] {
  return Object.entries(entries).flatMap(([name, entry]) =>
    entry.type === 'optional' && v.getDefault(entry) === undefined ? [] : [name],
  );
}

const plain = toJsonSchemaDefs(definitions, CONVERSION);

/** The schemas that have a name, by it; they refer to each other. */
export const namedSchemas = {
  Memory: describe(plain.Memory, {
    text: 'A recorded session; all its fields are always there and never null.',
    fields: memoryWords,
  }),
  MemoryFields: describe(plain.MemoryFields, {
    text: 'What is left of a memory where `fields` were asked for: the id and those, as in a whole one.',
    fields: memoryWords,
  }),
  Summary: describe(plain.Summary, { text: memoryWords.summary, fields: summaryWords }),
  Change: describe(plain.Change, {
    text: 'The latest change of a memory. The memory itself is read by its id.',
    fields: changeWords,
  }),
  Error: plain.Error,
};

interface Described {
  readonly text: string;
  readonly fields: Readonly<Record<string, string>>;
}

function describe(schema: JsonSchema, { text, fields }: Described): JsonSchema {
  const described = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    // One that is referred to says itself what it is; the grammar that a 422 tells stands in the pattern.
    const isHere = typeof property === 'object' && property.$ref === undefined;
    return [name, isHere ? { ...property, description: fields[name] } : property];
  });
  return { ...schema, description: text, properties: Object.fromEntries(described) };
}

/** Converts a schema; those that have a name are referred to. */
export function toSchema(schema: v.GenericSchema): JsonSchema {
  const { $schema: _, $defs: __, ...rest } = toJsonSchema(schema, { ...CONVERSION, definitions });
  return { ...rest, ...CHECKED.get(schema) };
}

/** Converts what an endpoint answers: whole or, where fields can be asked for, cut to them. */
export function toAnswerSchema({ output, cut }: Answering): JsonSchema {
  return cut === undefined ? toSchema(output) : either(toSchema(output), toSchema(cut()));
}

/** Joins two schemas; two lists to one of either, as generators make better types of that. */
function either(one: JsonSchema, other: JsonSchema): JsonSchema {
  return one.type === 'array'
    ? { ...one, items: either(one.items as JsonSchema, other.items as JsonSchema) }
    : { anyOf: [one, other] };
}
