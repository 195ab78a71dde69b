// The days of a year by their months: one tab stop, and arrows that move by day and week.

import { signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';

import { lengthOf } from '../../../../text/length.ts';
import { addDays, addMonths, columnOf, isDate, monthOf, yearOf } from '../../dates.ts';
import { counted } from '../../format.ts';
import { useShortcuts } from '../../keyboard/keyboard.ts';
import { Link } from '../../parts/link.tsx';
import { titleOf } from '../../parts/title.ts';
import type { Row } from '../../state/list/row.ts';
import { go } from '../../state/router.ts';
import { totalsOf } from '../../state/totals.ts';
import { dates, weekOf, weekStart } from '../../time-formats.ts';
import { STEPS, type Year } from './year.ts';

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

/** A memory in a month. */
type Named = Pick<Row, 'id' | 'name'>;

/** What the days need. */
export interface YearGridProps {
  readonly year: Year;
  /** The month that is shown alone, such as `2026-11`. */
  readonly only?: string;
  /** Names of the memories of its days, if there is room for them. */
  readonly names?: ReadonlyMap<string, readonly Named[]> | undefined;
}

/** How many lines a day has room for. */
const LINES = 5;

/** How many lines each name of a day may have. */
const linesOf = (count = LINES) => Math.max(1, Math.floor((LINES - 1) / count));

/** The months of a year, or one of them with what its days had. */
export function YearGrid({ year, only, names }: YearGridProps) {
  const { name, today, days } = year;
  const [current, setCurrent] = useState('');
  const [hasFocus, setFocus] = useState(false);
  const wanted = useRef('');
  const stop =
    [
      current,
      today,
      Array.from(days.keys()).findLast((date) => date.startsWith(only ?? name)),
    ].find((date) => date?.startsWith(`${only ?? name}-`)) ?? `${only ?? `${name}-01`}-01`;

  const move = (step: (date: string) => string) => {
    // The page knows best: keys may come faster than this component is drawn.
    const from = document.activeElement?.id ?? '';
    if (!isDate(from)) return;
    const to = step(from);
    const found = document.getElementById(to);
    found?.focus();
    if (found !== null || !isDate(to)) return;
    wanted.current = to;
    go(only === undefined ? `calendar/${yearOf(to)}` : `months/${monthOf(to)}`, 'replace');
  };
  useEffect(() => {
    document.getElementById(wanted.current)?.focus();
    wanted.current = '';
  }, [name, only]);
  // Elsewhere on the page these keys scroll.
  useShortcuts(
    Object.entries(MOVES).map(([key, [text, step]]) => ({
      keys: [key],
      text,
      isIdle: !hasFocus,
      run: () => move(step),
    })),
  );

  // The first day of the year that starts a week.
  const firstOfWeek = year.dates.findIndex((date) => columnOf(date, weekStart) === 0);
  const months = Object.groupBy(year.dates, monthOf);
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
        {Object.entries(only === undefined ? months : { [only]: months[only] }).map(
          ([month, own = []]) => (
            <section
              key={month}
              aria-labelledby={only ? undefined : month}
              class={
                only
                  ? names
                    ? 'month named'
                    : 'month'
                  : month > monthOf(today) && !own.some((date) => days.has(date))
                    ? 'later'
                    : undefined
              }
            >
              {!only && (
                <h2 id={month}>
                  <Link to={`months/${month}`} tabIndex={-1}>
                    {dates.value.month(month)}
                  </Link>
                </h2>
              )}
              <div class="week" aria-hidden="true">
                {year.dates.slice(firstOfWeek, firstOfWeek + 7).map((date) => (
                  <span key={date}>{dates.value.short(date).slice(0, names ? 3 : 1)}</span>
                ))}
              </div>
              <ol>
                {own.map((date, index) => (
                  <li
                    key={date}
                    style={{
                      gridColumnStart: index === 0 ? columnOf(date, weekStart) + 1 : undefined,
                      '--lines': linesOf(days.get(date)?.memories),
                    }}
                  >
                    {names && (
                      <span class="note" aria-hidden="true">
                        {lengthOn(date, year)}
                      </span>
                    )}
                    <Link
                      to={date > today && !days.has(date) ? undefined : `days/${date}`}
                      id={date}
                      class={`day step${year.stepOf(date)}`}
                      aria-label={labelOf(date, year)}
                      title={only ? undefined : labelOf(date, year)}
                      aria-current={date === today ? 'date' : undefined}
                      tabIndex={date === stop ? 0 : -1}
                    >
                      {index + 1}
                    </Link>
                    {names && days.has(date) && (
                      <Names
                        day={date}
                        of={names.get(date) ?? []}
                        count={days.get(date)?.memories ?? 0}
                      />
                    )}
                  </li>
                ))}
              </ol>
            </section>
          ),
        )}
      </div>
      {!only && <Pointed year={year} />}
    </>
  );
}

interface NamesProps {
  readonly day: string;
  readonly of: readonly Named[];
  readonly count: number;
}

/** The memories of a day in a month, as many as fit. A keyboard finds all of them on the page of the day. */
function Names({ day, of, count }: NamesProps) {
  const shown = of.slice(0, count > LINES ? LINES - 1 : LINES);
  const more = count - shown.length;
  return (
    <>
      {shown.map(({ id, name }) => (
        <Link key={id} to={`m/${id}`} tabIndex={-1} title={titleOf(name)} class="title">
          <bdi>{titleOf(name)}</bdi>
        </Link>
      ))}
      {more > 0 && (
        <Link to={`days/${day}`} tabIndex={-1} class="title">
          {counted(more, 'more', 'more')}
        </Link>
      )}
    </>
  );
}

/** Returns how long the memories of a day are, if all of them say it. */
function lengthOn(date: string, { days }: Year): string {
  const { isOpen, duration_seconds = 0 } = days.get(date) ?? {};
  return isOpen ? '' : lengthOf(duration_seconds);
}

/** Returns the label of a day, such as "Tue 3 Feb: 4 memories, 2 h". */
function labelOf(date: string, { days }: Year): string {
  const day = days.get(date);
  return `${dates.value.short(date)}: ${totalsOf(day ? [day] : [])}`;
}

/** The label of a day for everybody, in a line that stays in view, and the steps of colour. */
function Pointed({ year }: { readonly year: Year }) {
  const date = pointed.value;
  return (
    <p class="pointed" aria-hidden="true">
      <span>{date.startsWith(`${year.name}-`) && labelOf(date, year)}</span>
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
