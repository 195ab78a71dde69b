// Descriptions of groups, endpoints, parameters and fields in the OpenAPI document. Only the document loads this file.

import type { Day } from '../schemas/day-totals.ts';
import type { Change, Memory, Summary } from '../schemas/memory.ts';
import type { TranscriptLines } from '../schemas/part.ts';
import type { Passage, SearchResult } from '../schemas/passages.ts';
import {
  facetFilters,
  timeFilters,
  type Descriptions,
  type EndpointDescriptions,
  type Groups,
} from './description-types.ts';
import {
  audioEndpoint,
  detailEndpoints,
  detailsEndpoint,
  originalEndpoint,
} from './detail-descriptions.ts';

/** The fields of a memory. */
export const memoryDescriptions: Descriptions<Memory> = {
  id: 'Unique within the account, and case-sensitive.',
  name: 'The title.',
  started_at: 'When the recording began, in UTC with three decimals.',
  ended_at: 'When the recording ended, in UTC with three decimals.',
  is_processing: '`true` while the summary is still being written.',
  user_id: 'The id of the account that owns the memory.',
  duration_seconds: 'The length in whole seconds.',
  summary: 'The summary. Its fields are empty while the memory is processing.',
  transcript: 'Everything that was said, or the text so far while the memory is processing.',
};

/** The fields of a summary. */
export const summaryDescriptions: Descriptions<Summary> = {
  quick_summary: 'The conversation in a few sentences.',
  key_takeaways: 'The points to remember, one per item.',
};

/** The fields of a change. */
export const changeDescriptions: Descriptions<Change> = {
  memory_id: 'The id of the memory.',
  change: '`upsert` if the memory was added or changed, `delete` if it was deleted.',
  changed_at: 'When it changed, in UTC with three decimals.',
};

/** The fields of a part of a transcript. */
export const linesDescriptions: Descriptions<TranscriptLines> = {
  memory_id: 'The id of the memory.',
  total: 'How many lines the transcript has. 0 if it is empty.',
  first: 'The number of the first line in `text`, counted from 1. 0 if the transcript is empty.',
  last: 'The number of the last line in `text`. 0 if the transcript is empty.',
  text: 'The lines, separated by `\n`.',
  starts_ms:
    'When each of these lines starts, in milliseconds from `started_at`, or `null` for a line of which that is unknown. `null` instead of the list if it is unknown of the whole memory. Absent without `times`.',
};

/** The fields of a passage. */
export const passageDescriptions: Descriptions<Passage> = {
  memory_id: 'The id of the memory.',
  name: 'The name of the memory.',
  started_at: 'When the recording began, in UTC with three decimals.',
  is_processing: '`true` while the summary is still being written.',
  source: 'The field that the passage is from.',
  lines:
    'The first and last line of the passage in the transcript, counted from 1. Empty for other sources.',
  text: 'Exactly these lines. A very long line is cut at white space.',
  marks: 'Where matched words stand in `text`: pairs of start and end, in UTF-16 code units.',
};

/** The fields of a search response. */
export const searchDescriptions: Descriptions<SearchResult> = {
  passages: 'The passages, best first. They do not overlap.',
  memories_found:
    'How many memories have any of the words. In large accounts, this can be an estimate.',
  memories_searched: 'How many memories were searched: all that match the filters.',
  absent_words: 'Words of the query that occur in no memory of the account.',
  nearest_words: 'For each absent word, up to three words of the account that are spelled alike.',
  searched_instead:
    'For absent words, those of the nearest words that were searched instead. They count half.',
  mode: 'If the server searches by meaning: `meaning` if this response does as well, `words` if the embeddings endpoint did not respond, the query has operators such as a phrase, the key has no transcripts, or no memory has vectors of the model.',
  memories_compared:
    'If the server searches by meaning: how many memories were compared by their vectors.',
};

/** The fields of a day. */
export const dayDescriptions: Descriptions<Day> = {
  date: 'The date in the time zone of the request, such as `2026-11-18`.',
  memories: 'How many memories start on this day.',
  duration_seconds: 'How long they are together, in whole seconds.',
};

/** The groups of endpoints. */
export const groupDescriptions: Descriptions<Groups> = {
  memories: 'Recorded sessions: names, times, summaries and transcripts.',
  search: 'Search by relevance, for questions as people ask them.',
  days: 'Totals per day, for calendars.',
  people: 'People who take part, with their totals.',
  tags: 'Folders, tags and stars of the sources, and the sources.',
  actionItems: 'What the sources found to do.',
  changes: 'The change feed: added, changed and deleted memories, for programs that keep a copy.',
};

/** The endpoints. */
export const endpointDescriptions: EndpointDescriptions<Groups> = {
  memories: {
    list: {
      description:
        'Without parameters, the response contains all memories of the account. If you set several filters, a memory must match all of them. With `limit` you get one page. While more pages follow, the `link` header has the URL of the next page. Its `cursor` includes your other parameters. If the key may read summaries only, there is no `transcript`, and `q` looks at names and summaries alone.',
      response: 'The memories, sorted by start time, then by id.',
      parameters: {
        limit: "Page size. Default: the cursor's page size, or all memories.",
        cursor:
          "Opaque token for the next page: `next` of the client's page, or the cursor in the `link` header. Only `limit` may accompany it. Default: the first page.",
        order: '`desc` lists the newest memories first, `asc` the oldest. Default: `desc`.',
        ...timeFilters,
        is_processing:
          '`true` lists only memories whose summary is still being written, `false` only the others. Default: both.',
        q: 'Only memories with all of these words, anywhere in name, summary and transcript. Case and accents are ignored. Default: no filter.',
        ...facetFilters,
        fields:
          'Return only these fields of each memory, and its `id`. Without transcripts a list is far smaller. Default: all fields.',
      },
      examples: { limit: 3 },
    },
    get: {
      description:
        "If the id does not exist, or belongs to another account's memory, the response is 404. So it is for a memory outside the scope of the key.",
      response: 'The memory.',
      parameters: {
        memory_id: 'The id of the memory.',
        fields: 'Return only these fields, and the `id`. Default: all fields.',
      },
    },
    lines: {
      description:
        'Use this endpoint if you cannot take the whole transcript. Lines are counted from 1, as in the passages of a search. If the key may read summaries only, the response is 403.',
      response: 'The lines, with their numbers and how many there are.',
      parameters: {
        memory_id: 'The id of the memory.',
        first: 'The number of the first line, counted from 1. Default: 1.',
        last: 'The number of the last line. A number beyond the end means the end. Default: the end.',
        max_tokens:
          'Budget of the whole response, in tokens of 4 bytes. It ends with the last whole line that fits, and has one line at least, cut if necessary. Default: no budget.',
        times: '`true` adds `starts_ms`: when each of these lines starts. Default: `false`.',
      },
      examples: { first: 1, last: 20 },
    },
    details: detailsEndpoint,
    original: originalEndpoint,
    audio: audioEndpoint,
  },
  search: {
    passages: {
      description:
        'Use this endpoint for questions and for search as you type. English words match by their stem as well. Passages are a few turns of a transcript, or a text of a summary, or a name. If the key may read summaries only, transcripts are not searched. While more follow, the `link` header has the URL of the next ones.',
      response: 'The passages, best first, and hints about the words.',
      parameters: {
        q: 'What to look for. Words are alternatives: rarer words, more words and words close together rank higher. A `"phrase"` or a `prefix*` must occur in the passage, and `-word` must not. `OR`, `speaker:Ann`, `tag:work`, `source:limitless`, `before:2026-06` and `after:2026-06` narrow it as well. Required without `cursor`.',
        memory_id:
          'Search only the memory with this id: the best passages first, then its other lines in order. Default: all memories.',
        ...timeFilters,
        is_processing:
          '`true` searches only memories whose summary is still being written, `false` only the others. Default: both.',
        ...facetFilters,
        person:
          'Only passages with a line of this person, by the whole name. Case and accents are ignored. Repeat it for passages with a line of each of several people. Default: any.',
        limit: "Maximum number of passages. Default: the cursor's limit, or 10.",
        max_tokens:
          "Budget of the whole response, in tokens of 4 bytes: it has only as many passages as fit. Default: the cursor's budget, or none.",
        cursor:
          'Opaque token for the next passages, copied from the `link` header. Only `limit` and `max_tokens` may accompany it. Default: the first passages.',
      },
      examples: { q: 'what did Henrik say about the fridge' },
    },
  },
  days: {
    list: {
      description:
        'Use this endpoint for calendars. A memory belongs to the day on which it starts in `timezone`.',
      response: 'The days that have memories, oldest first.',
      parameters: {
        started_after: timeFilters.started_after,
        started_before: timeFilters.started_before,
        timezone:
          'Time zone of the days, and of the dates in `started_after` and `started_before`. Default: `UTC`.',
        ...facetFilters,
      },
      examples: { timezone: 'Europe/Berlin' },
    },
  },
  ...detailEndpoints,
  changes: {
    list: {
      description:
        'Use this endpoint to keep a copy up to date. The `link` header always has the URL for your next request, even if nothing has changed. Its cursor never expires. A memory appears once per response, with its latest change. It appears in a later response only if it changed again. Of a deleted memory, only the id and the time remain. A key whose scope has a window, a source or tags gets changes of memories in it, and no deletions.',
      response: 'The changes, in order.',
      parameters: {
        since:
          "Return changes after this cursor: `next` of the client's page, or the one in the `link` header. Default: start with the oldest change.",
        limit: "Maximum number of changes. Default: the cursor's limit, or 1000.",
        order:
          '`asc` lists the oldest changes first, `desc` the latest, in pages that end. `desc` excludes `since`. Default: `asc`.',
        cursor:
          'Opaque token for the next page with `order=desc`, copied from the `link` header. Only `limit` may accompany it. Default: the first page.',
      },
      examples: { limit: 3 },
    },
  },
};
