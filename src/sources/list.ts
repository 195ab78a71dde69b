// Reads a list page by page. A run that is interrupted leaves a tail, which the next run reads first.

import { createGuard } from './guard.ts';
import { idOf, loadItems } from './items.ts';
import {
  boundOf,
  canLeaveTail,
  createOrder,
  nextPosition,
  type PagePosition,
} from './list-order.ts';
import { readPage, type PulledPage, type PullOptions } from './page.ts';
import type { ProductTarget } from './product-request.ts';
import { createReadings } from './readings.ts';
import type { ProductPage, Source } from './source.ts';
import { lookBackMs, type SourceState, type Tail } from './state.ts';

/** Reads the tail of an interrupted run, and then what is new or has changed. Throws `SourceFailure`. */
export async function* pullList(
  target: ProductTarget,
  options: PullOptions,
): AsyncGenerator<PulledPage> {
  const { source } = target;
  const { isFull, until } = options;
  let { since } = options;
  const { seen: versions = {}, ...stored } = options.state;
  let state: SourceState = stored;
  const reading = { target, seen: new Map(Object.entries(versions)) };
  const tail = tailToRead(options);
  if (tail !== undefined) {
    const { from, high } = tail;
    const span = { from, until: boundOf(source, tail.reached), high };
    state = yield* readSpan(reading, {
      ...span,
      state,
      kind: 'tail',
      isFull: false,
      isLookingBack: false,
    });
    // The next run looks back further: with this one, a product that allows little would never let it end.
    since = isFull ? undefined : state.since;
  } else if (since === undefined && state.since !== undefined && until === undefined && !isFull)
    since = state.since - lookBackMs(source);
  const isLookingBack = tail === undefined;
  const kind = movesPosition(state, { since, until }) ? 'head' : 'part';
  yield* readSpan(reading, {
    from: since,
    until,
    high: state.since,
    state,
    kind,
    isFull,
    isLookingBack,
  });
}

/** Returns the tail, if the options ask for it. */
function tailToRead({ state: { tail }, since, until }: PullOptions): Tail | undefined {
  return until === undefined && (since === undefined || since === tail?.from) ? tail : undefined;
}

/** Whether the next run may continue behind what is read now. Otherwise it would leave out what no run has read. */
function movesPosition(
  state: SourceState,
  { since, until }: Pick<PullOptions, 'since' | 'until'>,
): boolean {
  if (until !== undefined || state.tail !== undefined) return false;
  return since === undefined || state.since === undefined || since <= state.since;
}

/** What all pages of a run share. `seen` has the versions of the items that were read. */
interface Reading {
  readonly target: ProductTarget;
  readonly seen: Map<string, string>;
}

/** A part of a list. Times are milliseconds since 1970. */
interface Span {
  /** Only items of this time or later. */
  readonly from: number | undefined;
  /** Only items before this time. */
  readonly until: number | undefined;
  /** The newest time so far. */
  readonly high: number | undefined;
  /** The stored state, without `seen`. */
  readonly state: SourceState;
  /** `head` reaches the newest item, `tail` is what an interrupted head has left. `part` leaves the state as it is. */
  readonly kind: 'head' | 'tail' | 'part';
  readonly isFull: boolean;
  /** Whether it has all items whose versions are of use. */
  readonly isLookingBack: boolean;
}

/** Reads a part of a list. Returns the state after it, without `seen`. */
async function* readSpan(
  { target, seen }: Reading,
  span: Span,
): AsyncGenerator<PulledPage, SourceState> {
  const { source } = target;
  const { from, until, isFull, kind, isLookingBack } = span;
  const times = new Map<string, number | undefined>();
  const readings = createReadings(source);
  let refuseRepetition = createGuard(target);
  let order = createOrder(source);
  let { high, state } = span;
  let at: PagePosition = { cursor: undefined, until };
  for (;;) {
    const { page, time } = await readPage(target, { ...at, since: from });
    const ids = page.items.map((item) => idOf(target, item));
    const fresh = page.items.filter(
      (item, i) => isWithin(source.timeOf(item), span) && !(ids[i] && times.has(ids[i])),
    );
    const found = await loadItems(target, fresh, seen);
    readings.add(ids, at.cursor === undefined);
    for (const [i, item] of page.items.entries()) times.set(ids[i] ?? '', source.timeOf(item));
    high = newest([high, ...page.items.map(source.timeOf)], time);
    order.add(page.items);
    const next = isBehind(source, page, span) ? undefined : nextPosition(source, page, at, order);
    const isAgain = next === undefined && readings.again();
    const isEnd = next === undefined && !isAgain && !readings.hasGap();
    if (isEnd && kind === 'head' && isLookingBack)
      prune(seen, times, (high ?? 0) - lookBackMs(source));
    const backTo = order.reached();
    state = stateAfter(source, span, {
      high,
      isEnd,
      reached: order.isSorted() ? backTo : undefined,
    });
    yield {
      ...found,
      deleted: page.deleted ?? [],
      seen,
      state,
      ...(source.order === 'newest first' && { backTo }),
      ...(isEnd && isFull && { complete: new Set(times.keys()) }),
    };
    if (isAgain) {
      refuseRepetition = createGuard(target);
      order = createOrder(source);
      at = { cursor: undefined, until };
    } else if (next === undefined) return state;
    else {
      refuseRepetition(`${next.cursor} ${next.until}`, readings.size());
      at = next;
    }
  }
}

/** The state after a page: where the next run continues, if this one ends here. */
function stateAfter(
  source: Source,
  { state, kind, from, isFull }: Span,
  {
    high,
    isEnd,
    reached,
  }: {
    readonly high: number | undefined;
    readonly isEnd: boolean;
    /** The oldest time so far; undefined if older pages may have newer items. */
    readonly reached: number | undefined;
  },
): SourceState {
  if (kind === 'part') return state;
  const before = state.since === undefined ? {} : { since: state.since };
  if (isEnd || source.order === 'oldest first')
    return high === undefined ? before : { since: high };
  // A comparison of everything begins anew if it is interrupted.
  const isComparison = isFull && state.since !== undefined;
  if (!canLeaveTail(source) || isComparison || high === undefined || reached === undefined)
    return before;
  return { ...before, tail: { high, reached, ...(from !== undefined && { from }) } };
}

/** Returns the newest time, but none in the future: a device with a wrong clock must not hide what comes later. */
function newest(times: readonly (number | undefined)[], now: number): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.min(Math.max(...known), now);
}

function isWithin(time: number | undefined, { from, until }: Span): boolean {
  if (time === undefined) return true;
  return !(from !== undefined && time < from) && !(until !== undefined && time >= until);
}

/** Whether a page has items, and the list has left the span with them. */
function isBehind(source: Source, { items }: ProductPage, { from, until, isFull }: Span): boolean {
  if (isFull || items.length === 0) return false;
  const range =
    source.order === 'newest first' ? { from, until: undefined } : { from: undefined, until };
  return !items.some((item) => isWithin(source.timeOf(item), range as Span));
}

/** Forgets the versions of items that no later run looks at. */
function prune(
  seen: Map<string, string>,
  times: ReadonlyMap<string, number | undefined>,
  oldest: number,
): void {
  for (const id of seen.keys()) {
    const time = times.get(id);
    if (!times.has(id) || (time !== undefined && time < oldest)) seen.delete(id);
  }
}
