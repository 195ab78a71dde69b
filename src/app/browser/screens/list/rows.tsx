// The rows near the window: a list of its own for each day, inside a box that is as high as all rows.

import { useLayoutEffect, useRef, useState } from 'preact/hooks';

import { lengthOf } from '../../../../text/length.ts';
import { yearOf } from '../../dates.ts';
import { counted } from '../../format.ts';
import { Link } from '../../parts/link.tsx';
import { DamagedRow, MemoryRow } from '../../parts/lists/memory-row.tsx';
import { titleOf } from '../../parts/title.ts';
import { absentIn, type Filter } from '../../state/list/filter.ts';
import { headOf, heightOf, sectionsOf, SIZES, type PlacedDay } from '../../state/list/layout.ts';
import type { RowSource } from '../../state/list/list-source.ts';
import { current, list, want } from '../../state/list/list.ts';
import { selected, tick, tickTo } from '../../state/list/selection.ts';
import { holdRead } from '../../state/router.ts';
import { dates, today } from '../../time-formats.ts';
import { anchorNow, readRowOf, scrollToRow, setBox, visibleRows } from './scroll.ts';

/** How many rows are rendered above and below the window. */
const MARGIN = 8;

/** The rows that pass a filter. `onLook` is called with the row that is read when it changes. */
export function Rows({
  source,
  filter,
  onLook,
}: {
  readonly source: RowSource;
  readonly filter: Filter;
  readonly onLook: (row: number) => void;
}) {
  const { layout } = source;
  const { target } = list.value;
  const box = useRef<HTMLDivElement>(null);
  const [span, setSpan] = useState<readonly [number, number]>([0, 3 * MARGIN]);
  useLayoutEffect(() => {
    setBox(box.current);
    const look = () => {
      const visible = visibleRows(layout);
      const [first, last] = visible;
      // In steps, so that few scroll events render anything.
      const from = Math.floor((first - MARGIN) / 4) * 4;
      const to = Math.ceil((last + MARGIN) / 4) * 4;
      setSpan((old) => (old[0] === from && old[1] === to ? old : [from, to]));
      onLook(readRowOf(visible));
      void want(from, to);
    };
    if (target !== undefined) scrollToRow(layout, target.row, target.below);
    const observer = new ResizeObserver(look);
    if (box.current !== null) observer.observe(box.current);
    addEventListener('scroll', look);
    addEventListener('resize', look);
    look();
    const letGo = holdRead(() => ({ anchor: anchorNow() }));
    return () => {
      observer.disconnect();
      removeEventListener('scroll', look);
      removeEventListener('resize', look);
      letGo();
      setBox(null);
    };
  }, [layout, target]);
  useFocus(box);
  return (
    <div
      class="window"
      ref={box}
      style={{ height: `${layout.height}rem`, '--row': `${SIZES.row}rem` }}
      onFocusIn={noteFocus}
    >
      {sectionsOf(layout, span, current.value).map(({ day, rows }) => (
        <DayRows key={day.date} {...{ day, rows, source, filter }} />
      ))}
    </div>
  );
}

function noteFocus({ target }: FocusEvent): void {
  const row = target instanceof Element && target.closest('[data-row]');
  if (row instanceof HTMLElement) current.value = Number(row.dataset['row']);
}

let isFocusWanted = false;

/** Moves the focus to a row, as soon as it is read. */
export function focusRow(row: number): void {
  isFocusWanted = true;
  current.value = row;
}

function useFocus(box: { readonly current: HTMLElement | null }): void {
  const row = current.value;
  useLayoutEffect(() => {
    if (!isFocusWanted || row === undefined) return;
    const found = box.current?.querySelector(`[data-row="${row}"] > .row`);
    if (!(found instanceof HTMLElement)) return;
    isFocusWanted = false;
    found.focus({ preventScroll: true });
  });
}

interface DayRowsProps {
  readonly day: PlacedDay;
  readonly rows: readonly number[];
  readonly source: RowSource;
  readonly filter: Filter;
}

/** Returns a date beside rows, with its year if it is not that of a limit or of now. It breaks after the first word, or before the year. */
export function sideDate(date: string, to = ''): string {
  const { short, date: withYear } = dates.value;
  return yearOf(date) === yearOf(to || today())
    ? short(date)
        .replace(',', '')
        .replaceAll(/(?<= .*) /g, '\u00a0')
    : withYear(date).replaceAll(/ (?=.* )/g, '\u00a0');
}

function DayRows({ day, rows, source, filter }: DayRowsProps) {
  const [person] = filter.person;
  const { date, memories, duration_seconds, gap, isMonth, first, top } = day;
  const { month, longDay } = dates.value;
  // Where the length of one is not known, there is no sum.
  const isWhole = rows.every((number) => source.rowAt(number)?.duration_seconds);
  return (
    <section
      aria-labelledby={`day-${date}`}
      style={{ top: `${top}rem`, height: `${heightOf(day)}rem` }}
    >
      {(gap > 0 || isMonth) && (
        <p class="gap" style={{ height: `${SIZES.gap}rem` }}>
          {isMonth && <b>{`${month(date)} ${yearOf(date)}`}</b>}
          {gap > 0 && `${counted(gap, 'day')} without ${absentIn(filter)}`}
        </p>
      )}
      <h2 id={`day-${date}`} style={{ height: `${SIZES.row}rem` }}>
        {memories > 1 && (
          <Pick
            name={longDay(date)}
            ids={rows.map((number) => source.rowAt(number)?.id)}
            onPick={() => void tick(first, first + memories - 1)}
          />
        )}{' '}
        <Link to={`days/${date}`} title={longDay(date)}>
          <time dateTime={date}>{sideDate(date, filter.to)}</time>
        </Link>
        {/* Of one memory, the row says it. A number alone would not say of what. */}
        {memories > 1 && isWhole && (
          <>
            <br />
            <span class="note">{[memories, lengthOf(duration_seconds ?? 0)].join(' · ')}</span>
          </>
        )}
      </h2>
      <ul class="rows">
        {rows.map((number) => {
          const row = source.rowAt(number);
          return (
            <li
              key={row?.id ?? number}
              data-row={number}
              aria-setsize={memories}
              aria-posinset={number - first + 1}
              style={{ top: `${headOf(day) + (number - first) * SIZES.row}rem` }}
            >
              {row === undefined && <div class="pending" />}
              {row === null && <DamagedRow />}
              {row && (
                <Pick
                  name={titleOf(row.name)}
                  ids={[row.id]}
                  onPick={({ shiftKey }) => (shiftKey ? tickTo(number) : void tick(number))}
                />
              )}
              {row && <MemoryRow row={row} person={person} />}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

interface PickProps {
  /** What is selected. */
  readonly name: string;
  /** Its memories, as far as they are read. */
  readonly ids: readonly (string | undefined)[];
  readonly onPick: (event: MouseEvent) => void;
}

/** The box of a memory or a day, while somebody is selecting. A click anywhere on what has it is one on the box. */
function Pick({ name, ids, onPick }: PickProps) {
  const all = selected.value;
  if (!all) return null;
  return (
    <label class="pick">
      <input
        type="checkbox"
        aria-label={`Select ${name}`}
        checked={ids.every((id) => id && all.has(id))}
        onClick={onPick}
      />
    </label>
  );
}
