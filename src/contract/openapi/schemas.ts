// Converts the contract's schemas to JSON Schema. Named schemas are defined once and referenced.

import {
  toJsonSchema,
  toJsonSchemaDefs,
  type ConversionConfig,
  type JsonSchema,
} from '@valibot/to-json-schema';
import * as v from 'valibot';

import type { ClientRoute } from '../route.ts';
import { Day } from '../schemas/day-totals.ts';
import { Details } from '../schemas/details.ts';
import { FoundItem, PersonTotals, TagTotals } from '../schemas/facets.ts';
import { Change, Memory, MemoryFields, Summary } from '../schemas/memory.ts';
import { Fields, MAX_QUERY, QueryText } from '../schemas/parameters.ts';
import { TranscriptLines } from '../schemas/part.ts';
import { Passage, SearchResult } from '../schemas/passages.ts';
import {
  changeDescriptions,
  dayDescriptions,
  linesDescriptions,
  memoryDescriptions,
  passageDescriptions,
  searchDescriptions,
  summaryDescriptions,
} from './descriptions.ts';
import {
  detailsDescriptions,
  itemDescriptions,
  personDescriptions,
  tagDescriptions,
} from './detail-descriptions.ts';

const Failed = v.pipe(
  v.strictObject({
    detail: v.pipe(
      v.string(),
      v.minLength(1),
      v.description('One sentence that tells you what to do.'),
    ),
  }),
  v.description('The error.'),
);

const definitions = {
  Memory,
  MemoryFields,
  Summary,
  TranscriptLines,
  SearchResult,
  Passage,
  Day,
  Details,
  PersonTotals,
  TagTotals,
  FoundItem,
  Change,
  Error: Failed,
};

/** Checks that the contract does with functions, as far as JSON Schema can express them. */
const CHECKED = new Map<unknown, JsonSchema>([
  [QueryText, { minLength: 1, maxLength: MAX_QUERY }],
  [Fields, { uniqueItems: true }],
]);

const TIMESTAMP = String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`;

const CONVERSION: ConversionConfig = {
  target: 'draft-2020-12',
  ignoreActions: ['check'], // JSON Schema has no functions
  // A field with a default is optional in input and always present in output.
  overrideSchema: ({ valibotSchema, jsonSchema }) =>
    'entries' in valibotSchema
      ? { ...jsonSchema, required: requiredNames(valibotSchema.entries as v.ObjectEntries) }
      : undefined,
  // A `date-time` can have any zone and number of decimals. Ours are UTC with three.
  overrideAction: ({ valibotAction, jsonSchema }) =>
    valibotAction.type === 'iso_timestamp' ? { ...jsonSchema, pattern: TIMESTAMP } : undefined,
  overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
};

function requiredNames(entries: v.ObjectEntries): string[] {
  return Object.entries(entries).flatMap(([name, entry]) =>
    entry.type === 'optional' && v.getDefault(entry) === undefined ? [] : [name],
  );
}

const plain = toJsonSchemaDefs(definitions, CONVERSION);

/** The named schemas. They reference each other. */
export const namedSchemas = {
  Memory: describe(plain.Memory, {
    text: 'A recorded session. All fields are always present and never null.',
    fields: memoryDescriptions,
  }),
  MemoryFields: describe(plain.MemoryFields, {
    text: 'A memory reduced to `id` and the requested fields.',
    fields: memoryDescriptions,
  }),
  Summary: describe(plain.Summary, {
    text: memoryDescriptions.summary,
    fields: summaryDescriptions,
  }),
  TranscriptLines: describe(plain.TranscriptLines, {
    text: 'Consecutive lines of a transcript.',
    fields: linesDescriptions,
  }),
  SearchResult: describe(plain.SearchResult, {
    text: 'The passages that a search found, and hints about its words.',
    fields: searchDescriptions,
  }),
  Passage: describe(plain.Passage, {
    text: 'A passage of a memory: a few turns of its transcript, or a text of its summary, or its name.',
    fields: passageDescriptions,
  }),
  Day: describe(plain.Day, {
    text: 'The totals of a day that has memories.',
    fields: dayDescriptions,
  }),
  Details: describe(plain.Details, {
    text: 'What the source knew of a memory besides its fields. An unknown value is `null`.',
    fields: detailsDescriptions,
  }),
  PersonTotals: describe(plain.PersonTotals, {
    text: 'A person who takes part in memories of the account.',
    fields: personDescriptions,
  }),
  TagTotals: describe(plain.TagTotals, {
    text: 'A folder, tag or star of the sources, or a source.',
    fields: tagDescriptions,
  }),
  FoundItem: describe(plain.FoundItem, {
    text: 'Something to do that a source found in a memory.',
    fields: itemDescriptions,
  }),
  Change: describe(plain.Change, {
    text: 'The latest change of a memory. Fetch the memory itself by its id.',
    fields: changeDescriptions,
  }),
  Error: plain.Error,
};

interface Described {
  readonly text: string;
  readonly fields: Readonly<Record<string, string>>;
}

function describe(schema: JsonSchema, { text, fields }: Described): JsonSchema {
  const described = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    // A referenced schema has its own description. This text replaces the grammar, which `pattern` shows.
    const isInline = typeof property === 'object' && property.$ref === undefined;
    return [name, isInline ? { ...property, description: fields[name] } : property];
  });
  return { ...schema, description: text, properties: Object.fromEntries(described) };
}

/** Converts a schema. Named schemas become references. */
export function toSchema(schema: v.GenericSchema): JsonSchema {
  const { $schema: _, $defs: __, ...rest } = toJsonSchema(schema, { ...CONVERSION, definitions });
  return { ...rest, ...CHECKED.get(schema) };
}

/** The schema of a 200 response: whole or, if the endpoint has `fields`, reduced to them. */
export function toResponseSchema({ output, withFields }: ClientRoute): JsonSchema {
  return withFields === undefined
    ? toSchema(output)
    : either(toSchema(output), toSchema(withFields()));
}

/** Allows either schema. Two arrays become one array, because code generators make better types from it. */
function either(one: JsonSchema, other: JsonSchema): JsonSchema {
  return one.type === 'array'
    ? { ...one, items: either(one.items as JsonSchema, other.items as JsonSchema) }
    : { anyOf: [one, other] };
}
