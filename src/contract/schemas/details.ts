// Schema and types of a memory's details: what its source knew besides the nine fields.

import * as v from 'valibot';

import { MemoryId, Timestamp, WholeNumber } from './memory.ts';

const Line = v.nullable(v.pipe(v.number(), v.safeInteger(), v.minValue(1)));
const Text = v.nullable(v.string());

/** The schema of a person of a memory. */
export const Person = v.object({
  name: v.string(),
  role: v.picklist(['speaker', 'attendee', 'organiser']),
  email: v.optional(v.string()),
  lines: WholeNumber,
  words: WholeNumber,
  speaking_ms: v.nullable(WholeNumber),
});

/** The schema of a folder, a tag or a star of the source. */
export const Tag = v.object({ name: v.string(), kind: v.picklist(['folder', 'tag', 'star']) });

/** The schema of something to do that the source found in a memory. */
export const ActionItem = v.object({
  text: v.string(),
  owner: Text,
  due: Text,
  done: v.nullable(v.boolean()),
  line: Line,
});

/** The fields of the details that a file of a product can give. */
const readEntries = {
  language: Text,
  line_starts_ms: v.nullable(v.array(v.nullable(WholeNumber))),
  audio: Text,
  people: v.array(Person),
  tags: v.array(Tag),
  chapters: v.array(v.object({ title: v.string(), line: Line })),
  action_items: v.array(ActionItem),
};

/** The schema of what an import reads: the details of a file, before they belong to a stored memory. */
export const ReadDetails = v.object({
  source: v.object({ product: Text, format: Text, id: Text, url: Text }),
  ...readEntries,
});
/** What an import reads: the details of a file. */
export type ReadDetails = v.InferOutput<typeof ReadDetails>;

/** The schema of what was put right in a memory. */
export const Corrections = v.array(v.object({ field: v.string(), from: Text, to: Text }));

/** The schema of the details of a memory. Unknown values are null, empty lists are `[]`. */
export const Details = v.object({
  memory_id: MemoryId,
  source: v.object({
    ...ReadDetails.entries.source.entries,
    imported_at: v.nullable(Timestamp),
  }),
  ...readEntries,
  corrections: Corrections,
  original: v.nullable(
    v.object({ media_type: v.string(), bytes: WholeNumber, sha256: v.string() }),
  ),
});
/** The details of a memory. */
export type Details = v.InferOutput<typeof Details>;
