// The screen of changes: which memories were added, changed and deleted since a time, latest first.

import { useEffect, useState } from 'preact/hooks';

import type { Change } from '../../../../contract/schemas/memory.ts';
import { countedMemories } from '../../format.ts';
import { useRowKeys } from '../../keyboard/row-keys.ts';
import { AsCurl } from '../../parts/as-curl.tsx';
import { Link } from '../../parts/link.tsx';
import { ByDay } from '../../parts/lists/by-day.tsx';
import { MoreButton } from '../../parts/lists/pages.tsx';
import { Awaited, Notice } from '../../parts/notice.tsx';
import { titleOf } from '../../parts/title.ts';
import { latest, markSeen, visit } from '../../state/changes/change-list.ts';
import { newOf, walkChanges, type Walk } from '../../state/changes/feed.ts';
import { nextVisit, startOfYesterday } from '../../state/changes/visit.ts';
import { comebacks } from '../../state/connection.ts';
import { useResource } from '../../state/resource.ts';
import { place, useArrival } from '../../state/router.ts';
import { api } from '../../state/session.ts';
import { formats } from '../../time-formats.ts';
import { keyOf, names, readNames } from './names.ts';

/** What is shown, by the names that addresses have. */
const CHOICES = {
  visit: 'Since your last visit',
  yesterday: 'Since yesterday',
  all: 'All',
} as const;
type Choice = keyof typeof CHOICES;
const NAMES = Object.keys(CHOICES) as Choice[];

const PAGE = 50;

/** What was shown last, for Back to show it at once. */
let lately: { readonly key: string; readonly walk: Walk; rows: number } | undefined;

/** The screen of changes. */
export function ChangesScreen() {
  const asked = new URLSearchParams(place.value.query).get('since');
  const choice = NAMES.find((each) => each === asked) ?? 'visit';
  return <ChangesSince key={choice} choice={choice} />;
}

function ChangesSince({ choice }: { readonly choice: Choice }) {
  const [since] = useState(() => startOf(choice));
  const key = `${choice} ${since}`;
  const kept = lately?.key === key ? lately : undefined;
  const [rows, setRows] = useState(kept?.rows ?? PAGE);
  const loaded = useResource(key, () =>
    walkChanges(api.changes.page, ({ changed_at }) => changed_at <= since),
  );
  const walk = loaded.data ?? kept?.walk;
  useEffect(() => {
    if (walk === undefined) return;
    lately = { key, walk, rows };
    if (loaded.data !== undefined) markSeen(walk.changes);
  }, [walk, rows]);
  const changes = walk?.changes.filter(({ changed_at }) => changed_at > since);
  const shown = changes?.slice(0, rows);
  useEffect(() => {
    if (shown !== undefined) void readNames(shown);
  }, [walk, rows, comebacks.value]);
  useRowKeys('.change a', 'row', 'Open the memory, as Enter does');
  useArrival(shown !== undefined, 'Changes');
  return (
    <div class="changes">
      <h1 tabIndex={-1}>Changes</h1>
      <nav aria-label="Since" class="tabs">
        {NAMES.map((each) => (
          <Link key={each} to={`changes?since=${each}`} isCurrent={each === choice}>
            {CHOICES[each]}
          </Link>
        ))}
      </nav>
      {choice === 'visit' && visit.value?.before === undefined && (
        <Notice>This is your first visit, so you see the changes since yesterday.</Notice>
      )}
      <Awaited {...loaded} data={walk} />
      {walk !== undefined && changes !== undefined && (
        <Summary walk={walk} count={changes.length} onShow={loaded.reload} />
      )}
      <ByDay rows={shown ?? []} timeOf={({ changed_at }) => changed_at}>
        {(change) => <Row key={keyOf(change)} change={change} />}
      </ByDay>
      {changes !== undefined && changes.length > rows && (
        <MoreButton onMore={() => setRows(rows + PAGE)} />
      )}
      <AsCurl path="/changes" query={{ order: 'desc', limit: 100 }} />
    </div>
  );
}

/** Returns the time after which changes count. */
function startOf(choice: Choice): string {
  if (choice === 'all') return '';
  const now = Date.now();
  const old = choice === 'visit' ? visit.peek() : undefined;
  const before = old && nextVisit(old, old.seen, now).before;
  return before ?? startOfYesterday(now, formats.value.dayOf);
}

interface SummaryProps {
  readonly walk: Walk;
  readonly count: number;
  readonly onShow: () => void;
}

/** How many memories have changed, and how many more while the screen was open. They wait, so that nothing moves. */
function Summary({ walk, count, onShow }: SummaryProps) {
  const fresh = newOf(latest.value ?? [], walk.changes).length;
  const none =
    walk.changes.length === 0
      ? 'No changes yet. Imported, changed and deleted memories appear here.'
      : 'Nothing has changed since then.';
  const memories = countedMemories(count);
  const some = walk.isCut ? `More than ${memories}` : memories;
  return (
    <div class="sum" role="status">
      <p class="note">{count === 0 ? none : some}</p>
      {fresh > 0 && (
        <button type="button" onClick={onShow}>
          {fresh < 100 ? `Show ${fresh} new` : 'Show 99+ new'}
        </button>
      )}
    </div>
  );
}

function Row({ change: { memory_id, change, changed_at } }: { readonly change: Change }) {
  const key = `${memory_id} ${changed_at}`;
  const found = names.value.get(key);
  const id = <code translate={false}>{memory_id}</code>;
  const day = found && `recorded ${formats.value.date(found.started_at)}`;
  return (
    <li class="change">
      <time dateTime={changed_at}>{formats.value.time(changed_at)}</time>
      {change === 'delete' ? (
        id
      ) : (
        <Link to={`m/${memory_id}`}>
          <span dir="auto">{found ? titleOf(found.name) : names.value.has(key) ? id : '…'}</span>
        </Link>
      )}
      <span class="note">
        {[change === 'delete' ? 'Deleted' : 'Added or changed', day].filter(Boolean).join(' · ')}
      </span>
    </li>
  );
}
