// The part of each route that a client carries: the path and the response schema.

import * as v from 'valibot';

import { Day } from './days.ts';
import { TranscriptLines } from './lines.ts';
import { Change, Memory, memoryWithFields } from './memory.ts';
import { SearchResult } from './search.ts';

/** The part of a route that a client needs. Names in braces in `path` are path parameters; all others are query parameters. */
export interface ClientRoute {
  readonly path: `/${string}`;
  readonly output: v.GenericSchema;
  /** Creates the output schema for the given `fields`. Without `fields`, every field except `id` is optional. */
  readonly withFields?: (fields?: readonly string[]) => v.GenericSchema;
  /** The parameter for the next page: `cursor` for lists that end, `since` for feeds that go on. */
  readonly cursorParameter?: 'cursor' | 'since';
  /** Whether programs call the group itself, as in `api.search(…)`. Such a group has one endpoint. */
  readonly isGroupCall?: true;
}

// The types in these annotations are what an editor shows: `Memory`, not its nine fields. A field with a
// default may be absent from what is parsed.
const MemoryOutput: v.GenericSchema<unknown, Memory> = Memory;
const MemoriesOutput: v.GenericSchema<unknown, Memory[]> = v.array(Memory);
const LinesOutput: v.GenericSchema<unknown, TranscriptLines> = TranscriptLines;
const SearchOutput: v.GenericSchema<unknown, SearchResult> = SearchResult;
const DaysOutput: v.GenericSchema<unknown, Day[]> = v.array(Day);
const ChangesOutput: v.GenericSchema<unknown, Change[]> = v.array(Change);

/** The endpoints, as their clients see them. */
export const clientRoutes = {
  memories: {
    list: {
      path: '/v1/memories',
      output: MemoriesOutput,
      withFields: (fields) => v.array(memoryWithFields(fields)),
      cursorParameter: 'cursor',
    },
    get: {
      path: '/v1/memories/{memory_id}',
      output: MemoryOutput,
      withFields: memoryWithFields,
    },
    lines: { path: '/v1/memories/{memory_id}/lines', output: LinesOutput },
  },
  search: {
    passages: {
      path: '/v1/search',
      output: SearchOutput,
      cursorParameter: 'cursor',
      isGroupCall: true,
    },
  },
  days: {
    list: { path: '/v1/days', output: DaysOutput },
  },
  changes: {
    list: { path: '/v1/changes', output: ChangesOutput, cursorParameter: 'since' },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, ClientRoute>>>>;
