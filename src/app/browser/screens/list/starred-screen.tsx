// The memories that the owner has starred or written a note to: all, or those with a star or a note alone.

import { useRowKeys } from '../../keyboard/row-keys.ts';
import { Link } from '../../parts/link.tsx';
import { ByDay } from '../../parts/lists/by-day.tsx';
import { DamagedRow, MemoryRow } from '../../parts/lists/memory-row.tsx';
import { OwnNote } from '../../parts/lists/own-note.tsx';
import { PagesEnd, usePages } from '../../parts/lists/pages.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { bookmarks, loadBookmarks, type Bookmark } from '../../state/list/bookmarks.ts';
import { readRow } from '../../state/list/list.ts';
import type { Row } from '../../state/list/row.ts';
import { place, useArrival } from '../../state/router.ts';

const CHOICES: Readonly<Record<string, string>> = { all: 'All', stars: 'Stars', notes: 'Notes' };

const isShown = ({ is_starred, note }: Bookmark, show: string) =>
  (show !== 'notes' && is_starred) || (show !== 'stars' && note !== '');

/** The screen of bookmarks. The address has the choice. */
export function StarredScreen() {
  const show = new URLSearchParams(place.value.query).get('show') ?? 'all';
  const pages = usePages<Row | null>(`starred ${show}`, async ({ cursor, limit }) => {
    if (cursor === undefined) await loadBookmarks();
    const ids = [...bookmarks.peek()].flatMap(([id, each]) => (isShown(each, show) ? [id] : []));
    const start = Number(cursor ?? 0);
    const end = start + limit;
    const read = await Promise.all(ids.slice(start, end).map(readRow));
    return {
      items: read.filter((row) => row !== undefined),
      next: end < ids.length ? String(end) : undefined,
    };
  });
  const rows = pages.items?.filter((row) => row !== null) ?? [];
  const damaged = pages.items?.filter((row) => row === null) ?? [];
  useArrival(pages.items !== undefined, 'Starred');
  useRowKeys('.row', 'memory', 'Open the memory');
  return (
    <div class="list">
      <h1 tabIndex={-1}>Starred</h1>
      <Tabs
        label="Show"
        choices={CHOICES}
        choice={show}
        pathOf={(each) => `starred?show=${each}`}
        isInstead
      />
      {pages.items?.length === 0 && <NoStars />}
      <ByDay rows={rows} timeOf={({ started_at }) => started_at}>
        {(row) => (
          <li key={row.id}>
            <MemoryRow row={row} />
            <OwnNote id={row.id} />
          </li>
        )}
      </ByDay>
      {damaged.length > 0 && (
        <ul class="memories">
          {damaged.map((_, at) => (
            <li key={at}>
              <DamagedRow />
            </li>
          ))}
        </ul>
      )}
      <PagesEnd pages={pages} />
    </div>
  );
}

function NoStars() {
  return (
    <div class="empty">
      <p class="lead">Nothing yet</p>
      <p>
        Open <Link to="">a memory</Link>, and press the star in its bar or “Add a note” in its menu.
        No program that reads your memories sees them.
      </p>
    </div>
  );
}
