// The list: all memories newest first, under their days, with a filter and a jump to any year.

import { useEffect, useLayoutEffect, useState } from 'preact/hooks';

import { countedMemories } from '../../format.ts';
import { useShortcuts } from '../../keyboard/keyboard.ts';
import type { Shortcut } from '../../keyboard/shortcuts.ts';
import { AsCurl } from '../../parts/as-curl.tsx';
import { CopyText } from '../../parts/controls/copy.tsx';
import { Link } from '../../parts/link.tsx';
import { FailureNotice, Loading, PassingButton } from '../../parts/notice.tsx';
import { today } from '../../parts/time-formats.ts';
import { comebacks } from '../../state/connection.ts';
import { listOfFilter, pathOfFilter, readFilter } from '../../state/list/filter.ts';
import { dayOfRow, rowOfDate, yearOf, yearsOf } from '../../state/list/layout.ts';
import { current, list, openList, showNews, showYear, want } from '../../state/list/list.ts';
import { zone } from '../../state/reading.ts';
import { place, useArrival } from '../../state/router.ts';
import { me } from '../../state/session.ts';
import { FilterForm, NonePass } from './filter-form.tsx';
import { focusRow, Rows } from './rows.tsx';
import { revealRow, scrollToRow, visibleRows } from './scroll.ts';

/** The screen of all memories. */
export function ListScreen() {
  const { query, kept } = place.value;
  const { opened, failure, added, kept: arrived } = list.value;
  const [top, setTop] = useState(0);
  const filter = readFilter(query);
  // Back shows the rows together with the place to scroll to, never the top before.
  const source = arrived === kept ? opened?.source : undefined;
  useArrival(source !== undefined);
  const load = () => void openList(filter, kept);
  useLayoutEffect(load, [query, kept, zone.value, opened === undefined]);
  useEffect(() => {
    if (failure !== undefined) retry();
  }, [comebacks.value]);
  const retry = () => {
    if (source === undefined) load();
    else void want(...visibleRows(source.layout));
  };
  useShortcuts(KEYS);
  const day = source && dayOfRow(source.layout, top);
  return (
    <div class="list">
      <h1 tabIndex={-1}>Memories</h1>
      <div class="tools">
        <FilterForm filter={filter} />
        <AsCurl path="/memories" query={{ ...listOfFilter(filter, zone.value), limit: 100 }} />
      </div>
      <div class="news" role="status">
        {added !== undefined && (
          <PassingButton class="primary" onClick={() => void showNews()}>
            {added === 0 ? 'Some memories have changed' : `${added} new`}
          </PassingButton>
        )}
        <FailureNotice failure={failure} onRetry={retry} />
      </div>
      {source === undefined && failure === undefined && <Loading rows={8} />}
      {source?.layout.rows === 0 &&
        (pathOfFilter(filter) === '' ? <Empty /> : <NonePass key={query} filter={filter} />)}
      {source !== undefined && source.layout.rows > 0 && (
        <div class="beside">
          <Years current={day && yearOf(day.date)} />
          <Rows source={source} onLook={setTop} />
        </div>
      )}
    </div>
  );
}

function Years({ current: shown }: { readonly current: string | undefined }) {
  const { opened } = list.value;
  const years = yearsOf(opened?.days ?? []);
  if (years.length < 2) return null;
  return (
    <nav class="years" aria-label="Years">
      {years.map(({ year, memories }) => (
        <button
          type="button"
          class="plain"
          key={year}
          aria-current={year === shown ? 'true' : undefined}
          aria-label={`${year}: ${countedMemories(memories)}`}
          onClick={() => jumpTo(`${year}-12-31`)}
        >
          {year}
        </button>
      ))}
    </nav>
  );
}

/** Shows the newest row of a date, or of the newest day before it, and moves the focus there. */
async function jumpTo(date: string): Promise<void> {
  await showYear(yearOf(date));
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
  { keys: ['o'], text: 'Open the memory, as Enter does', run: openCurrent },
  {
    keys: ['t', 'g d'],
    text: 'Today, or the newest day before',
    run: () => void jumpTo(today()),
  },
  { keys: ['Home'], text: 'Newest memory', run: move(() => 0) },
  { keys: ['End'], text: 'Oldest memory', run: move((_, last) => last) },
];

function Empty() {
  const account = me.value?.account.id ?? '';
  return (
    <div class="empty">
      <p class="lead">No memories yet</p>
      <p>Import recordings where the gateway runs, for example a folder of transcripts:</p>
      <CopyText label="Command" text={`memory-gateway import --account ${account} FOLDER`} />
      <p>
        <Link to="settings/access">Or create an API key for a program</Link>
      </p>
    </div>
  );
}
