// A list of what an account has: each item with a title, a line about it, and a button for each of its actions.

import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';

import { useAction } from '../../parts/controls/action.ts';
import { Question } from '../../parts/controls/dialog.tsx';
import { Awaited } from '../../parts/notice.tsx';
import { tellFailure } from '../../state/changes/undo.ts';
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

interface ItemsProps<R> {
  readonly loaded: Omit<Resource<readonly R[]>, 'replace'>;
  /** What is said if there are no rows. */
  readonly none: ComponentChildren;
  readonly actionsOf?: ActionsOf<R> | undefined;
  /** The action that is not what people mostly come for. */
  readonly quiet?: string;
  /** The title of a row, what else is known in parts of a sentence (empty ones are left out), and what follows it. */
  readonly tell: (row: R) => {
    readonly title: ComponentChildren;
    readonly tag?: string | false;
    readonly facts: readonly ComponentChildren[];
    readonly problem?: string | null | undefined;
    readonly more?: ComponentChildren;
  };
}

/** What was loaded, or what is in its place: a failure, that it is loading, or that there is nothing. */
export function Items<R extends { readonly id: string | null }>(props: ItemsProps<R>) {
  const { loaded, none, tell, actionsOf, quiet } = props;
  const { data = [], reload } = loaded;
  const list = useId();
  const acting = useAction(tellFailure);
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
  const items = data.map((row, at) => {
    const id = `${list}-${at}`;
    const { title, tag, facts, problem, more } = tell(row);
    const actions = Object.entries(actionsOf?.(row) ?? {});
    return (
      <li key={row.id ?? id}>
        <div>
          <b id={id}>{title}</b>
          {tag && <span class="tag">{tag}</span>}
          <p class="note">
            {facts.filter(Boolean).map((fact, which) => [which > 0 && ' · ', fact])}
          </p>
          {problem && <p class="notice failure">{problem}</p>}
          {more}
        </div>
        {actions.length > 0 && (
          <p class="actions">
            {actions.map(([text, does]) => (
              <button
                key={text}
                type="button"
                class={text === quiet ? 'plain' : ''}
                aria-disabled={acting.isBusy || does === undefined || undefined}
                disabled={does === undefined || me.value?.can_write === false}
                aria-describedby={id}
                onClick={({ currentTarget }) => does && press(text, does, currentTarget)}
              >
                {text}
              </button>
            ))}
          </p>
        )}
      </li>
    );
  });
  return (
    <>
      <Awaited {...loaded} />
      {loaded.data?.length === 0 && <p role="status">{none}</p>}
      <ul class="items">{items}</ul>
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
