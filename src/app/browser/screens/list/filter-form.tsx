// The filter of the list, and what to drop of it if nothing passes.

import { useEffect, useState } from 'preact/hooks';

import { TextInput, Select } from '../../parts/controls/fields.tsx';
import { Link } from '../../parts/link.tsx';
import {
  FILTERS,
  listOfFilter,
  NO_FILTER,
  pathOfFilter,
  readFilter,
  type Filter,
} from '../../state/list/filter.ts';
import { zone } from '../../state/reading.ts';
import { go } from '../../state/router.ts';
import { api } from '../../state/session.ts';

function apply(event: SubmitEvent): void {
  event.preventDefault();
  if (!(event.currentTarget instanceof HTMLFormElement)) return;
  const query = new URLSearchParams();
  for (const [name, value] of new FormData(event.currentTarget))
    if (typeof value === 'string') query.set(name, value);
  go(pathOfFilter(readFilter(query.toString())));
}

const STATES = { '': 'All', ready: 'Ready', processing: 'Being processed' } as const;

/** The form. Its values become the query of the address, so that Back and links work. */
export function FilterForm({ filter }: { readonly filter: Filter }) {
  const path = pathOfFilter(filter);
  return (
    <details class="filter" open={path !== ''}>
      <summary>Filter</summary>
      <form key={path} onSubmit={apply}>
        <TextInput label="Words" name="q" maxLength={1024} defaultValue={filter.q} />
        <TextInput label="From" name="from" type="date" defaultValue={filter.from} />
        <TextInput label="To" name="to" type="date" defaultValue={filter.to} />
        <Select label="State" name="state" options={STATES} value={filter.state} />
        <button type="submit">Apply</button>
        {path !== '' && <Link to="">Show all</Link>}
      </form>
    </details>
  );
}

/** Says that nothing passes a filter, and offers each part of it without which something does. */
export function NonePass({ filter }: { readonly filter: Filter }) {
  const [useful, setUseful] = useState<readonly Filter[]>([]);
  const used = NAMES.filter((name) => isUsed(filter, name));
  useEffect(() => {
    let isCurrent = true;
    const look = async (name: FilterName) => {
      const without: Filter = { ...filter, [name]: NO_FILTER[name] };
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
      <p>No memory passes the filter: {textOf(filter)}.</p>
      <ul class="plain-list">
        {useful.map((without) => {
          const dropped = used.filter((name) => !isUsed(without, name));
          return (
            <li key={dropped}>
              <Link to={pathOfFilter(without)}>
                Without {textOf(filter, dropped)} there are some
              </Link>
            </li>
          );
        })}
      </ul>
    </>
  );
}

const NAMES = [...FILTERS, 'person'] as const;

type FilterName = (typeof NAMES)[number];

const isUsed = (filter: Filter, name: FilterName) => filter[name].length > 0;

/** What a filter asks for, in words. */
const ASKED: Readonly<Record<FilterName, (filter: Filter) => string>> = {
  q: ({ q }) => `the words ${q}`,
  from: ({ from }) => `from ${from}`,
  to: ({ to }) => `to ${to}`,
  state: ({ state }) => `the state “${STATES[state]}”`,
  tag: ({ tag }) => `the tag ${tag}`,
  source: ({ source }) => `the source ${source}`,
  person: ({ person }) => `the person ${person.join(' and ')}`,
};

function textOf(filter: Filter, names: readonly FilterName[] = NAMES): string {
  const used = names.filter((name) => isUsed(filter, name));
  return used.map((name) => ASKED[name](filter)).join(', ');
}
