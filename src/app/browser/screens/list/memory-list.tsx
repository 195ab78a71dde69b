// Memories that pass a filter, under their days, with a strip of all years. Each screen has one such list at most.

import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

import { useShortcuts } from '../../keyboard/keyboard.ts';
import type { Shortcut } from '../../keyboard/shortcuts.ts';
import { Strip } from '../../parts/lists/strip.tsx';
import { FailureNotice, Loading, PassingButton } from '../../parts/notice.tsx';
import { comebacks } from '../../state/connection.ts';
import type { Filter } from '../../state/list/filter.ts';
import { dayOfRow, rowOfDate, type DayCount } from '../../state/list/layout.ts';
import type { RowSource } from '../../state/list/list-source.ts';
import { current, keyOf, list, openList, showNews, showYear, want } from '../../state/list/list.ts';
import type { Turn } from '../../state/list/reversed.ts';
import { select, tick } from '../../state/list/selection.ts';
import { zone } from '../../state/reading.ts';
import { place, useArrival } from '../../state/router.ts';
import { me, meFailure } from '../../state/session.ts';
import { today } from '../../time-formats.ts';
import { focusRow, Rows } from './rows.tsx';
import { revealRow, scrollToRow, visibleRows } from './scroll.ts';

/** What the list needs. */
export interface MemoryListProps {
  readonly filter: Filter;
  /** Puts the rows into the order of the filter. */
  readonly turn?: Turn | undefined;
  /** The name of the screen in the title of the window. Default: that of the app. */
  readonly title?: string;
  /** What is shown if there are no such memories. */
  readonly none: ComponentChildren;
  /** What is above the rows, given the days that have memories. */
  readonly above?: ((days: readonly DayCount[]) => ComponentChildren) | undefined;
}

/** The list. */
export function MemoryList({ filter, turn, title, none, above }: MemoryListProps) {
  const { kept } = place.value;
  const { opened, failure, added, kept: arrived } = list.value;
  const key = JSON.stringify(filter);
  // Back shows the rows together with the place to scroll to, never the top before.
  // What is above the rows depends on the account, and would push them away.
  const isKnown = me.value ?? meFailure.value;
  const isOpen = isKnown && arrived === kept && list.value.key === keyOf(filter);
  const now = isOpen ? opened : undefined;
  // The rows before stay until others are read.
  const last = useRef(now);
  if (now ?? failure) last.current = now;
  const { source, days = [] } = last.current ?? {};
  useArrival(now !== undefined, title);
  const load = () => void openList(filter, kept, turn);
  useLayoutEffect(load, [key, kept, zone.value, opened === undefined]);
  useEffect(() => {
    if (failure !== undefined) retry();
  }, [comebacks.value]);
  const retry = () => {
    if (now === undefined) load();
    else void want(...visibleRows(now.source.layout));
  };
  useEffect(() => () => select(), [key]);
  useShortcuts(filter.from ? KEYS : [...KEYS, TODAY]);
  return (
    <>
      <div class="news" role="status">
        {added !== undefined && (
          <PassingButton class="primary" onClick={() => void showNews()}>
            {added === 0 ? 'Some memories have changed' : `${added} new`}
          </PassingButton>
        )}
        <FailureNotice failure={failure} onRetry={retry} />
      </div>
      {!source && !failure && <Loading />}
      {source?.layout.rows === 0 && none}
      {source && above?.(days)}
      {source && source.layout.rows > 0 && (
        <RowsOfYears source={source} days={days} filter={filter} />
      )}
    </>
  );
}

interface RowsOfYearsProps {
  readonly source: RowSource;
  readonly days: readonly DayCount[];
  readonly filter: Filter;
}

/** The rows beside the strip of all years, which follows them. While somebody scrolls, nothing else is rendered. */
function RowsOfYears({ source, days, filter }: RowsOfYearsProps) {
  const [date, setDate] = useState<string>();
  return (
    <div class="beside">
      <Strip days={days} current={date} onPick={(month) => void jumpTo(`${month}-31`)} />
      <Rows
        source={source}
        filter={filter}
        onLook={(row) => setDate(dayOfRow(source.layout, row)?.date)}
      />
    </div>
  );
}

/** Shows the newest row of a date, or of the newest day before it, and moves the focus there. `2026-02-31` is the end of February. */
async function jumpTo(date: string): Promise<void> {
  await showYear(date.slice(0, 4));
  const layout = list.value.opened?.source.layout;
  if (layout === undefined) return;
  const row = rowOfDate(layout, date);
  scrollToRow(layout, row);
  focusRow(row);
}

const move = (to: (row: number, last: number) => number) => () => {
  const layout = list.value.opened?.source.layout;
  if (layout === undefined || layout.rows === 0) return;
  const from = current.value ?? visibleRows(layout)[0] - 1;
  const row = Math.min(Math.max(to(from, layout.rows - 1), 0), layout.rows - 1);
  revealRow(layout, row);
  focusRow(row);
};

function openCurrent(): void {
  const row = document.querySelector(`[data-row="${current.value}"] > a`);
  if (row instanceof HTMLElement) row.click();
}

const KEYS: readonly Shortcut[] = [
  { keys: ['j', 'ArrowDown'], text: 'Next memory', run: move((row) => row + 1) },
  { keys: ['k', 'ArrowUp'], text: 'Previous memory', run: move((row) => row - 1) },
  { keys: ['o'], text: 'Open the memory', run: openCurrent },
  { keys: ['x'], text: 'Select the memory', run: () => void tick(current.value ?? -1) },
  { keys: ['Home'], text: 'First memory', run: move(() => 0) },
  { keys: ['End'], text: 'Last memory', run: move((_, last) => last) },
];

const TODAY: Shortcut = {
  keys: ['t', 'g d'],
  text: 'Today or the newest day before',
  run: () => void jumpTo(today()),
};
