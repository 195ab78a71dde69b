// Schemas and types of a search response.

import * as v from 'valibot';

import { MemoryId, Timestamp, WholeNumber } from './memory.ts';

/** The schema of a passage. */
export const Passage = v.object({
  memory_id: MemoryId,
  name: v.string(),
  started_at: Timestamp,
  is_processing: v.boolean(),
  source: v.picklist(['transcript', 'summary', 'name']),
  lines: v.pipe(v.array(WholeNumber), v.maxLength(2)),
  text: v.string(),
  marks: v.array(v.pipe(v.array(WholeNumber), v.length(2))),
});

/** The schema of a search response. */
export const SearchResult = v.object({
  passages: v.array(Passage),
  memories_found: WholeNumber,
  memories_searched: WholeNumber,
  absent_words: v.array(v.string()),
  nearest_words: v.record(v.string(), v.array(v.string())),
  searched_instead: v.record(v.string(), v.array(v.string())),
  mode: v.optional(v.picklist(['words', 'meaning'])),
  memories_compared: v.optional(WholeNumber),
});

// Editors show the comments of these interfaces. Tests compare them with the schemas and with openapi/descriptions.ts.

/** A passage of a memory: a few turns of its transcript, or a text of its summary, or its name. */
export interface Passage {
  /** The id of the memory. */
  memory_id: string;
  /** The name of the memory. */
  name: string;
  /** When the recording began, in UTC with three decimals. */
  started_at: string;
  /** `true` while the summary is still being written. */
  is_processing: boolean;
  /** The field that the passage is from. */
  source: 'transcript' | 'summary' | 'name';
  /** The first and last line of the passage in the transcript, counted from 1. Empty for other sources. */
  lines: number[];
  /** Exactly these lines. A very long line is cut at white space. */
  text: string;
  /** Where matched words stand in `text`: pairs of start and end, in UTF-16 code units. */
  marks: number[][];
}

/** The passages that a search found, best first, and hints about its words. */
export interface SearchResult {
  /** The passages, best first. They do not overlap. */
  passages: Passage[];
  /** How many memories have any of the words. In large accounts, this can be an estimate. */
  memories_found: number;
  /** How many memories were searched: all that match the filters. */
  memories_searched: number;
  /** Words of the query that occur in no memory of the account. */
  absent_words: string[];
  /** For each absent word, up to three words of the account that are spelled alike. */
  nearest_words: Record<string, string[]>;
  /** For absent words, those of the nearest words that were searched instead. They count half. */
  searched_instead: Record<string, string[]>;
  /**
   * If the server searches by meaning: `meaning` if this response does as well, `words` if the embeddings endpoint did
   * not respond, the query has operators such as a phrase, or the key has no transcripts.
   */
  mode?: 'words' | 'meaning' | undefined;
  /** If the server searches by meaning: how many memories were compared by their vectors. */
  memories_compared?: number | undefined;
}
