// Rows below their days: a heading and a list for each.

import type { ComponentChildren } from 'preact';

import { formats } from '../../time-formats.ts';

interface ByDayProps<R> {
  /** The rows in their order. */
  readonly rows: readonly R[];
  /** Returns the time that a row belongs to. */
  readonly timeOf: (row: R) => string;
  /** Shows a row, as an item of a list. */
  readonly children: (row: R) => ComponentChildren;
}

/** The rows, by their days in the reader's time zone. */
export function ByDay<R>({ rows, timeOf, children: show }: ByDayProps<R>) {
  const { dayOf, longDay } = formats.value;
  const days = Map.groupBy(rows, (row) => dayOf(timeOf(row)));
  return Array.from(days, ([day, own]) => (
    <section key={day} aria-labelledby={`day-${day}`}>
      <h2 id={`day-${day}`} class="note">
        <time dateTime={day}>{own.slice(0, 1).map((row) => longDay(timeOf(row)))}</time>
      </h2>
      <ul class="memories">{own.map(show)}</ul>
    </section>
  ));
}
