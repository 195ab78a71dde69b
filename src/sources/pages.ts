// Reads a source page by page: lists with their details, and feeds. Each page says where the next run continues.

import type { JsonObject } from '../formats/format.ts';
import { isProblem, SourceFailure } from './failure.ts';
import { checked, idOf, loadItems, type LoadedItems } from './items.ts';
import { sendToProduct, type ProductTarget } from './product-request.ts';
import { serverTime } from './retry.ts';
import type { ProductPage, Source, SourcePosition } from './source.ts';
import { lookBackMs, type SourceState } from './state.ts';

/** The part of a source to read. */
export interface PullOptions {
  readonly state: SourceState;
  /** Items of this time or later, in milliseconds since 1970. Default: new and changed items. */
  readonly since?: number | undefined;
  /** Whether to list everything, to find out what was deleted. */
  readonly isFull: boolean;
}

/** A page that was read whole. */
export interface PulledPage extends LoadedItems {
  /** The ids of items that were deleted at the source. */
  readonly deleted: readonly string[];
  /** The versions of recent items. Remove the versions of rejected items before you store the state. */
  readonly seen: Map<string, string>;
  /** The state to store when the page is written, without `seen`. */
  readonly state: SourceState;
  /** With the last page of a complete list or feed: the ids of all items that exist. */
  readonly complete?: ReadonlySet<string>;
}

/** Reads all pages. Throws `SourceFailure`; the pages before it count. */
export function pullPages(target: ProductTarget, options: PullOptions): AsyncGenerator<PulledPage> {
  return target.source.order === 'feed' ? pullFeed(target, options) : pullList(target, options);
}

async function* pullList(target: ProductTarget, options: PullOptions): AsyncGenerator<PulledPage> {
  const { source } = target;
  const { state, since, isFull } = options;
  const seen = new Map(Object.entries(state.seen ?? {}));
  const window =
    since ?? (state.since === undefined ? undefined : state.since - lookBackMs(source));
  const from = isFull ? undefined : window;
  const times = new Map<string, number | undefined>();
  let refuseRepetition = createGuard(target);
  const walks = createWalks(source);
  let high = state.since;
  let cursor: string | undefined;
  for (;;) {
    const at: SourcePosition = { cursor, since: from };
    const { page, time } = await readPage(target, at);
    const within = page.items.filter((item) => !isOlder(source.timeOf(item), window));
    const fresh = walks.isFirst()
      ? within
      : within.filter((item) => !times.has(idOf(target, item)));
    high = newest([high, ...page.items.map(source.timeOf)], time);
    const found = await loadItems(target, fresh, seen);
    const isPast = !isFull && source.order === 'newest first' && isEmptyWindow(page, within);
    const ids = page.items.map((item) => idOf(target, item));
    walks.add(ids, cursor === undefined);
    cursor = isPast ? undefined : page.next;
    for (const [i, id] of ids.entries()) times.set(id, source.timeOf(page.items[i] as JsonObject));
    const isAgain = cursor === undefined && walks.again();
    const isEnd = cursor === undefined && !isAgain && !walks.hasGap();
    if (isEnd) prune(seen, times, (high ?? 0) - lookBackMs(source));
    const isReached = (isEnd || source.order === 'oldest first') && !leavesGap(options);
    const reached = isReached ? high : state.since;
    yield {
      ...found,
      deleted: page.deleted ?? [],
      seen,
      state: reached === undefined ? {} : { since: reached },
      ...(isEnd && isFull && { complete: new Set(times.keys()) }),
    };
    if (isAgain) refuseRepetition = createGuard(target);
    else if (cursor === undefined) return;
    else refuseRepetition(cursor, walks.size());
  }
}

/** How often a list is read at most, because items were deleted while it was. After that, the next run reads it again. */
const MOST_WALKS = 5;

/**
 * Tells whether a list by position must be read again: an item that is deleted moves all behind it to the front,
 * and one of them perhaps to a page that was read already. That cannot be if each page repeats an item of the pages
 * before it, or if two readings found the same.
 */
function createWalks({ isByPosition = false }: Source) {
  let count = 1;
  let before: ReadonlySet<string> | undefined;
  let ids = new Set<string>();
  let isTorn = false;
  return {
    isFirst: () => count === 1,
    size: () => ids.size,
    add(found: readonly string[], isFirstPage: boolean): void {
      isTorn ||= isByPosition && !isFirstPage && !found.some((id) => ids.has(id));
      for (const id of found) ids.add(id);
    },
    /** Whether this reading may lack items. */
    hasGap: () => isTorn && before?.isSubsetOf(ids) !== true,
    /** Begins another reading if this one may lack items. */
    again(): boolean {
      if (!isTorn || before?.isSubsetOf(ids) === true || count === MOST_WALKS) return false;
      count++;
      before = ids;
      ids = new Set();
      isTorn = false;
      return true;
    },
  };
}

async function* pullFeed(
  target: ProductTarget,
  { state }: PullOptions,
): AsyncGenerator<PulledPage> {
  const seen = new Map<string, string>();
  let isResync = state.isResync ?? false;
  let cursor = isResync ? undefined : state.cursor;
  let all = new Set<string>();
  const known = new Set<string>();
  const refuseRepetition = createGuard(target);
  for (;;) {
    let page: ProductPage;
    try {
      ({ page } = await readPage(target, { cursor, since: undefined }));
    } catch (error) {
      if (!isProblem(error, 'expired') || cursor === undefined) throw error;
      // The feed starts again. Its end tells which items it no longer lists.
      isResync = true;
      cursor = undefined;
      all = new Set();
      continue;
    }
    const found = await loadItems(target, page.items, seen);
    for (const item of page.items) all.add(idOf(target, item));
    for (const id of page.deleted ?? []) all.delete(id);
    for (const id of [...page.items.map((item) => idOf(target, item)), ...(page.deleted ?? [])])
      known.add(id);
    const isEnd = page.isEnd === true || page.next === undefined;
    cursor = page.next ?? cursor;
    yield {
      ...found,
      deleted: page.deleted ?? [],
      seen,
      state: isResync && !isEnd ? { isResync } : { ...(cursor !== undefined && { cursor }) },
      ...(isEnd && isResync && { complete: all }),
    };
    if (isEnd || cursor === undefined) return;
    refuseRepetition(cursor, known.size);
  }
}

/** Lists the ids of all items, without loading them. Throws `SourceFailure` if the list breaks off. */
export async function listIds(target: ProductTarget): Promise<ReadonlySet<string>> {
  const all = new Set<string>();
  const refuseRepetition = createGuard(target);
  for (let cursor: string | undefined; ;) {
    const { page } = await readPage(target, { cursor, since: undefined });
    for (const item of page.items) all.add(idOf(target, item));
    cursor = page.next;
    if (cursor === undefined) return all;
    refuseRepetition(cursor, all.size);
  }
}

async function readPage(
  target: ProductTarget,
  at: SourcePosition,
): Promise<{ page: ProductPage; time: number }> {
  const reply = await sendToProduct(target, target.source.list(at));
  return {
    page: checked(target, () => target.source.readPage(reply, at)),
    // A clock that is behind repeats some items, but one that is ahead would hide some.
    time: Math.min(serverTime(reply.headers) ?? Infinity, Date.now()),
  };
}

/** Returns the newest time, but none in the future: a device with a wrong clock must not hide what comes later. */
function newest(times: readonly (number | undefined)[], now: number): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.min(Math.max(...known), now);
}

/** Whether `since` leaves out items that no run has read. Then the next run must not continue behind them. */
function leavesGap({ since, state }: PullOptions): boolean {
  return since !== undefined && state.since !== undefined && since > state.since;
}

function isOlder(time: number | undefined, than: number | undefined): boolean {
  return time !== undefined && than !== undefined && time < than;
}

/** Whether a page has items, all of them older than what is asked for. */
function isEmptyWindow({ items }: ProductPage, fresh: readonly JsonObject[]): boolean {
  return items.length > 0 && fresh.length === 0;
}

/** Forgets the versions of items that no later run looks at. */
function prune(
  seen: Map<string, string>,
  times: ReadonlyMap<string, number | undefined>,
  oldest: number,
): void {
  for (const id of seen.keys())
    if (!times.has(id) || isOlder(times.get(id), oldest)) seen.delete(id);
}

/** Far more than any product needs, such as one with a page for each day. */
const MOST_IDLE_PAGES = 1000;

/**
 * Creates the guard of a list or a feed. It is called after each page, with the next cursor and with how many
 * items the pages had so far. It throws `SourceFailure` if the pages would never end.
 */
function createGuard({ source }: ProductTarget): (cursor: string, known: number) => void {
  const cursors = new Set<string>();
  let before = 0;
  let idle = 0;
  return (cursor, known) => {
    idle = known === before ? idle + 1 : 0;
    before = known;
    const problem = cursors.has(cursor)
      ? 'gives the same page again and again'
      : idle >= MOST_IDLE_PAGES && 'gives page after page without anything new';
    if (problem !== false)
      throw new SourceFailure('response', `${source.name} ${problem}; run it again later.`);
    cursors.add(cursor);
  };
}
