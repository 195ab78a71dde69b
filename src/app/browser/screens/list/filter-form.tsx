// The filter of the list, and what to drop of it if nothing passes.

import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { Link } from '../../parts/link.tsx';
import {
  FILTERS,
  listOfFilter,
  pathOfFilter,
  readFilter,
  type Filter,
} from '../../state/list/filter.ts';
import { zone } from '../../state/reading.ts';
import { go } from '../../state/router.ts';
import { api } from '../../state/session.ts';
import { FILTER } from '../../texts.ts';

function apply(event: SubmitEvent): void {
  event.preventDefault();
  if (!(event.currentTarget instanceof HTMLFormElement)) return;
  const query = new URLSearchParams();
  for (const [name, value] of new FormData(event.currentTarget))
    if (typeof value === 'string') query.set(name, value);
  go(pathOfFilter(readFilter(query.toString())));
}

/** The form. Its values become the query of the address, so that Back and links work. */
export function FilterForm({ filter }: { readonly filter: Filter }) {
  const path = pathOfFilter(filter);
  return (
    <details class="filter" open={path !== ''}>
      <summary>{FILTER.title}</summary>
      <form key={path} onSubmit={apply}>
        <Field name="q">
          <input id="filter-q" name="q" type="text" maxLength={1024} defaultValue={filter.q} />
        </Field>
        <Field name="from">
          <input id="filter-from" name="from" type="date" defaultValue={filter.from} />
        </Field>
        <Field name="to">
          <input id="filter-to" name="to" type="date" defaultValue={filter.to} />
        </Field>
        <Field name="state">
          <select id="filter-state" name="state">
            {(['', 'ready', 'processing'] as const).map((state) => (
              <option key={state} value={state} selected={state === filter.state}>
                {FILTER.states[state]}
              </option>
            ))}
          </select>
        </Field>
        <button type="submit">{FILTER.apply}</button>
        {path !== '' && <Link to="">{FILTER.clear}</Link>}
      </form>
    </details>
  );
}

function Field({
  name,
  children,
}: {
  readonly name: keyof Filter;
  readonly children: ComponentChildren;
}) {
  return (
    <div class="field">
      <label for={`filter-${name}`}>{FILTER[name]}</label>
      {children}
    </div>
  );
}

/** Says that nothing passes a filter, and offers each part of it without which something does. */
export function NonePass({ filter }: { readonly filter: Filter }) {
  const [useful, setUseful] = useState<readonly Filter[]>([]);
  const used = FILTERS.filter((name) => filter[name] !== '');
  useEffect(() => {
    let isCurrent = true;
    const look = async (name: keyof Filter) => {
      const without: Filter = { ...filter, [name]: '' };
      const { items } = await api.memories.page({ ...listOfFilter(without, zone.value), limit: 1 });
      if (isCurrent && items.length > 0) setUseful((old) => [...old, without]);
    };
    // Nothing to offer is no failure.
    for (const name of used) look(name).catch(() => undefined);
    return () => {
      isCurrent = false;
    };
  }, []);
  return (
    <>
      <p>{FILTER.none(textOf(filter))}</p>
      <ul class="plain-list">
        {useful.map((without) => {
          const dropped = used.filter((name) => without[name] === '');
          return (
            <li key={dropped}>
              <Link to={pathOfFilter(without)}>{FILTER.drop(textOf(filter, dropped))}</Link>
            </li>
          );
        })}
      </ul>
    </>
  );
}

function textOf(filter: Filter, names: readonly (keyof Filter)[] = FILTERS): string {
  return names
    .filter((name) => filter[name] !== '')
    .map((name) => FILTER.said[name](name === 'state' ? FILTER.states[filter.state] : filter[name]))
    .join(', ');
}
