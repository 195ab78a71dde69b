// Schemas and types of the lists of people, tags and action items.

import * as v from 'valibot';

import { ActionItem, Tag } from './details.ts';
import { MemoryId, Timestamp, WholeNumber } from './memory.ts';

const totals = { memories: WholeNumber, first_at: Timestamp, last_at: Timestamp };

/** The schema of a person of an account, with totals. */
export const PersonTotals = v.object({
  name: v.string(),
  memories: WholeNumber,
  lines: WholeNumber,
  words: WholeNumber,
  speaking_ms: v.nullable(WholeNumber),
  first_at: totals.first_at,
  last_at: totals.last_at,
});

/** The schema of a tag or a source of an account, with totals. */
export const TagTotals = v.object({
  name: v.string(),
  kind: v.picklist([...Tag.entries.kind.options, 'source']),
  ...totals,
});

/** The schema of an action item of an account, with its memory. */
export const FoundItem = v.object({
  memory_id: MemoryId,
  name: v.string(),
  started_at: Timestamp,
  ...ActionItem.entries,
});

// Editors show the comments of these interfaces. Tests compare them with the schemas and with openapi/descriptions.ts.

/** A person who takes part in memories of the account. */
export interface PersonTotals {
  /** The name, as the latest memory has it. */
  name: string;
  /** How many memories have the person. */
  memories: number;
  /** How many lines the person says. */
  lines: number;
  /** How many words the person says. */
  words: number;
  /** How long the person speaks, in milliseconds. `null` if it is known of no memory. */
  speaking_ms: number | null;
  /** When the first of these memories started. */
  first_at: string;
  /** When the last of these memories started. */
  last_at: string;
}

/** A folder, tag or star of the sources, or a source. */
export interface TagTotals {
  /** The name, as the latest memory has it. */
  name: string;
  /** What it is: `folder`, `tag`, `star` or `source`. */
  kind: 'folder' | 'tag' | 'star' | 'source';
  /** How many memories have it. */
  memories: number;
  /** When the first of these memories started. */
  first_at: string;
  /** When the last of these memories started. */
  last_at: string;
}

/** Something to do that a source found in a memory. */
export interface FoundItem {
  /** The id of the memory. */
  memory_id: string;
  /** The name of the memory. */
  name: string;
  /** When the recording began, in UTC with three decimals. */
  started_at: string;
  /** What is to be done. */
  text: string;
  /** Who is to do it. `null` if the source does not say. */
  owner: string | null;
  /** When it is due, as the source has it. `null` if it does not say. */
  due: string | null;
  /** Whether it is done. `null` if the source does not say. */
  done: boolean | null;
  /** The line of the transcript, counted from 1. `null` if it is not known. */
  line: number | null;
}
