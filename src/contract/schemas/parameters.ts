// The schema of each parameter. Its description completes the 422 sentence: 'The parameter "limit" takes …'.

import * as v from 'valibot';

import { Memory, type MemoryField } from './memory.ts';

/** The longest query, in characters. */
export const MAX_QUERY = 1024;

/** A page size. */
export const Limit = wholeFrom(1, 1000);

/** The most passages of a search response. */
export const PassageLimit = wholeFrom(1, 100);

/** A budget for a response. */
export const TokenBudget = wholeFrom(100, 20_000);

/** The bytes that a token counts as, in the budget of a response. */
export const BYTES_PER_TOKEN = 4;

/** The number of a line, counted from 1. */
export const LineNumber = wholeFrom(1, 1_000_000_000);

function wholeFrom(min: number, max: number) {
  return v.pipe(
    v.number(),
    v.integer(),
    v.minValue(min),
    v.maxValue(max),
    v.description(`a whole number from ${min} to ${max}`),
  );
}

/** The characters of a cursor. The gateway checks what it decodes to. */
export const Cursor = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z0-9_-]{1,8000}$/),
  v.description('a cursor from the link header of an earlier response of this endpoint'),
);

/** A sort order: newest or oldest first. */
export const Order = v.pipe(v.picklist(['desc', 'asc']), v.description('"desc" or "asc"'));

/** A boolean. */
export const Flag = v.pipe(v.boolean(), v.description('"true" or "false"'));

/** The text of a search. */
export const QueryText = v.pipe(
  v.string(),
  v.regex(/\S/),
  v.check((text) => Array.from(text).length <= MAX_QUERY),
  v.description(`1 to ${MAX_QUERY} characters: words, "a phrase" or a prefix*`),
);

/** Returns whether every database can store a text: PostgreSQL takes no NUL, and UTF-8 no half of a pair. */
export function canBeStored(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** The longest name of a person, a tag or a source, in UTF-16 code units. */
const MAX_NAME = 200;

/** The most people of one request, and the most tags of a scope. */
const MAX_PEOPLE = 10;
const MAX_TAGS = 10;

/** The name of a tag or a source. */
const FacetText = v.pipe(
  v.string(),
  v.regex(/\S/),
  v.maxLength(MAX_NAME),
  v.description(`a whole name of 1 to ${MAX_NAME} characters`),
);

/** Names of people. One name may have commas. */
const People = v.pipe(
  v.array(FacetText),
  v.minLength(1),
  v.maxLength(MAX_PEOPLE),
  v.description(
    `a whole name of 1 to ${MAX_NAME} characters; repeat it for memories with all of up to ${MAX_PEOPLE} people`,
  ),
);

/** The name of a source or a tag in a scope, which is stored. */
export const ScopeName = v.pipe(FacetText, v.check(canBeStored));

/** The tags of a scope: a memory must have all of them. */
export const ScopeTags = v.pipe(
  v.array(ScopeName),
  v.maxLength(MAX_TAGS),
  v.description(`a list of up to ${MAX_TAGS} names of 1 to ${MAX_NAME} characters`),
);

/** The parameters that choose memories by their people, tags and source. */
export const facetFilters = {
  person: v.optional(People),
  tag: v.optional(FacetText),
  source: v.optional(FacetText),
};

const FIELDS = Object.keys(Memory.entries) as [MemoryField, ...MemoryField[]];

/** Names of fields, without repeats. */
export const Fields = v.pipe(
  v.array(v.picklist(FIELDS)),
  v.minLength(1),
  v.check((names) => new Set(names).size === names.length),
  v.description(`comma-separated field names, each once, from ${FIELDS.join(', ')}`),
);
