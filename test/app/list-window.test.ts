// The list without a browser: days become heights, a window becomes rows, rows become requests, and an address becomes a filter.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import {
  absentIn,
  isCounted,
  isLimited,
  NO_FILTER,
  readFilter,
} from '../../src/app/browser/state/list/filter.ts';
import {
  layOut,
  rowAt,
  rowOfDate,
  sectionsOf,
  SIZES,
  topOfRow,
  yearsOf,
} from '../../src/app/browser/state/list/layout.ts';
import type { Ask } from '../../src/app/browser/state/list/list-parts.ts';
import { createCounted, createEndless } from '../../src/app/browser/state/list/list-source.ts';
import { createReversed } from '../../src/app/browser/state/list/reversed.ts';
import type { Row } from '../../src/app/browser/state/list/row.ts';
import { Failure } from '../../src/contract/failure.ts';

const DAYS = [
  { date: '2026-11-18', memories: 4 },
  { date: '2026-11-17', memories: 1 },
  { date: '2026-11-10', memories: 3 },
  { date: '2024-02-29', memories: 2 },
];

/** Rows, newest first, of which some are damaged, behind the requests of the API. */
function serveRows(starts: readonly number[], damaged: readonly string[] = []) {
  const row = (id: string, at: number): Row => ({
    id,
    name: id,
    started_at: new Date(at).toISOString(),
    duration_seconds: 0,
    is_processing: false,
    summary: { quick_summary: '', key_takeaways: [] },
  });
  const rows = starts
    .map((at, index) => row(`m${index}`, at))
    .toSorted((a, b) => b.started_at.localeCompare(a.started_at) || (a.id < b.id ? 1 : -1));
  const asked: string[] = [];
  const between = (low: string, high: string) =>
    rows.filter(
      ({ started_at }) =>
        Date.parse(started_at) >= Date.parse(low) && Date.parse(started_at) < Date.parse(high),
    );
  const page = (found: readonly Row[], limit: number) => {
    const items = found.slice(0, limit);
    if (items.some(({ id }) => damaged.includes(id))) throw new Failure(500, 'is damaged');
    const last = items.at(-1);
    return { items, next: found.length > limit ? last?.id : undefined };
  };
  const ask: Ask = {
    count: async (low, high) => {
      asked.push('count');
      return between(low, high).length;
    },
    page: async (low, high, limit) => {
      asked.push(`page ${limit}`);
      return page(between(low, high), limit);
    },
    next: async (cursor, limit) => {
      asked.push(`next ${limit}`);
      return page(rows.slice(rows.findIndex(({ id }) => id === cursor) + 1), limit);
    },
  };
  const dayOf = (iso: string) => iso.slice(0, 10);
  const counts = new Map<string, number>();
  for (const { started_at } of rows)
    counts.set(dayOf(started_at), (counts.get(dayOf(started_at)) ?? 0) + 1);
  const days = Array.from(counts, ([date, memories]) => ({ date, memories }));
  return { rows, ask, asked, dayOf, days };
}

async function readAll(source: ReturnType<typeof createCounted>, from: number, to: number) {
  while (await source.step(from, to));
  return Array.from({ length: to - from }, (_, index) => source.rowAt(from + index));
}

const NOON = Date.UTC(2026, 10, 18, 12);

describe('The list of the app', () => {
  it('gives every row a place of its own, in the order of the list', () => {
    const layout = layOut(DAYS);
    assert.equal(layout.rows, 10);
    for (let row = 0; row < layout.rows; row += 1) {
      const top = topOfRow(layout, row);
      assert.equal(rowAt(layout, top), row);
      assert.equal(rowAt(layout, top + SIZES.row - 0.01), row);
      if (row > 0) assert.ok(top >= topOfRow(layout, row - 1) + SIZES.row);
      assert.ok(top + SIZES.row <= layout.height);
    }
    assert.equal(rowAt(layout, -100), 0);
    assert.equal(rowAt(layout, layout.height + 100), 9);
    assert.equal(rowAt(layOut([]), 5), 0);
  });

  it('says how many days have no recordings if more than three weeks have none, across a leap day as well', () => {
    const gapsOf = (days: Parameters<typeof layOut>[0]) => layOut(days).days.map(({ gap }) => gap);
    assert.deepEqual(gapsOf(DAYS), [0, 0, 0, 984]);
    const memories = 1;
    assert.deepEqual(
      gapsOf(['2026-11-18', '2026-10-26', '2026-10-04'].map((date) => ({ date, memories }))),
      [0, 22, 0],
    );
  });

  it('says where a month begins below another one, on a line that has a place of its own', () => {
    const memories = 1;
    const days = ['2026-11-02', '2026-11-01', '2026-10-31', '2025-10-30'];
    const layout = layOut(days.map((date) => ({ date, memories })));
    assert.deepEqual(
      layout.days.map(({ isMonth }) => isMonth),
      [false, false, true, true],
    );
    const tops = layout.days.map((_, row) => topOfRow(layout, row));
    assert.ok(tops.every((top, row) => rowAt(layout, top) === row));
    const usual = SIZES.row + SIZES.head;
    assert.deepEqual(
      tops.slice(1).map((top, row) => top - (tops[row] ?? 0)),
      [usual, usual + SIZES.gap, usual + SIZES.gap],
    );
  });

  it('says what the days between have none of: memories, memories with somebody, or such ones', () => {
    assert.equal(absentIn({ ...NO_FILTER, from: '2026-11-01', to: '2026-11-30' }), 'memories');
    assert.equal(absentIn({ ...NO_FILTER, person: ['Henrik'] }), 'Henrik');
    assert.equal(absentIn({ ...NO_FILTER, person: ['User'], from: '2026-11-01' }), 'You');
    for (const limits of [
      { person: ['Henrik', 'Mira'] },
      { person: ['Henrik'], q: 'fridge' },
      { tag: 'work' },
      { state: 'ready' },
    ] as const)
      assert.equal(absentIn({ ...NO_FILTER, ...limits }), 'such memories', JSON.stringify(limits));
  });

  it('renders the rows of the window alone, and the one with the focus', () => {
    const layout = layOut(DAYS);
    const shown = (from: number, to: number, also?: number) =>
      sectionsOf(layout, [from, to], also).map(({ day, rows }) => [day.date, ...rows]);
    assert.deepEqual(shown(3, 6), [
      ['2026-11-18', 3],
      ['2026-11-17', 4],
      ['2026-11-10', 5],
    ]);
    assert.deepEqual(shown(-8, 2, 9), [
      ['2026-11-18', 0, 1],
      ['2024-02-29', 9],
    ]);
    assert.deepEqual(shown(20, 30, 40), []);
  });

  it('jumps to a year or a day, or to the newest one before it', () => {
    const layout = layOut(DAYS);
    assert.deepEqual(
      yearsOf(DAYS).map(({ year, memories, months }) => ({
        year,
        memories,
        months: months.filter((each) => each.memories > 0),
        last: months[0]?.month,
        count: months.length,
      })),
      [
        {
          year: '2026',
          memories: 8,
          months: [{ month: '2026-11', memories: 8 }],
          last: '2026-12',
          count: 12,
        },
        {
          year: '2024',
          memories: 2,
          months: [{ month: '2024-02', memories: 2 }],
          last: '2024-12',
          count: 12,
        },
      ],
    );
    assert.deepEqual(
      yearsOf(DAYS, true).map(({ months }) => [months.length, months[0]?.month]),
      [
        [11, '2026-11'],
        [11, '2024-12'],
      ],
      'cut at the newest and the oldest month',
    );
    assert.equal(rowOfDate(layout, '2026-12-31'), 0);
    assert.equal(rowOfDate(layout, '2026-11-17'), 4);
    assert.equal(rowOfDate(layout, '2026-11-12'), 5);
    assert.equal(rowOfDate(layout, '2025-12-31'), 8);
    assert.equal(rowOfDate(layout, '1999-12-31'), 9);
  });

  it('reads a long day in halves of its time, near the window alone', async () => {
    const { rows, ask, asked, dayOf, days } = serveRows(
      Array.from({ length: 20_000 }, (_, index) => NOON + index),
    );
    const source = createCounted({ ask, dayOf }, days);
    assert.deepEqual(await readAll(source, 12_000, 12_030), rows.slice(12_000, 12_030));
    assert.ok(asked.length < 50, `${asked.length} requests`);
    assert.deepEqual(await readAll(source, 19_990, 20_000), rows.slice(19_990));
    assert.equal(source.isOff, false);
  });

  it('reads memories that all start at the same moment, which only cursors tell apart', async () => {
    const { rows, ask, dayOf, days } = serveRows(Array.from({ length: 3500 }, () => NOON));
    const source = createCounted({ ask, dayOf }, days);
    assert.deepEqual(await readAll(source, 2990, 3010), rows.slice(2990, 3010));
    assert.deepEqual(await readAll(source, 0, 10), rows.slice(0, 10));
  });

  it('shows all others when memories are damaged, which fail the whole page', async () => {
    const hour = 3_600_000;
    const { rows, ask, dayOf, days } = serveRows(
      Array.from({ length: 60 }, (_, index) => NOON - index * hour),
      ['m7', 'm8', 'm40'],
    );
    const source = createCounted({ ask, dayOf }, days);
    assert.deepEqual(
      await readAll(source, 0, 60),
      rows.map((row) => (['m7', 'm8', 'm40'].includes(row.id) ? null : row)),
    );
  });

  it('has the oldest first if it is reversed, also around damage, and finds a row again', async () => {
    const { rows, ask, dayOf, days } = serveRows(
      Array.from({ length: 60 }, (_, index) => NOON - index * 3_600_000),
      ['m40'],
    );
    const source = createReversed(createCounted({ ask, dayOf }, days), days);
    assert.deepEqual(
      source.layout.days.map(({ date }) => date),
      days.map(({ date }) => date).toReversed(),
    );
    const forwards = rows.toReversed().map((row) => (row.id === 'm40' ? null : row));
    assert.deepEqual(await readAll(source, 5, 30), forwards.slice(5, 30));
    assert.deepEqual(await readAll(source, 0, 60), forwards);
    const { id, started_at: at } = forwards[50] ?? assert.fail();
    assert.equal(source.find(id), 50);
    assert.equal(await source.locate({ id, at, row: 0, below: 0 }), 50);
    assert.deepEqual(
      layOut([{ date: '2026-10-25', memories: 1 }, ...DAYS.slice(0, 1)]).days.map(({ gap }) => gap),
      [0, 23],
      'days without memories are told in this order as well',
    );
  });

  it('keeps few parts in memory', async () => {
    const { ask, dayOf, days } = serveRows(
      Array.from({ length: 6000 }, (_, index) => NOON - index * 900_000),
    );
    const source = createCounted({ ask, dayOf }, days);
    for (let row = 0; row < 6000; row += 50) await readAll(source, row, row + 10);
    const read = Array.from({ length: 6000 }, (_, row) => source.rowAt(row)).filter(Boolean);
    assert.ok(read.length > 500 && read.length < 3000, `${read.length} rows`);
  });

  it('finds a row again after others came above it, and its neighbour if it is gone', async () => {
    const starts = Array.from({ length: 500 }, (_, index) => NOON - index * 600_000);
    const before = serveRows(starts);
    const row = 300;
    const { id, started_at: at } = before.rows[row] ?? assert.fail();
    const anchor = { id, at, row, below: 0 };
    const more = [...starts, ...Array.from({ length: 70 }, (_, index) => NOON + index)];
    const after = serveRows(more);
    const source = createCounted(after, after.days);
    assert.equal(await source.locate(anchor), 370);
    assert.equal(source.rowAt(370)?.id, id);
    const gone = serveRows(starts.filter((_, index) => index !== row));
    const rest = createCounted(gone, gone.days);
    assert.equal(await rest.locate(anchor), 300);
  });

  it('notices that there are more or fewer memories than were counted', async () => {
    const { ask, dayOf, days } = serveRows([NOON, NOON + 1, NOON + 2]);
    for (const memories of [2, 4]) {
      const source = createCounted({ ask, dayOf }, [{ date: days[0]?.date ?? '', memories }]);
      await readAll(source, 0, memories);
      assert.equal(source.isOff, true, `${memories} counted`);
    }
  });

  it('reads on page by page where nothing counts the memories', async () => {
    const { rows, dayOf } = serveRows(
      Array.from({ length: 130 }, (_, index) => NOON - index * 3_600_000),
    );
    const source = createEndless(async (cursor, limit) => {
      const from = Number(cursor ?? 0);
      const items = rows.slice(from, from + limit);
      return { items, next: from + limit < rows.length ? String(from + limit) : undefined };
    }, dayOf);
    assert.equal(await source.step(0, 10), true);
    assert.equal(source.layout.rows, 50);
    const { id, started_at: at } = rows[110] ?? assert.fail();
    assert.equal(await source.locate({ id, at, row: 110, below: 0 }), 110);
    assert.deepEqual(
      Array.from({ length: 110 }, (_, row) => source.rowAt(row)?.id),
      rows.slice(0, 110).map((row) => row.id),
    );
    while (await source.step(0, 1000));
    assert.equal(source.layout.rows, 130);
    assert.equal(await source.step(0, 1000), false);
  });

  it('looks at each memory once, however many pages it is read in', async () => {
    const { rows, dayOf } = serveRows(
      Array.from({ length: 5000 }, (_, index) => NOON - index * 3_600_000),
    );
    let formatted = 0;
    const source = createEndless(
      async (cursor, limit) => {
        const from = Number(cursor ?? 0);
        const next = from + limit < rows.length ? String(from + limit) : undefined;
        return { items: rows.slice(from, from + limit), next };
      },
      (iso) => {
        formatted += 1;
        return dayOf(iso);
      },
    );
    for (let to = 50; await source.step(0, to); to += 50);
    assert.equal(source.layout.rows, 5000);
    assert.equal(formatted, 5000);
    assert.deepEqual(
      source.layout.days.map(({ date }) => date),
      [...new Set(rows.map(({ started_at }) => dayOf(started_at)))],
    );
  });

  it('reads filters from the address, and ignores what is none', () => {
    const filter = {
      ...NO_FILTER,
      from: '2026-11-01',
      state: 'ready',
      person: ['Mira', 'Henrik'],
    } as const;
    const address = 'q=crystal+milk&from=2026-11-01&state=ready&person=Mira&person=Henrik';
    assert.deepEqual(readFilter(address), filter);
    const none = NO_FILTER;
    for (const query of ['', 'q=+&person=+&from=1.11.&to=2026-13-01&state=x&other=1'])
      assert.deepEqual(readFilter(query), none, query);
    assert.deepEqual([isLimited(none), isLimited(filter)], [false, true]);
    assert.equal(isLimited({ ...none, person: ['Mira'] }), true);
    assert.equal(isCounted({ ...none, to: '2026-11-01' }), true);
    assert.equal(isCounted(filter), false);
  });
});
