// The app's endpoints about what only it shows, as data: the stars and notes of the owner, and who talks with whom.

import * as v from 'valibot';

import type { Contract } from '../../contract/route.ts';
import { MemoryId, Timestamp } from '../../contract/schemas/memory.ts';
import { Bookmark, OnePerson } from './app-inputs.ts';
import { appTargets } from './app-targets.ts';
import { Done, ofAccount, ofMemories } from './route-parts.ts';

/** A star, a note, or both. */
const StoredBookmark = v.object({
  memory_id: MemoryId,
  is_starred: v.boolean(),
  note: v.string(),
  changed_at: Timestamp,
});

/** Somebody who takes part in memories with another person, and in how many. */
const Companion = v.object({ name: v.string(), memories: v.number() });

/** The endpoints of bookmarks and companions. */
export const bookmarkRoutes = {
  bookmarks: {
    list: {
      ...appTargets.bookmarks.list,
      ...ofAccount,
      summary: 'List the stars and notes of the account, the latest memory first',
      output: v.array(StoredBookmark),
    },
    set: {
      ...appTargets.bookmarks.set,
      ...ofMemories,
      summary: 'Give a memory a star and a note, or take both away',
      input: Bookmark,
      output: Done,
    },
  },
  companions: {
    list: {
      ...appTargets.companions.list,
      auth: 'session',
      summary: 'List with whom a person takes part in memories, the most frequent first',
      input: OnePerson,
      output: v.array(Companion),
      failures: [401, 422],
    },
  },
} as const satisfies Contract;
