// The screen of changes: which memories were added, changed and deleted since a time, latest first.

import { useEffect, useState } from 'preact/hooks';

import type { Change } from '../../../../contract/schemas/memory.ts';
import { useRowKeys } from '../../keyboard/row-keys.ts';
import { canChange } from '../../parts/deleting.tsx';
import { Link } from '../../parts/link.tsx';
import { ByDay } from '../../parts/lists/by-day.tsx';
import { MoreButton } from '../../parts/lists/pages.tsx';
import { Awaited, Notice } from '../../parts/notice.tsx';
import { titleOf } from '../../parts/title.ts';
import { latest, markSeen, visit } from '../../state/changes/change-list.ts';
import { newOf, walkChanges, type Walk } from '../../state/changes/feed.ts';
import { nextVisit } from '../../state/changes/visit.ts';
import { comebacks } from '../../state/connection.ts';
import { useResource } from '../../state/resource.ts';
import { place, useArrival } from '../../state/router.ts';
import { api, app } from '../../state/session.ts';
import { formats } from '../../time-formats.ts';
import { keyOf, names, readNames } from './names.ts';

/** What is shown, by the names that addresses have. */
const CHOICES = {
  visit: 'Since your last visit',
  all: 'All',
} as const;
type Choice = keyof typeof CHOICES;
const NAMES = Object.keys(CHOICES) as Choice[];

type OwnEdit = Awaited<ReturnType<typeof app.edits.list>>[number];

/** How long the memories of an edit may take to be made again. */
const EDIT_MS = 600_000;

/** What has happened to a memory. The gateway records that a memory was written, and not whether it was new. */
type Kind = 'Imported' | 'Changed by you' | 'Deleted';

/** Returns what a change is. One that follows an edit of the memory, or of all, is the owner's. */
function kindOf({ memory_id, change, changed_at }: Change, edits: readonly OwnEdit[]): Kind {
  if (change === 'delete') return 'Deleted';
  const isEdited = edits.some((edit) => {
    // First, because times take longer to read, and there may be thousands of changes.
    if ((edit.memory_id ?? memory_id) !== memory_id) return false;
    const after = Date.parse(changed_at) - Date.parse(edit.made_at);
    return after > -1000 && after < EDIT_MS;
  });
  return isEdited ? 'Changed by you' : 'Imported';
}

const PAGE = 50;

/** What was shown last, for Back to show it at once. */
let lately: { readonly key: string; readonly walk: Walk; rows: number } | undefined;

const listEdits = async () => (canChange() ? app.edits.list() : []);

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
  const edits = useResource('edits', listEdits).data ?? [];
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
        <Notice>This is your first visit, so you see all changes.</Notice>
      )}
      <Awaited {...loaded} data={walk} />
      {walk !== undefined && changes !== undefined && (
        <Summary {...{ walk, changes, edits }} onShow={loaded.reload} />
      )}
      <ByDay rows={shown ?? []} timeOf={({ changed_at }) => changed_at}>
        {(change) => <Row key={keyOf(change)} change={change} kind={kindOf(change, edits)} />}
      </ByDay>
      {changes !== undefined && changes.length > rows && (
        <MoreButton onMore={() => setRows(rows + PAGE)} />
      )}
    </div>
  );
}

/** Returns the time after which changes count. */
function startOf(choice: Choice): string {
  const old = choice === 'visit' ? visit.peek() : undefined;
  return (old && nextVisit(old, old.seen, Date.now()).before) ?? '';
}

interface SummaryProps {
  readonly walk: Walk;
  readonly changes: readonly Change[];
  readonly edits: readonly OwnEdit[];
  readonly onShow: () => void;
}

/** How much has changed, and how many more while the screen was open. They wait, so that nothing moves. */
function Summary({ walk, changes, edits, onShow }: SummaryProps) {
  const fresh = newOf(latest.value ?? [], walk.changes).length;
  const kinds = Map.groupBy(changes, (change) => kindOf(change, edits));
  const counts = Array.from(
    kinds,
    ([kind, { length }]) => `${length.toLocaleString('en')} ${kind.toLowerCase()}`,
  );
  const none = walk.changes.length === 0 ? 'No changes yet.' : 'Nothing has changed since then.';
  return (
    <div class="sum" role="status">
      <p class="note">
        {counts.length === 0 ? none : `${walk.isCut ? 'More than ' : ''}${counts.join(', ')}`}
      </p>
      {fresh > 0 && (
        <button type="button" onClick={onShow}>
          Show {fresh < 100 ? fresh : '99+'} new
        </button>
      )}
    </div>
  );
}

interface RowProps {
  readonly change: Change;
  readonly kind: Kind;
}

function Row({ change, kind }: RowProps) {
  const { memory_id, changed_at } = change;
  const key = keyOf(change);
  const found = names.value.get(key);
  const name = found ? (
    <bdi>{titleOf(found.name)}</bdi>
  ) : kind === 'Deleted' || names.value.has(key) ? (
    <code translate={false}>{memory_id}</code>
  ) : (
    '…'
  );
  return (
    <li class="change">
      <time dateTime={changed_at}>{formats.value.time(changed_at)}</time>
      {kind !== 'Deleted' ? (
        <Link to={`m/${memory_id}`}>{name}</Link>
      ) : found ? (
        <Link to="bin">{name}</Link>
      ) : (
        name
      )}
      <span class="note">
        {[
          kind === 'Deleted' && found ? 'In the bin' : kind,
          found && `recorded ${formats.value.date(found.started_at)}`,
        ]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </li>
  );
}
