// The pages of a week and of a month: who was there, and the memories in a grid of days, or in a list below it.

import { signal } from '@preact/signals';

import type { FoundScreen } from '../../../screens.ts';
import { addDays, dayBounds } from '../../dates.ts';
import { Awaited } from '../../parts/notice.tsx';
import { useNews } from '../../state/changes/change-list.ts';
import { useDays } from '../../state/day-totals.ts';
import { NO_FILTER } from '../../state/list/filter.ts';
import { createReversed } from '../../state/list/reversed.ts';
import { zone } from '../../state/reading.ts';
import { useResource } from '../../state/resource.ts';
import { useArrival } from '../../state/router.ts';
import { api } from '../../state/session.ts';
import { formats, today, weekOf } from '../../time-formats.ts';
import { MemoryList } from '../list/memory-list.tsx';
import { DayGrid, type DayGridProps } from './day-grid.tsx';
import { createDays, datesOfMonth } from './days.ts';
import { namesOf, SpanHead, type SpanHeadProps } from './span-head.tsx';

/** The week of a date. */
export function WeekScreen({ about: date }: Pick<FoundScreen, 'about'>) {
  const from = weekOf(date);
  return <Span from={from} to={addDays(from, 6)} title={namesOf(from).week} unit="week" />;
}

/** A month, such as `2026-11`. */
export function MonthScreen({ about: month }: Pick<FoundScreen, 'about'>) {
  const [from, to] = datesOfMonth(month);
  return <Span {...{ from, to }} title={namesOf(from).month} unit="month" />;
}

/** Whether the days have no room for names. */
const narrow = matchMedia('(width < 40rem)');
const isNarrow = signal(narrow.matches);
narrow.addEventListener('change', () => {
  isNarrow.value = narrow.matches;
});

/** A grid of days with the names of their memories, or above the list of them. */
function Span(head: SpanHeadProps) {
  const { from, to, title, unit } = head;
  const { data: days } = useDays();
  const read = () => readNames({ timezone: zone.value, ...dayBounds(from, to) });
  const names = useResource(`names ${from} ${to} ${zone.value}`, read, true);
  useNews(names.reload);
  const grid = () => (
    <DayGrid
      unit={unit}
      of={createDays(head, days ?? [], today())}
      names={isNarrow.value ? undefined : (names.data ?? NO_NAMES)}
    />
  );
  useArrival(!isNarrow.value && days !== undefined && names.data !== undefined, title);
  if (isNarrow.value)
    return (
      <div class="calendar">
        <SpanHead hasRows {...head} />
        {/* Inside the list, so that its keys win over those of the list. Before the days are known, so that it pushes no rows away. */}
        <MemoryList
          filter={{ ...NO_FILTER, from, to, order: 'asc' }}
          turn={createReversed}
          title={title}
          above={grid}
          none={null}
        />
      </div>
    );
  return (
    <div class="calendar">
      <SpanHead {...head} />
      <Awaited {...names} />
      {days && grid()}
    </div>
  );
}

const NO_NAMES: NonNullable<DayGridProps['names']> = new Map();

/** Reads the names of the memories of some days by these: as many as one response has. */
async function readNames(query: ReturnType<typeof dayBounds> & { readonly timezone: string }) {
  const { items } = await api.memories.page({
    ...query,
    order: 'asc',
    limit: 1000,
    fields: ['name', 'started_at', 'duration_seconds'],
  });
  const { dayOf } = formats.value;
  return Map.groupBy(items, ({ started_at }) => dayOf(started_at));
}
