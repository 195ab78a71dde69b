// The pages of a week and of a month: who was there, and the memories under their days, or in a grid.

import { signal } from '@preact/signals';

import type { FoundScreen } from '../../../screens.ts';
import { addDays, dayBounds, yearOf } from '../../dates.ts';
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
import { MemoryList, type MemoryListProps } from '../list/memory-list.tsx';
import { namesOf, SpanHead, type SpanHeadProps } from './span-head.tsx';
import { YearGrid, type YearGridProps } from './year-grid.tsx';
import { createYear, datesOfMonth } from './year.ts';

/** The week of a date. */
export function WeekScreen({ about: date }: Pick<FoundScreen, 'about'>) {
  const from = weekOf(date);
  const to = addDays(from, 6);
  return <Span {...{ from, to }} title={namesOf(from).week} unit="week" />;
}

/** Whether the days of a month have no room for names. */
const narrow = matchMedia('(width < 40rem)');
const isNarrow = signal(narrow.matches);
narrow.addEventListener('change', () => {
  isNarrow.value = narrow.matches;
});

/** A month, such as `2026-11`: a grid of its days with the names of their memories, or above the list of them. */
export function MonthScreen({ about: month }: Pick<FoundScreen, 'about'>) {
  const [from, to] = datesOfMonth(month);
  const { data: days } = useDays();
  const read = () => readNames({ timezone: zone.value, ...dayBounds(from, to) });
  const names = useResource(`names ${month} ${zone.value}`, read, true);
  useNews(names.reload);
  const grid = () => (
    <YearGrid
      year={createYear(yearOf(from), days ?? [], today())}
      only={month}
      names={isNarrow.value ? undefined : (names.data ?? NO_NAMES)}
    />
  );
  const head = { from, to, title: namesOf(from).month, unit: 'month' } as const;
  useArrival(!isNarrow.value && days !== undefined && names.data !== undefined, head.title);
  // Inside the list, so that its keys win over those of the list. Before the days are known, so that it pushes no rows away.
  if (isNarrow.value) return <Span {...head} above={grid} />;
  return (
    <div class="calendar">
      <SpanHead {...head} />
      <Awaited {...names} />
      {days && grid()}
    </div>
  );
}

const NO_NAMES: NonNullable<YearGridProps['names']> = new Map();

/** Reads the names of the memories of a month by their days: as many as one response has. */
async function readNames(query: ReturnType<typeof dayBounds> & { readonly timezone: string }) {
  const { items } = await api.memories.page({
    ...query,
    order: 'asc',
    limit: 1000,
    fields: ['name', 'started_at'],
  });
  const { dayOf } = formats.value;
  return Map.groupBy(items, ({ started_at }) => dayOf(started_at));
}

/** A list of some days: oldest first, unless they are in sight above it. */
function Span({ above, ...props }: SpanHeadProps & Pick<MemoryListProps, 'above'>) {
  const { from, to, title } = props;
  return (
    <div class="calendar">
      <SpanHead {...props} />
      <MemoryList
        filter={{ ...NO_FILTER, from, to, ...(above ? {} : { order: 'asc' }) }}
        turn={above ? undefined : createReversed}
        title={title}
        above={above}
        none={null}
      />
    </div>
  );
}
