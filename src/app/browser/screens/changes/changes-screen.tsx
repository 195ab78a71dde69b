// The screen of changes: which memories were added, changed and deleted since a time, latest first.

import { useEffect, useMemo, useState } from 'preact/hooks';

import { useRowKeys } from '../../keyboard/row-keys.ts';
import { canChange } from '../../parts/deleting.tsx';
import { Link } from '../../parts/link.tsx';
import { ByDay } from '../../parts/lists/by-day.tsx';
import { MoreButton } from '../../parts/lists/pages.tsx';
import { Awaited, PassingButton } from '../../parts/notice.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { latest, markSeen, visit } from '../../state/changes/change-list.ts';
import { newOf, walkChanges, type Walk } from '../../state/changes/feed.ts';
import { isNews, nextVisit } from '../../state/changes/visit.ts';
import { comebacks } from '../../state/connection.ts';
import { useResource } from '../../state/resource.ts';
import { place, useArrival } from '../../state/router.ts';
import { api, app, me } from '../../state/session.ts';
import { entriesOf, Row, RunRow } from './change-rows.tsx';
import { keyOf, readNames } from './names.ts';
import { actsOf, eventsAfter, runsOf, type Act, type OwnEdit, type OwnEvent } from './runs.ts';

/** What is shown, by the names that addresses have. */
const CHOICES = { visit: 'Since your last visit', all: 'All' } as const;
type Choice = keyof typeof CHOICES;

const PAGE = 50;

/** How many changes of a run are named together, so that they are in the order of their recordings. */
const MOST_SORTED = 500;

/** How many rows were shown last, for Back. */
let lately = { key: '', rows: PAGE };

/** What the account knows of its owner's acts. */
type Own = readonly [readonly OwnEdit[], readonly OwnEvent[]];

const listOwn = async (): Promise<Own> =>
  canChange() ? Promise.all([app.edits.list(), app.events.list()]) : [[], []];

/** Whether a source could not import everything, which is no change. */
async function hasTrouble(): Promise<boolean> {
  if (!me.value?.can_import) return false;
  const { sources } = await app.sources.list();
  return sources.some(({ run, unread }) => run?.problem || run?.rejected || unread[0]);
}

/** The screen of changes. */
export function ChangesScreen() {
  const asked = new URLSearchParams(place.value.query).get('since');
  const choice = asked === 'all' ? 'all' : 'visit';
  return <ChangesSince key={choice} choice={choice} />;
}

function ChangesSince({ choice }: { readonly choice: Choice }) {
  const [since] = useState(() => startOf(choice));
  const key = `${choice} ${since}`;
  const [rows, setRows] = useState(lately.key === key ? lately.rows : PAGE);
  const loaded = useResource(
    key,
    () => walkChanges(api.changes.page, ({ changed_at }) => changed_at <= since),
    true,
  );
  const own = useResource('own', listOwn, true);
  const troubled = useResource('troubled', hasTrouble, true);
  const walk = loaded.data;
  // The number beside the link to this screen counts from here.
  const [seen] = useState(() => visit.peek()?.seen ?? ['']);
  useEffect(() => {
    lately = { key, rows };
    if (walk !== undefined) markSeen(walk.changes);
  }, [walk, rows]);
  const changes = walk?.changes.filter(({ changed_at }) => changed_at > since);
  // Once for what was read, and not for every row that is opened: there may be thousands of changes.
  const acts = useMemo(() => {
    if (changes === undefined || (own.data ?? own.failure) === undefined) return undefined;
    const all = actsOf(changes, own.data?.[0], own.data?.[1]);
    if (own.data !== undefined) return all;
    // Without a connection, the browser has the changes alone.
    return all.map((act) => (act.kind === 'Deleted' ? act : { ...act, kind: 'Changed' as const }));
  }, [walk, own.data, own.failure]);
  // Of a feed that is cut, the log has older entries than there are changes.
  const oldest = walk?.isCut ? (changes?.at(-1)?.changed_at ?? since) : since;
  const runs = acts && runsOf(acts, eventsAfter(own.data?.[1] ?? [], oldest));
  const fresh = changes?.filter(({ changed_at }) => isNews(seen, changed_at)).length ?? 0;
  /** Whether a change is marked as new, because not all are. */
  const isNew = ({ change: { changed_at } }: Act) =>
    isNews(seen, changed_at) && fresh < (changes?.length ?? 0);
  const entries = runs?.flatMap(entriesOf);
  const shown = entries?.slice(0, rows);
  useEffect(() => {
    if (shown !== undefined)
      void readNames(
        entries
          ?.filter(({ run, isInside }, at) => !run && (at < rows || (isInside && at < MOST_SORTED)))
          .map(({ change }) => change) ?? [],
      );
  }, [walk, rows, entries?.length, comebacks.value]);
  useRowKeys('.change :is(a, button)', 'row', 'Open the memory');
  useArrival(shown !== undefined, 'Changes');
  return (
    <div class="changes">
      <h1 tabIndex={-1}>Changes</h1>
      {/* Until there was another visit, both have all. */}
      {visit.value?.before !== undefined && (
        <Tabs
          label="Since"
          choices={CHOICES}
          choice={choice}
          pathOf={(each) => `changes?since=${each}`}
        />
      )}
      {troubled.data && (
        <p class="notice">
          <Link to="settings/sources">A source has a problem</Link>
        </p>
      )}
      <Awaited {...loaded} />
      {walk !== undefined && runs !== undefined && (
        <Summary
          {...{ walk, fresh }}
          isEmpty={runs.length === 0}
          onShow={() => {
            loaded.reload();
            own.reload();
          }}
        />
      )}
      <ByDay rows={shown ?? []} timeOf={({ change }) => change.changed_at}>
        {({ run, isInside, ...act }) => {
          const name = keyOf(act.change);
          return run === undefined ? (
            <Row key={name} act={act} isInside={isInside} isNew={isNew(act)} />
          ) : (
            <RunRow key={`run ${name}`} {...{ run, name }} fresh={run.acts.filter(isNew).length} />
          );
        }}
      </ByDay>
      {entries !== undefined && entries.length > rows && (
        <MoreButton onMore={() => setRows(rows + PAGE)} />
      )}
    </div>
  );
}

/** Returns the time after which changes count. */
function startOf(choice: Choice): string {
  const old = choice === 'visit' ? visit.peek() : undefined;
  return (old && nextVisit(old, '', Date.now()).before) ?? '';
}

interface SummaryProps {
  readonly walk: Walk;
  /** Whether no row is shown. */
  readonly isEmpty: boolean;
  /** How many changes are new since the screen was looked at last. */
  readonly fresh: number;
  readonly onShow: () => void;
}

const told = (count: number, what: string) => `${count.toLocaleString('en')} ${what}`;

/** What the rows do not say, and how many more came while the screen was open. They wait, so that nothing moves. */
function Summary({ walk, isEmpty, fresh, onShow }: SummaryProps) {
  const later = newOf(latest.value ?? [], walk.changes).length;
  const said = isEmpty
    ? 'Nothing has changed since then.'
    : walk.isCut && `The latest ${told(walk.changes.length, 'changes')}`;
  return (
    <div class="sum actions" role="status" hidden={!said && fresh + later === 0}>
      <p class="note">
        {said}
        {fresh > 0 && <span class="badge">{told(fresh, 'new')}</span>}
      </p>
      {later > 0 && (
        <PassingButton onClick={onShow}>Show {later < 100 ? later : '99+'} new</PassingButton>
      )}
    </div>
  );
}
