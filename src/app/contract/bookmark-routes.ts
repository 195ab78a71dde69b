// The app's endpoints about bookmarks, the stars and notes of the owner, as data.

import * as v from 'valibot';

import type { Contract } from '../../contract/route.ts';
import { MemoryId, Timestamp } from '../../contract/schemas/memory.ts';
import { Bookmark } from './app-inputs.ts';
import { appTargets } from './app-targets.ts';
import { Done, ofAccount } from './route-parts.ts';

/** A star, a note, or both. */
const StoredBookmark = v.object({
  memory_id: MemoryId,
  is_starred: v.boolean(),
  note: v.string(),
  changed_at: Timestamp,
});

/** The endpoints of bookmarks. */
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
      auth: 'session',
      summary: 'Give a memory a star and a note, or take both away',
      input: Bookmark,
      output: Done,
      failures: [401, 404, 409, 422],
    },
  },
} as const satisfies Contract;
