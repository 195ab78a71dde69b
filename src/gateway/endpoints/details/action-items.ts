// Action items: read batch by batch, in pages.

import * as v from 'valibot';

import { toJson } from '../../../contract/json.ts';
import type { FoundItem } from '../../../contract/schemas/facets.ts';
import { MemoryId } from '../../../contract/schemas/memory.ts';
import { Limit } from '../../../contract/schemas/parameters.ts';
import type { ItemPosition, StoredItem } from '../../../store/details/reads.ts';
import type { Scope } from '../../../store/scope.ts';
import type { Store } from '../../../store/store.ts';
import { step, type Steps } from '../../fair-share/time.ts';
import type { Caller } from '../../request/auth.ts';
import { bounds, readCursor, Whole, writeCursor } from '../cursor.ts';
import { cutPage, type DetailsPage } from './detail-page.ts';

const ItemsCursor = v.strictObject({
  of: v.literal('action_items'),
  limit: v.optional(Limit),
  done: v.optional(v.boolean()),
  // As it is compared, which is short enough for a URL.
  owner: v.optional(v.string()),
  ...bounds,
  after: v.optional(v.strictTuple([Whole, MemoryId, Whole])),
});

/** Which action items to list. */
export type ItemsQuery = Omit<v.InferOutput<typeof ItemsCursor>, 'of'>;

/** Writes the cursor of a list of action items. */
export function itemsCursor(query: ItemsQuery): string {
  return writeCursor({ of: 'action_items', ...query });
}

/** Reads the cursor of a list of action items. Returns undefined if `itemsCursor` did not write it. */
export function readItemsCursor(text: string): ItemsQuery | undefined {
  return readCursor(ItemsCursor, text);
}

/** How many items are read at a time. */
const BATCH = 500;

/** Reads action items batch by batch, until a page is full or the list ends. */
export function* readItems(
  store: Store,
  { account_id, revision, scope }: Caller,
  { done, owner, limit = Infinity, after, ...window }: ItemsQuery,
): Steps<DetailsPage<FoundItem, ItemsQuery['after']>> {
  const isWanted = (item: StoredItem): boolean =>
    (owner === undefined || item.folded === owner) &&
    (done === undefined || item.done === Number(done));
  const all: StoredItem[] = [];
  const revisions = new Set<string | undefined>();
  let position: ItemPosition | undefined = after && {
    started_at: after[0],
    memory_id: after[1],
    number: after[2],
  };
  while (all.length <= limit) {
    const range = { account_id, revision, ...window, after: position, limit: BATCH };
    const { found, revision: read } = yield* step(store.actionItems(range));
    revisions.add(read);
    all.push(...found.filter(isWanted));
    position = found.at(-1);
    if (position === undefined || found.length < BATCH) break;
  }
  const { page, end } = cutPage(all, limit);
  const [only] = revisions.size === 1 ? revisions : [];
  return {
    body: toJson(page.map((item) => toItem(item, scope))),
    last: end && [end.started_at, end.memory_id, end.number],
    revision: only,
  };
}

function toItem(item: StoredItem, scope: Scope | undefined): FoundItem {
  const { memory_id, name, started_at, text, owner, due, done, line } = item;
  return {
    memory_id,
    name,
    started_at: new Date(started_at).toISOString(),
    text,
    owner,
    due,
    done: done === null ? null : done === 1,
    line: scope?.reads === 'summaries' ? null : line,
  };
}
