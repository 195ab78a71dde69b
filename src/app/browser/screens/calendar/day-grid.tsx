// The days of a week, month or year: one tab stop, and arrows that move by day and week.

import { signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';

import { lengthOf } from '../../../../text/length.ts';
import { addDays, addMonths, columnOf, isDate, monthOf } from '../../dates.ts';
import { counted } from '../../format.ts';
import { useShortcuts } from '../../keyboard/keyboard.ts';
import { Link } from '../../parts/link.tsx';
import { titleOf } from '../../parts/title.ts';
import type { DayCount } from '../../state/list/layout.ts';
import type { Row } from '../../state/list/row.ts';
import { go } from '../../state/router.ts';
import { totalsOf } from '../../state/totals.ts';
import { dates, formats, weekOf, weekStart } from '../../time-formats.ts';
import { STEPS, type Days } from './days.ts';
import { pathsOf, type SpanHeadProps } from './span-head.tsx';

/** The day under the pointer or with the focus. */
const pointed = signal('');

function point({ target }: Event): void {
  pointed.value = (target as Element).closest('[id]')?.id ?? '';
}

/** Where the keys lead from a date. */
const MOVES: Readonly<Record<string, readonly [text: string, move: (date: string) => string]>> = {
  ArrowLeft: ['The day before', (date) => addDays(date, -1)],
  ArrowRight: ['The day after', (date) => addDays(date, 1)],
  ArrowUp: ['The week before', (date) => addDays(date, -7)],
  ArrowDown: ['The week after', (date) => addDays(date, 7)],
  Home: ['Start of the week', weekOf],
  End: ['End of the week', (date) => addDays(weekOf(date), 6)],
  PageUp: ['The month before', (date) => addMonths(date, -1)],
  PageDown: ['The month after', (date) => addMonths(date, 1)],
};

/** A memory in a week or a month. */
type Named = Pick<Row, 'id' | 'name' | 'started_at' | 'duration_seconds'>;

/** What the days need. */
export interface DayGridProps extends Pick<SpanHeadProps, 'unit'> {
  readonly of: Days;
  /** Names of the memories of the days, if there is room for them. */
  readonly names?: ReadonlyMap<string, readonly Named[]> | undefined;
}

/** How many lines a day of a month has room for, and how many memories one of a week. */
const [LINES, MOST] = [5, 12];

/** The months of a year, or a month or a week with what its days had. */
export function DayGrid({ unit, of, names }: DayGridProps) {
  const { today, days } = of;
  const [current, setCurrent] = useState('');
  const [hasFocus, setFocus] = useState(false);
  const wanted = useRef('');
  const isYear = unit === 'year';
  const stop =
    [current, today, [...days.keys()].at(-1) ?? ''].find((date) => of.dates.includes(date)) ??
    of.dates[0];

  const move = (step: (date: string) => string) => {
    // The page knows best: keys may come faster than this component is drawn.
    const from = document.activeElement?.id ?? '';
    if (!isDate(from)) return;
    const to = step(from);
    const found = document.getElementById(to);
    found?.focus();
    if (found !== null || !isDate(to)) return;
    wanted.current = to;
    go(pathsOf(to)[unit], 'replace');
  };
  useEffect(() => {
    document.getElementById(wanted.current)?.focus();
    wanted.current = '';
  }, [of.dates[0]]);
  // Elsewhere on the page these keys scroll.
  useShortcuts(
    Object.entries(MOVES).map(([key, [text, step]]) => ({
      keys: [key],
      text,
      isIdle: !hasFocus,
      run: () => move(step),
    })),
  );

  // The first day that starts a week.
  const firstOfWeek = of.dates.findIndex((date) => columnOf(date, weekStart) === 0);
  const months = Object.groupBy(of.dates, isYear ? monthOf : () => unit);
  return (
    <>
      <div
        class="months"
        onPointerMove={(event) => {
          // A pointer that does not move gets this event as well, when another year appears under it.
          if (event.movementX || event.movementY) point(event);
        }}
        onFocusIn={(event) => {
          point(event);
          setFocus(true);
          setCurrent(pointed.value);
        }}
        onFocusOut={() => setFocus(false)}
      >
        {Object.entries(months).map(([month, own = []]) => (
          <section
            key={month}
            aria-labelledby={isYear ? month : undefined}
            class={
              !isYear
                ? names && 'named'
                : month > monthOf(today) && !own.some((date) => days.has(date))
                  ? 'later'
                  : undefined
            }
          >
            {isYear && (
              <h2 id={month}>
                <Link to={`months/${month}`} tabIndex={-1}>
                  {dates.value.month(month)}
                </Link>
              </h2>
            )}
            <div class="week" aria-hidden="true">
              {of.dates.slice(firstOfWeek, firstOfWeek + 7).map((date) => (
                <span key={date}>{dates.value.short(date).slice(0, names ? 3 : 1)}</span>
              ))}
            </div>
            <ol>
              {own.map((date, index) => {
                const day = days.get(date);
                return (
                  <li
                    key={date}
                    style={{
                      gridColumnStart: index === 0 ? columnOf(date, weekStart) + 1 : undefined,
                      '--lines': unit === 'month' && day && day.memories > 2 ? 1 : LINES - 1,
                    }}
                  >
                    <Link
                      to={date > today && !day ? undefined : `days/${date}`}
                      id={date}
                      class={`day step${of.stepOf(date)}`}
                      aria-label={labelOf(date, of)}
                      aria-current={date === today ? 'date' : undefined}
                      tabIndex={date === stop ? 0 : -1}
                    >
                      {Number(date.slice(-2))}
                    </Link>
                    {names && day && !day.isOpen && (
                      <span aria-hidden="true">{lengthOf(day.duration_seconds ?? 0)}</span>
                    )}
                    {names && day && <Names {...{ unit, day }} of={names.get(date) ?? []} />}
                  </li>
                );
              })}
            </ol>
          </section>
        ))}
      </div>
      {isYear && <Pointed of={of} />}
    </>
  );
}

interface NamesProps extends Pick<SpanHeadProps, 'unit'> {
  readonly day: DayCount;
  readonly of: readonly Named[];
}

/** The memories of a day, as many as fit. A keyboard finds all of them on the page of the day. */
function Names({ unit, day: { date, memories }, of }: NamesProps) {
  const isWeek = unit === 'week';
  const most = isWeek ? MOST : LINES;
  const shown = of.slice(0, memories > most ? most - 1 : most);
  const more = memories - shown.length;
  return (
    <>
      {shown.map(({ id, name, started_at, duration_seconds }) => (
        <Link key={id} to={`m/${id}`} tabIndex={-1} title={titleOf(name)} class="title">
          {isWeek && (
            <time dateTime={started_at}>
              {[formats.value.time(started_at), lengthOf(duration_seconds)]
                .filter(Boolean)
                .join(' · ')}
            </time>
          )}
          <bdi>{titleOf(name)}</bdi>
        </Link>
      ))}
      {more > 0 && (
        <Link to={`days/${date}`} tabIndex={-1} class="title">
          {counted(more, 'more', 'more')}
        </Link>
      )}
    </>
  );
}

/** Returns the label of a day, such as "Tue 3 Feb: 4 memories, 2 h". */
function labelOf(date: string, { days }: Days): string {
  const day = days.get(date);
  return `${dates.value.short(date)}: ${totalsOf(day ? [day] : [])}`;
}

/** The label of a day for everybody, in a line that stays in view, and the steps of colour. */
function Pointed({ of }: { readonly of: Days }) {
  const date = pointed.value;
  return (
    <p class="pointed" aria-hidden="true">
      <span>{of.dates.includes(date) && labelOf(date, of)}</span>
      <span class="steps note">
        {STEPS.map(({ text }, i) => (
          <span key={text}>
            <i class={`step${i + 1}`} /> {text}
          </span>
        ))}
      </span>
    </p>
  );
}
