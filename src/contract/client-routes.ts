// The part of each route that a client carries: the target and the response schema.

import * as v from 'valibot';

import type { ClientRoute } from './route.ts';
import { Day } from './schemas/day-totals.ts';
import { Details } from './schemas/details.ts';
import { FoundItem, PersonTotals, TagTotals } from './schemas/facets.ts';
import { Change, Memory, memoryWithFields } from './schemas/memory.ts';
import { TranscriptLines } from './schemas/part.ts';
import { SearchResult } from './schemas/passages.ts';
import { type ByEndpoint, targets } from './targets.ts';

// The types in these annotations are what an editor shows: `Memory`, not its nine fields. A field with a
// default may be absent from what is parsed.
const MemoryOutput: v.GenericSchema<unknown, Memory> = Memory;
const MemoriesOutput: v.GenericSchema<unknown, Memory[]> = v.array(Memory);
const LinesOutput: v.GenericSchema<unknown, TranscriptLines> = TranscriptLines;
const SearchOutput: v.GenericSchema<unknown, SearchResult> = SearchResult;
const DaysOutput: v.GenericSchema<unknown, Day[]> = v.array(Day);
const DetailsOutput: v.GenericSchema<unknown, Details> = Details;
const PeopleOutput: v.GenericSchema<unknown, PersonTotals[]> = v.array(PersonTotals);
const TagsOutput: v.GenericSchema<unknown, TagTotals[]> = v.array(TagTotals);
const ItemsOutput: v.GenericSchema<unknown, FoundItem[]> = v.array(FoundItem);
const FileOutput: v.GenericSchema<unknown, Uint8Array> = v.instance(Uint8Array);
const ChangesOutput: v.GenericSchema<unknown, Change[]> = v.array(Change);

/** The endpoints, as their clients see them. */
export const clientRoutes = {
  memories: {
    list: {
      ...targets.memories.list,
      output: MemoriesOutput,
      withFields: (fields) => v.array(memoryWithFields(fields)),
    },
    get: { ...targets.memories.get, output: MemoryOutput, withFields: memoryWithFields },
    // Only here, because the pages of the app carry the targets and read no originals.
    original: { path: '/v1/memories/{memory_id}/original', isFile: true, output: FileOutput },
    lines: { ...targets.memories.lines, output: LinesOutput },
    details: { ...targets.memories.details, output: DetailsOutput },
  },
  search: {
    passages: { ...targets.search.passages, output: SearchOutput },
  },
  days: {
    list: { ...targets.days.list, output: DaysOutput },
  },
  people: {
    list: { ...targets.people.list, output: PeopleOutput },
  },
  tags: {
    list: { ...targets.tags.list, output: TagsOutput },
  },
  actionItems: {
    list: { ...targets.actionItems.list, output: ItemsOutput },
  },
  changes: {
    list: { ...targets.changes.list, output: ChangesOutput },
  },
} as const satisfies ByEndpoint<ClientRoute>;
