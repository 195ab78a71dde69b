// Schemas of the contract as JSON Schema, each that has a name written once.

import {
  toJsonSchema,
  toJsonSchemaDefs,
  type ConversionConfig,
  type JsonSchema,
} from '@valibot/to-json-schema';
import * as v from 'valibot';

import { Memory, Summary } from './memory.ts';
import { memoryWords, summaryWords } from './words.ts';

const Failed = v.pipe(
  v.strictObject({
    detail: v.pipe(v.string(), v.minLength(1), v.description('One sentence that says what to do.')),
  }),
  v.description('Why there is no other answer.'),
);

const definitions = { Memory, Summary, Error: Failed };

const CONVERSION: ConversionConfig = {
  target: 'draft-2020-12',
  ignoreActions: ['check'], // rules that span fields, which JSON Schema cannot say
  // What has a default may be left out on its way in, and is always there on its way out.
  overrideSchema: ({ valibotSchema, jsonSchema }) =>
    'entries' in valibotSchema
      ? { ...jsonSchema, required: alwaysThere(valibotSchema.entries as v.ObjectEntries) }
      : undefined,
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
  Summary: describe(plain.Summary, { text: memoryWords.summary, fields: summaryWords }),
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
  return rest;
}
