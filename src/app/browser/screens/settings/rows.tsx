// Lists of what an account has, as a table or as items: each row with a button for each of its actions.

import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';

import { useAction } from '../../parts/controls/action.ts';
import { Question } from '../../parts/controls/dialog.tsx';
import { Awaited, FailureNotice } from '../../parts/notice.tsx';
import type { Resource } from '../../state/resource.ts';
import { me } from '../../state/session.ts';

/** An action that nothing undoes, and the question before it. */
interface AskedAction {
  readonly title: string;
  readonly text: ComponentChildren;
  readonly run: () => Promise<unknown>;
}

/** An action. If it returns a promise, it changes the row, and the rows are loaded again. Undefined: not now. */
type RowAction = (() => void | Promise<unknown>) | AskedAction | undefined;

/** Returns the actions of a row by the texts of their buttons. */
export type ActionsOf<R> = (row: R) => Readonly<Record<string, RowAction>>;

interface ListProps<R> {
  readonly loaded: Omit<Resource<readonly R[]>, 'replace'>;
  /** What is said if there are no rows. */
  readonly none: ComponentChildren;
  readonly actionsOf?: ActionsOf<R> | undefined;
}

/** A row with its key, the id of what names it, and its buttons. */
interface ShownRow<R> {
  readonly row: R;
  readonly key: string;
  readonly id: string;
  readonly buttons: ComponentChildren;
}

interface RowsProps<R> extends ListProps<R> {
  readonly children: (rows: readonly ShownRow<R>[]) => ComponentChildren;
}

/** What was loaded, or what is in its place: a failure, that it is loading, or that there is nothing. */
function Rows<R extends { readonly id: string | null }>(props: RowsProps<R>) {
  const { loaded, none, actionsOf, children: show } = props;
  const { data = [], reload } = loaded;
  const list = useId();
  const acting = useAction();
  const [asked, setAsked] = useState<AskedAction & { readonly action: string }>();
  const place = useRef<Element | null>(null);
  const known = useRef(0);
  // A row that goes takes the focus of its button along.
  useLayoutEffect(() => {
    const isLost = data.length < known.current && document.activeElement === document.body;
    if (isLost) place.current?.querySelector<HTMLElement>('h1, h2')?.focus();
    known.current = data.length;
  }, [data.length]);
  const press = (action: string, does: NonNullable<RowAction>, button: Element) => {
    place.current = button.closest('section, .settings');
    if (typeof does === 'object') setAsked({ ...does, action });
    else
      void acting.run(async () => {
        const done = does();
        if (done === undefined) return;
        await done;
        reload();
      });
  };
  const rows = data.map((row, at) => {
    const id = `${list}-${at}`;
    const buttons = Object.entries(actionsOf?.(row) ?? {}).map(([text, does]) => (
      <button
        key={text}
        type="button"
        disabled={does === undefined || me.value?.can_write === false}
        aria-describedby={id}
        onClick={({ currentTarget }) => does && press(text, does, currentTarget)}
      >
        {text}
      </button>
    ));
    return { row, key: row.id ?? id, id, buttons };
  });
  return (
    <>
      <Awaited {...loaded} rows={3} />
      <FailureNotice failure={acting.failure} />
      {loaded.data?.length === 0 && <p role="status">{none}</p>}
      {rows.length > 0 && show(rows)}
      {asked !== undefined && (
        <Question
          title={asked.title}
          action={asked.action}
          isDangerous
          onAction={asked.run}
          onClose={() => {
            setAsked(undefined);
            reload();
          }}
        >
          <p>{asked.text}</p>
        </Question>
      )}
    </>
  );
}

interface TableProps<R> extends ListProps<R> {
  /** The cells of a row by the heads of their columns. The first one names the row. */
  readonly columns: Readonly<Record<string, (row: R) => ComponentChildren>>;
}

/** A table. In a narrow window each row becomes a block. */
export function Table<R extends { readonly id: string }>({ columns, ...list }: TableProps<R>) {
  const [first, ...others] = Object.entries(columns);
  return (
    <Rows {...list}>
      {(rows) => (
        <table class="keys">
          <thead>
            <tr>
              {[...Object.keys(columns), ...(list.actionsOf ? ['Actions'] : [])].map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ row, key, id, buttons }) => (
              <tr key={key}>
                <th scope="row" id={id}>
                  {first?.[1](row)}
                </th>
                {others.map(([head, cell]) => (
                  <td key={head} data-head={head}>
                    {cell(row)}
                  </td>
                ))}
                {list.actionsOf && <td class="buttons">{buttons}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Rows>
  );
}

interface ItemsProps<R> extends ListProps<R> {
  /** The title of a row, what else is known in parts of a sentence, and what follows it. */
  readonly tell: (row: R) => {
    readonly title: string;
    readonly tag?: string | false;
    readonly facts: readonly string[];
    readonly problem?: string | null | undefined;
  };
}

/** A list of items, each with a title and a line about it. */
export function Items<R extends { readonly id: string | null }>({ tell, ...list }: ItemsProps<R>) {
  return (
    <Rows {...list}>
      {(rows) => (
        <ul class="items">
          {rows.map(({ row, key, id, buttons }) => {
            const { title, tag, facts, problem } = tell(row);
            return (
              <li key={key}>
                <div>
                  <b id={id}>{title}</b>
                  {tag && <span class="tag">{tag}</span>}
                  <p class="note">{facts.join(' · ')}</p>
                  {problem && <p class="notice failure">{problem}</p>}
                </div>
                <p class="actions">{buttons}</p>
              </li>
            );
          })}
        </ul>
      )}
    </Rows>
  );
}
