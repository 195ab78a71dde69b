// The pages of a week and of a month: who was there, and the memories under their days.

import type { FoundScreen } from '../../../screens.ts';
import { addDays, datesOfMonth } from '../../dates.ts';
import { NO_FILTER } from '../../state/list/filter.ts';
import { weekOf } from '../../time-formats.ts';
import { MemoryList } from '../list/memory-list.tsx';
import { namesOf, SpanHead, type SpanHeadProps } from './span-head.tsx';

/** The week of a date. */
export function WeekScreen({ about: date }: Pick<FoundScreen, 'about'>) {
  const from = weekOf(date);
  const to = addDays(from, 6);
  return <Span {...{ from, to }} title={namesOf(from).week} unit="week" />;
}

/** A month, such as `2026-11`. */
export function MonthScreen({ about: month }: Pick<FoundScreen, 'about'>) {
  const [from, to] = datesOfMonth(month);
  return <Span {...{ from, to }} title={namesOf(from).month} unit="month" />;
}

function Span(props: SpanHeadProps) {
  const { from, to, title, unit } = props;
  return (
    <div class="calendar">
      <SpanHead {...props} />
      <MemoryList
        filter={{ ...NO_FILTER, from, to }}
        title={title}
        none={<p>No memories in this {unit}.</p>}
      />
    </div>
  );
}
