// The feed of changes as the app reads it: newest first, page by page, until what is known or old enough.

import type { Api } from '../../../../contract/api.ts';
import type { Change } from '../../../../contract/schemas/memory.ts';

/** The size of the first page, which is small, because most often little has changed. */
export const FIRST_PAGE = 100;
const PAGE = 1000;
const MOST_PAGES = 6;

/** The latest changes, newest first. */
export interface Walk {
  readonly changes: readonly Change[];
  /** Whether the walk ended before it reached what it looked for. */
  readonly isCut: boolean;
}

/** Reads the latest changes until a page has one that `isReached`, at most 5,100. Rejects with `Failure`. */
export async function walkChanges(
  readPage: Api['changes']['page'],
  isReached: (change: Change) => boolean,
): Promise<Walk> {
  const changes: Change[] = [];
  let page = await readPage({ order: 'desc', limit: FIRST_PAGE });
  for (let count = 1; ; count++) {
    changes.push(...page.items);
    if (page.next === undefined || page.items.some(isReached)) return { changes, isCut: false };
    if (count === MOST_PAGES) return { changes, isCut: true };
    page = await readPage({ cursor: page.next, limit: PAGE });
  }
}

/**
 * Returns the changes of a newer look that an older one did not have, however long ago they are:
 * another clock, a late transaction or a restore can bring old times. If the older look has a whole
 * page, changes before its end are not new: it had no room for them.
 */
export function newOf(newer: readonly Change[], older: readonly Change[]): Change[] {
  const had = new Set(older.map(keyOf));
  const end = (older.length < FIRST_PAGE ? undefined : older.at(-1)?.changed_at) ?? '';
  return newer.filter((change) => change.changed_at >= end && !had.has(keyOf(change)));
}

function keyOf({ memory_id, change, changed_at }: Change): string {
  return `${memory_id} ${change} ${changed_at}`;
}
