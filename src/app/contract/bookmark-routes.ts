// The app's endpoints about what only it shows, as data: the stars, notes, saved searches and shares of the owner, and who talks how much and with whom.

import * as v from 'valibot';

import type { InputSchema } from '../../contract/route.ts';
import { timeFilters } from '../../contract/routes.ts';
import type { FacetFilters, SearchParameters, TimeFilters } from '../../contract/schemas/inputs.ts';
import { Label } from '../../contract/schemas/label.ts';
import { MemoryId, Timestamp } from '../../contract/schemas/memory.ts';
import { TimeZone } from '../../contract/schemas/moment.ts';
import { canBeStored, facetFilters, Flag, QueryText } from '../../contract/schemas/parameters.ts';
import { SearchResult } from '../../contract/schemas/passages.ts';
import type { ByEndpoint } from '../../contract/targets.ts';
import { BookmarkToChange, Nothing, OnePerson, OneRecord, ShareToCreate } from './app-inputs.ts';
import { Done, ofAccount, ofMemories, ofSession, type RouteAtTarget } from './route-parts.ts';
import { NewShare, ShareEntry } from './share-records.ts';

/** A star, a note, or the texts of action items that are ticked. */
const StoredBookmark = v.object({
  memory_id: MemoryId,
  is_starred: v.boolean(),
  note: v.string(),
  changed_at: Timestamp,
  done_items: v.array(v.string()),
});

/** A search to save under a name. An empty query: the search of this name is removed. */
const SavedSearch = v.strictObject({
  name: Label,
  query: v.pipe(
    v.string(),
    v.maxLength(4096),
    v.check(canBeStored),
    v.description('the query of the address of a search, of up to 4,096 characters'),
  ),
});

/** A saved search. */
const StoredSearch = v.object({ name: v.string(), query: v.string(), changed_at: Timestamp });

/** Somebody who takes part in memories with another person, and in how many. */
const Companion = v.object({ name: v.string(), memories: v.number() });

const MemoryIds = v.pipe(
  v.array(MemoryId),
  v.minLength(1),
  v.maxLength(100),
  v.description('a list of up to 100 ids of memories'),
);

/** Memories whose speakers are listed. */
const SomeMemories = v.strictObject({ ids: MemoryIds });

/** Somebody who speaks in a memory, or all others together, and how many words. */
const Speaker = v.object({ memory_id: MemoryId, name: v.nullable(v.string()), words: v.number() });

/** What a person says in a memory. */
const SaidBy = v.strictObject({ ...OnePerson.entries, memory_id: MemoryId });

/** From when to when memories were written, as the feed of changes has it. */
const Written = v.strictObject({
  from: v.pipe(Timestamp, v.description('a UTC time such as 2026-11-18T09:00:00.000Z')),
  to: v.pipe(Timestamp, v.description('a UTC time such as 2026-11-18T09:00:00.000Z')),
});

/** A search by time. Its parameters are those of the request for its passages, which has pages besides. */
type SearchByTime = Pick<SearchParameters, 'is_processing'> &
  TimeFilters &
  FacetFilters & { readonly q: string };

const byTime = {
  q: QueryText,
  ...timeFilters,
  is_processing: v.optional(Flag),
  ...facetFilters,
};

/** A search whose memories are counted. */
const CountedSearch: InputSchema<SearchByTime> = v.strictObject(byTime);

/** The last memory of a page. */
const LastMemory = v.strictObject({ memory_id: MemoryId, started_at: Timestamp });

/** The parameters of its pages. */
export interface PageByTime extends SearchByTime {
  readonly after?: v.InferOutput<typeof LastMemory> | undefined;
  readonly limit?: number | undefined;
}

/** A search for the newest memories, ten or fewer because the passages of each are searched: the first ones, or those after the last one of a page. */
const NewestSearch: InputSchema<PageByTime> = v.strictObject({
  ...byTime,
  after: v.optional(LastMemory),
  limit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(10))),
});

/** A search, and memories that it has found. */
const LackedSearch: InputSchema<SearchByTime & { readonly ids: readonly string[] }> =
  v.strictObject({ ...byTime, ids: MemoryIds });

/** The endpoints of bookmarks, searches, shares, companions, speakers and sources of changes. */
export const bookmarkRoutes = {
  bookmarks: {
    list: {
      ...ofAccount,
      summary:
        'List the stars, notes and ticked action items of the account, the latest memory first',
      output: v.array(StoredBookmark),
    },
    set: {
      ...ofMemories,
      summary: 'Change the star or the note of a memory, or tick one of its action items',
      input: BookmarkToChange,
      output: StoredBookmark,
    },
  },
  searches: {
    list: {
      ...ofAccount,
      summary: 'List the saved searches of the account by their names',
      output: v.array(StoredSearch),
    },
    set: {
      ...ofSession(409, 422),
      summary: 'Save a search under a name, or remove the search of this name',
      input: SavedSearch,
      output: Done,
    },
    months: {
      ...ofSession(422),
      summary: 'Count the memories that a search finds, by months of its time zone',
      input: CountedSearch,
      output: v.record(v.string(), v.number()),
    },
    newest: {
      ...ofSession(422),
      summary: 'Find the newest memories of a search, with their passages',
      input: NewestSearch,
      output: v.object({ ...SearchResult.entries, next: v.optional(LastMemory) }),
    },
    lacked: {
      ...ofSession(422),
      summary: 'Find which words of a search some memories lack, if it has six words or fewer',
      input: LackedSearch,
      output: v.record(v.string(), v.array(v.string())),
    },
  },
  // If the app is read-only, these are 403.
  shares: {
    list: {
      ...ofMemories,
      summary: 'List the links of the account that have not ended, latest first',
      input: Nothing,
      output: v.array(ShareEntry),
    },
    create: {
      ...ofMemories,
      summary: 'Create a link to a memory, or to some of its lines, as they are now',
      input: ShareToCreate,
      output: NewShare,
    },
    revoke: {
      ...ofMemories,
      summary: 'Revoke a link, and delete what it shows',
      input: OneRecord,
      output: Done,
    },
  },
  lengths: {
    unknown: {
      ...ofSession(422),
      summary: 'List the days of a time zone with memories whose length is not known',
      input: v.strictObject({ timezone: v.optional(TimeZone, 'UTC') }),
      output: v.array(v.string()),
    },
  },
  companions: {
    list: {
      ...ofSession(422),
      summary: 'List with whom a person takes part in memories, the most frequent first',
      input: OnePerson,
      output: v.array(Companion),
    },
  },
  speakers: {
    list: {
      ...ofSession(422),
      summary:
        'List who speaks in some memories: the eight with the most words of each, then all others together',
      input: SomeMemories,
      output: v.array(Speaker),
    },
    said: {
      ...ofSession(404, 422),
      summary:
        'Get the longest line of a person in the first 80 kB of a memory, or line 0 if there is none',
      input: SaidBy,
      output: v.object({ text: v.string(), line: v.number() }),
    },
  },
  changes: {
    sources: {
      ...ofSession(422),
      summary: 'Count the memories that were written last within a time by their sources',
      input: Written,
      output: v.array(v.object({ name: v.string(), memories: v.number() })),
    },
  },
} as const satisfies ByEndpoint<RouteAtTarget>;
