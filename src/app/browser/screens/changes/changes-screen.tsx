// The screen of changes: which memories were added, changed and deleted since a time, latest first.

import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';

import type { Change } from '../../../../contract/schemas/memory.ts';
import { countedMemories } from '../../format.ts';
import { useRowKeys } from '../../keyboard/row-keys.ts';
import { canChange } from '../../parts/deleting.tsx';
import { Link } from '../../parts/link.tsx';
import { ByDay } from '../../parts/lists/by-day.tsx';
import { MoreButton } from '../../parts/lists/pages.tsx';
import { Awaited, Notice, PassingButton } from '../../parts/notice.tsx';
import { Tabs } from '../../parts/tabs.tsx';
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
import { kindOf, runsOf, type Kind, type OwnEdit, type Run } from './runs.ts';

/** What is shown, by the names that addresses have. */
const CHOICES = { visit: 'Since your last visit', all: 'All' } as const;
type Choice = keyof typeof CHOICES;

const PAGE = 50;

/** What is shown: a change, or a run in place of its changes, which follow it if it is open. */
type Entry = Pick<Run, 'kind'> & {
  readonly change: Change;
  readonly run?: Run;
  readonly isInside?: boolean;
};

/** The first changes of the long runs that are open, by `keyOf`. Back finds them open. */
const opened = signal<ReadonlySet<string>>(new Set());

/** A run of more changes than these is a row of its own. */
const FEW = 5;

function entriesOf(run: Run): Entry[] {
  const { kind, changes } = run;
  const rows = changes.map((change) => ({ kind, change }));
  const [first] = rows;
  if (first === undefined || rows.length <= FEW) return rows;
  const isOpen = opened.value.has(keyOf(first.change));
  return [{ ...first, run }, ...(isOpen ? rows.map((row) => ({ ...row, isInside: true })) : [])];
}

/** How many rows were shown last, for Back. */
let lately = { key: '', rows: PAGE };

const listEdits = async () => (canChange() ? app.edits.list() : []);

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
  const edits = useResource('edits', listEdits, true).data ?? [];
  const walk = loaded.data;
  useEffect(() => {
    lately = { key, rows };
    if (walk !== undefined) markSeen(walk.changes);
  }, [walk, rows]);
  const changes = walk?.changes.filter(({ changed_at }) => changed_at > since);
  const runs = changes && runsOf(changes, edits);
  const entries = runs?.flatMap(entriesOf);
  const shown = entries?.slice(0, rows);
  useEffect(() => {
    if (shown !== undefined)
      void readNames(shown.filter(({ run }) => !run).map(({ change }) => change));
  }, [walk, rows, entries?.length, comebacks.value]);
  useRowKeys('.change :is(a, button)', 'row', 'Open the memory, as Enter does');
  useArrival(shown !== undefined, 'Changes');
  return (
    <div class="changes">
      <h1 tabIndex={-1}>Changes</h1>
      <Tabs
        label="Since"
        choices={CHOICES}
        choice={choice}
        pathOf={(each) => `changes?since=${each}`}
      />
      {choice === 'visit' && visit.value?.before === undefined && (
        <Notice>This is your first visit, so you see all changes.</Notice>
      )}
      <Awaited {...loaded} />
      {walk !== undefined && changes !== undefined && (
        <Summary {...{ walk, changes, edits }} isOne={runs?.length === 1} onShow={loaded.reload} />
      )}
      <ByDay rows={shown ?? []} timeOf={({ change }) => change.changed_at}>
        {({ run, change, ...row }) =>
          run === undefined ? (
            <Row key={keyOf(change)} change={change} {...row} />
          ) : (
            <RunRow key={`run ${keyOf(change)}`} run={run} name={keyOf(change)} />
          )
        }
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
  return (old && nextVisit(old, old.seen, Date.now()).before) ?? '';
}

interface SummaryProps {
  readonly walk: Walk;
  readonly changes: readonly Change[];
  readonly edits: readonly OwnEdit[];
  /** Whether all changes are one run, which says how many they are. */
  readonly isOne: boolean;
  readonly onShow: () => void;
}

/** How much has changed, and how many more while the screen was open. They wait, so that nothing moves. */
function Summary({ walk, changes, edits, isOne, onShow }: SummaryProps) {
  const fresh = newOf(latest.value ?? [], walk.changes).length;
  const kinds = Map.groupBy(changes, (change) => kindOf(change, edits));
  const counts = Array.from(
    kinds,
    ([kind, { length }]) => `${length.toLocaleString('en')} ${kind.toLowerCase()}`,
  );
  const none = walk.changes.length === 0 ? 'No changes yet.' : 'Nothing has changed since then.';
  return (
    <div class="sum" role="status" hidden={isOne && fresh === 0 && !walk.isCut}>
      <p class="note">
        {counts.length === 0 ? none : `${walk.isCut ? 'More than ' : ''}${counts.join(', ')}`}
      </p>
      {fresh > 0 && (
        <PassingButton onClick={onShow}>Show {fresh < 100 ? fresh : '99+'} new</PassingButton>
      )}
    </div>
  );
}

function RunRow({ run: { kind, changes }, name }: { readonly run: Run; readonly name: string }) {
  const isOpen = opened.value.has(name);
  const { changed_at = '' } = changes[0] ?? {};
  const toggle = () => {
    const all = new Set(opened.value);
    if (!all.delete(name)) all.add(name);
    opened.value = all;
  };
  return (
    <li class="change">
      <time dateTime={changed_at}>{formats.value.time(changed_at)}</time>
      <button type="button" class="person" aria-expanded={isOpen} onClick={toggle}>
        <span aria-hidden="true">{isOpen ? '▾ ' : '▸ '}</span>
        {countedMemories(changes.length)} {kind.toLowerCase()}
      </button>
    </li>
  );
}

interface RowProps {
  readonly change: Change;
  readonly kind: Kind;
  /** Whether it is below the row of its run. */
  readonly isInside?: boolean;
}

function Row({ change, kind, isInside = false }: RowProps) {
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
    <li class={isInside ? 'change inside' : 'change'}>
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
