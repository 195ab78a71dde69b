// The rows of the screen of changes: a change in words, and a long run of changes as one row.

import { signal } from '@preact/signals';

import { Link } from '../../parts/link.tsx';
import { shortDate } from '../../parts/short-date.ts';
import { personOf, titleOf } from '../../parts/title.ts';
import { sourceTitle } from '../../state/products.ts';
import { useResource } from '../../state/resource.ts';
import { app } from '../../state/session.ts';
import { formats } from '../../time-formats.ts';
import { keyOf, names } from './names.ts';
import { textOf, type Act, type OwnEdit, type Run } from './runs.ts';

/** What is shown: a change, or a run in place of its changes, which follow it if it is open. */
type Entry = Act & {
  readonly run?: Run;
  readonly isInside?: boolean;
};

/** The first changes of the long runs that are open, by `keyOf`. Back finds them open. */
const opened = signal<ReadonlySet<string>>(new Set());

/** A run of more changes than these is a row of its own. */
const FEW = 5;

/** Returns when what has changed was recorded, if it is known. */
const startOf = ({ change }: Act) => names.value.get(keyOf(change))?.started_at;

/** Returns what is shown of a run. */
export function entriesOf(run: Run): Entry[] {
  const { acts, at, count, kind } = run;
  if (count === acts.length && count <= FEW) return [...acts];
  const { change = { memory_id: kind, changed_at: at, change: 'upsert' as const } } = acts[0] ?? {};
  const isOpen = opened.value.has(keyOf(change));
  if (!isOpen) return [{ change, kind, edits: [], run }];
  // Together, so that no row moves while others get their names.
  const inOrder = acts.every(startOf)
    ? acts.toSorted((a, b) => (String(startOf(a)) < String(startOf(b)) ? 1 : -1))
    : acts;
  return [{ change, kind, edits: [], run }, ...inOrder.map((act) => ({ ...act, isInside: true }))];
}

interface RunProps {
  readonly run: Run;
  /** The key of its first change. */
  readonly name: string;
  /** How many of its changes are marked as new. */
  readonly fresh: number;
}

/** A long run, which shows its changes when it is pressed. */
export function RunRow({ run, name, fresh }: RunProps) {
  const { kind, at, acts } = run;
  const isOpen = opened.value.has(name);
  const [edit] = acts[0]?.edits ?? [];
  const isOne = edit && acts.every(({ edits }) => edits.length === 1 && edits[0] === edit);
  const text = textOf(run);
  const toggle = () => {
    const all = new Set(opened.value);
    if (!all.delete(name)) all.add(name);
    opened.value = all;
  };
  return (
    <li class="change">
      <time dateTime={at}>{formats.value.time(at)}</time>
      {acts.length > 0 ? (
        <button type="button" class="person" aria-expanded={isOpen} onClick={toggle}>
          <b>
            <i aria-hidden="true">{isOpen ? '▾ ' : '▸ '}</i>
            {text}
          </b>
        </button>
      ) : (
        <span>{text}</span>
      )}
      <span class="note">
        {isOne && <What {...edit} />}
        {kind === 'Imported' && acts.length > 0 && <Sources acts={acts} />}
        {fresh > 0 && <span class="badge">{fresh} new</span>}
      </span>
    </li>
  );
}

/** The products that imported memories come from, as far as they are known. */
function Sources({ acts }: Pick<Run, 'acts'>) {
  const { changed_at: from = '' } = acts.at(-1)?.change ?? {};
  const { changed_at: to = '' } = acts[0]?.change ?? {};
  const { data } = useResource(
    `sources ${from} ${to}`,
    () => app.changes.sources({ from, to }),
    true,
  );
  return data?.[0] ? <>from {listed(data.map(({ name }) => sourceTitle(name)))}</> : null;
}

/** Returns the first names of a list, and that there are more. */
function listed(all: readonly string[]): string {
  return all.length > 3 ? `${all.slice(0, 2).join(', ')} and others` : all.join(', ');
}

interface RowProps {
  readonly act: Act;
  /** Whether it is below the row of its run. */
  readonly isInside: boolean | undefined;
  readonly isNew: boolean;
}

/** A change in words. */
export function Row({ act: { change, kind, edits }, isInside, isNew }: RowProps) {
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
  const plain =
    kind === 'Deleted' && found
      ? 'In the bin'
      : kind === 'Changed by you'
        ? 'An edit was taken back'
        : kind;
  return (
    <li class={isInside ? 'change inside' : 'change'}>
      {/* A row of an open run has one line: the run says when and how they have changed. */}
      {!isInside && <time dateTime={changed_at}>{formats.value.time(changed_at)}</time>}
      {kind !== 'Deleted' ? (
        <Link to={`m/${memory_id}`}>{name}</Link>
      ) : found ? (
        <Link to="bin">{name}</Link>
      ) : (
        name
      )}
      {isInside && <time>{found && shortDate(found.started_at)}</time>}
      <span class="note">
        {edits.length === 0
          ? !isInside && plain
          : edits.map((edit, at) => [at > 0 && ' · ', <What key={at} {...edit} />])}
        {found && !isInside && ` · recorded ${formats.value.date(found.started_at)}`}
        {isNew && <span class="badge">new</span>}
      </span>
    </li>
  );
}

/** What an edit has changed. The new name of a memory is that of its row. */
function What({ field, from, to }: OwnEdit) {
  if (field === 'speaker')
    return (
      <>
        Speaker <bdi>“{personOf(from ?? '')}”</bdi> → <bdi>“{personOf(to)}”</bdi>
      </>
    );
  const isName = field === 'name';
  return (
    <>
      {isName ? 'Renamed' : 'Start changed'}
      {from !== null && (
        <> from {isName ? <bdi>“{titleOf(from)}”</bdi> : formats.value.moment(from)}</>
      )}
    </>
  );
}
