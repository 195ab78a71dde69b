// The list of memories: which rows there are, the rows near the window, and what Back and news do to them.

import { effect, signal, untracked } from '@preact/signals';

import type { Change } from '../../../../contract/schemas/memory.ts';
import { yearOf } from '../../dates.ts';
import { formats } from '../../time-formats.ts';
import { news } from '../changes/change-list.ts';
import { rem, zone } from '../reading.ts';
import { readAnchor, type Kept } from '../router.ts';
import { api, toFailure } from '../session.ts';
import {
  daysOfFilter,
  facetsOfFilter,
  isCounted,
  listOfFilter,
  NO_FILTER,
  type Filter,
} from './filter.ts';
import { sumOf, type DayCount } from './layout.ts';
import type { Ask } from './list-parts.ts';
import { createCounted, createEndless } from './list-source.ts';
import { EMPTY, type List, type Opened } from './list-state.ts';
import type { Turn } from './reversed.ts';
import { FIELDS, HEAD, type Anchor, type Row } from './row.ts';

/** The list so far. Each change of its rows sets a new object. */
export const list = signal<List>(EMPTY);

/** Browsers place nothing exactly beyond some millions of pixels (measured: Firefox at 17 million). */
const MOST_PX = 8_000_000;

let filter = NO_FILTER;

let turn: Turn | undefined;
let wanted: readonly [number, number] = [0, 0];
let isReading = false;
/** The list that is being opened. */
let opening: string | undefined;
let recounted: Opened | undefined;

/** The row that has the focus, or gets it as soon as it is read. It is rendered wherever it is. */
export const current = signal<number>();

/** Forgets the list, so that it is read again. */
export function forgetList(): void {
  list.value = EMPTY;
}

/**
 * Reads a memory as a row. Undefined if there is none: it may have been deleted. `null` if it is damaged.
 * Rejects with `Failure`.
 */
export async function readRow(memory_id: string): Promise<Row | null | undefined> {
  try {
    return await api.memories.get({ memory_id, fields: FIELDS });
  } catch (error) {
    const { status } = toFailure(error);
    if (status === 404) return undefined;
    if (status === 500) return null;
    throw error;
  }
}

/** Returns a memory as the list has it. */
export function knownRow(id: string): Row | undefined {
  const source = list.value.opened?.source;
  return source?.rowAt(source.find(id) ?? -1) ?? undefined;
}

/** Returns the key of the list with a filter. */
export function keyOf(chosen: Filter): string {
  return JSON.stringify([chosen, zone.value]);
}

/** Opens the list with a filter, at the row that an entry of the history has. An order has its turn. */
export async function openList(chosen: Filter, kept: Kept | undefined, own?: Turn): Promise<void> {
  const key = keyOf(chosen);
  const { opened: shown, key: last, kept: arrived } = list.peek();
  const isOpen = last === key && shown !== undefined;
  if (opening === key || (isOpen && kept !== undefined && kept === arrived)) return;
  if (!isOpen) list.value = { ...EMPTY, key };
  filter = chosen;
  turn = own;
  opening = key;
  await guard(key, async () => {
    const opened = list.peek().opened ?? (await openFirst(kept?.anchor));
    const row = kept?.anchor && (await opened.source.locate(kept.anchor));
    if (list.peek().key !== key) return;
    const target = row === undefined ? undefined : { row, below: kept?.anchor?.below ?? 0 };
    current.value = kept?.focus?.endsWith(`/m/${kept.anchor?.id}`) === true ? row : undefined;
    list.value = { ...list.peek(), opened, target, kept, failure: undefined };
  });
  if (opening === key) opening = undefined;
}

/** Reads the rows from `from` to `to`, and what is near. Only the latest call counts. */
export async function want(from: number, to: number): Promise<void> {
  wanted = [from, to];
  const { key } = list.peek();
  if (isReading) return;
  isReading = true;
  await guard(key, async () => {
    for (;;) {
      const { opened } = list.peek();
      if (opened === undefined || !(await opened.source.step(...wanted))) break;
      if (list.peek().opened === opened) list.value = { ...list.peek(), failure: undefined };
      if (opened.source.isOff) await recount(opened);
    }
  });
  isReading = false;
  if (list.peek().key !== key) await want(...wanted);
}

/** Shows the new memories, without moving what is read. */
export async function showNews(): Promise<void> {
  await guard(list.peek().key, async () => apply(await readDays()));
}

/** Shows another year, if only one is shown. */
export async function showYear(year: string): Promise<void> {
  const { opened } = list.peek();
  if (opened?.year === undefined || opened.year === year) return;
  list.value = { ...list.peek(), opened: await open(opened.days, undefined, { chosen: year }) };
}

async function guard(key: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (list.peek().key === key) list.value = { ...list.peek(), failure: toFailure(error) };
  }
}

async function readDays(): Promise<readonly DayCount[] | undefined> {
  if (!isCounted(filter)) return undefined;
  return (await api.days.list(daysOfFilter(filter, zone.value))).toReversed();
}

/** The bounds of a part for the API. No memory starts after the year 9999. */
const between = (low: string, high: string) => ({
  started_after: low,
  ...(high[0] !== '+' && { started_before: high }),
});

/** Opens the list. At its top, the first rows are asked for at the same time as the days. */
async function openFirst(anchor: Anchor | undefined): Promise<Opened> {
  const isTop = anchor === undefined && isCounted(filter);
  const [days, head] = await Promise.all([readDays(), isTop ? readHead() : []]);
  return open(days, anchor, { head });
}

async function readHead(): Promise<readonly Row[]> {
  try {
    return (await api.memories.page({ ...listOfFilter(filter, zone.value), limit: HEAD })).items;
  } catch {
    return []; // one of them may be damaged; the part says so
  }
}

async function open(
  days: readonly DayCount[] | undefined,
  anchor: Anchor | undefined,
  {
    chosen,
    head = [],
  }: { readonly chosen?: string | undefined; readonly head?: readonly Row[] } = {},
): Promise<Opened> {
  const timezone = zone.value;
  const { dayOf } = formats.value;
  const input = listOfFilter(filter, timezone);
  const facets = facetsOfFilter(filter);
  if (days === undefined) {
    const source = createEndless(
      (cursor, limit) =>
        api.memories.page(cursor === undefined ? { ...input, limit } : { cursor, limit }),
      dayOf,
    );
    await source.step(0, 1);
    return { source, days, year: undefined };
  }
  const ask: Ask = {
    count: async (low, high) =>
      sumOf(await api.days.list({ timezone, ...facets, ...between(low, high) })).memories,
    page: (low, high, limit) => api.memories.page({ ...input, ...between(low, high), limit }),
    next: (cursor, limit) => api.memories.page({ cursor, limit }),
  };
  const all = createCounted({ ask, dayOf, head }, days);
  const source = turn?.(all, days) ?? all;
  if (source.layout.height * rem() <= MOST_PX) return { source, days, year: undefined };
  const year = chosen ?? yearOf(anchor === undefined ? (days[0]?.date ?? '') : dayOf(anchor.at));
  const ofYear = days.filter(({ date }) => yearOf(date) === year);
  return { source: createCounted({ ask, dayOf }, ofYear), days, year };
}

async function recount(opened: Opened): Promise<void> {
  if (recounted === opened) return;
  recounted = opened;
  const days = await readDays();
  if (JSON.stringify(days) !== JSON.stringify(opened.days) && list.peek().opened === opened)
    await apply(days);
}

/** Shows other days. What is in the window stays where it is. */
async function apply(days: readonly DayCount[] | undefined): Promise<void> {
  const { key, opened: old } = list.peek();
  const anchor = readAnchor();
  const hasFocus = anchor?.row === current.peek();
  const opened = await open(days, anchor, { chosen: anchor && old?.year });
  const row = anchor && (await opened.source.locate(anchor));
  // The old rows stay until the new ones can take their place.
  while (await opened.source.step(...wanted));
  if (list.peek().key !== key) return;
  current.value = hasFocus ? row : undefined;
  const target = row === undefined ? undefined : { row, below: anchor?.below ?? 0 };
  list.value = { ...list.peek(), opened, target, added: undefined, failure: undefined };
}

effect(() => {
  const changes = news.value;
  untracked(() => void guard(list.peek().key, () => notice(changes)));
});

async function notice(changes: readonly Change[]): Promise<void> {
  const { opened, key } = list.peek();
  if (opened === undefined || changes.length === 0) return;
  const known = changes.filter(
    ({ change, memory_id }) => change !== 'delete' && opened.source.find(memory_id) !== undefined,
  );
  for (const { memory_id } of known) {
    // The next look at the changes has it if it was deleted meanwhile.
    const row = await readRow(memory_id).catch(() => undefined);
    if (row) opened.source.replace(row);
    list.value = { ...list.peek() };
  }
  const days = await readDays();
  if (list.peek().key !== key) return;
  const added = days === undefined ? 0 : sumOf(days).memories - sumOf(opened.days ?? []).memories;
  const isOther =
    days === undefined
      ? known.length < changes.length
      : JSON.stringify(days) !== JSON.stringify(opened.days);
  if (!isOther) return;
  // In an empty list nothing is read that could move.
  const canMove = opened.source.layout.rows > 0 && (days === undefined || added > 0);
  if (canMove) list.value = { ...list.peek(), added };
  else await apply(days);
}
