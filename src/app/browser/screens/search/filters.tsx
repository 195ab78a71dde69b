// What a search can be limited to, folded away: days in the reader's time zone, people, a tag or a source, and the state.

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

import { isSpeakerLabel } from '../../../../text/speaker.ts';
import { countedMemories } from '../../format.ts';
import { useShortcuts } from '../../keyboard/keyboard.ts';
import { personOf } from '../../parts/title.ts';
import { useDays } from '../../state/day-totals.ts';
import { isLimited, type Filter } from '../../state/list/filter.ts';
import { sumOf } from '../../state/list/layout.ts';
import { keyOf, list } from '../../state/list/list.ts';
import { sourceTitle } from '../../state/products.ts';
import { useResource } from '../../state/resource.ts';
import { back, go, place } from '../../state/router.ts';
import { searchPath } from '../../state/search/search-path.ts';
import { api } from '../../state/session.ts';
import { STATES } from './limits.tsx';
import { Named, With, type FoundNames } from './with-person.tsx';

interface Changed {
  readonly currentTarget: { readonly value: string };
}

/** Narrower screens have the fields below each other. */
const NARROW = '(width < 40rem)';

/** Fields whose values the address has, and chips show. They start open for somebody who wants to filter the list. */
export function Filters({ startsOpen }: { readonly startsOpen: boolean }) {
  const { query, kept } = place.value;
  const asked = new URLSearchParams(query);
  const [isOpen, setOpen] = useState(startsOpen);
  const fields = useRef<HTMLDetailsElement>(null);
  // Names to choose from are loaded when somebody looks for them. Without them, names can be typed.
  const { data: known } = useResource(`limits ${isOpen}`, async () =>
    isOpen ? await readKnown() : undefined,
  );
  useLayoutEffect(() => {
    if (startsOpen && !kept && !matchMedia(NARROW).matches)
      fields.current?.querySelector('input')?.focus();
  }, []);
  useEffect(() => {
    // A click on what it lies above closes it, and one on a chip beside it does not.
    const leaveTo = ({ target }: Event) => {
      if (!fields.current?.parentElement?.contains(target as Node)) setOpen(false);
    };
    addEventListener('pointerdown', leaveTo);
    return () => removeEventListener('pointerdown', leaveTo);
  }, []);
  const close = () => {
    setOpen(false);
    fields.current?.querySelector('summary')?.focus();
  };
  const choose = (values: Readonly<Record<string, string | readonly string[]>>) => {
    go(searchPath(query, values), 'replace');
    if (matchMedia(NARROW).matches) close(); // what was found is below them
  };
  // Without a limit, Escape leads back to the list.
  const leave = () => (query === '' ? back() : close());
  useShortcuts(
    isOpen ? [{ keys: ['Escape'], text: 'Close the filter', run: leave, inFields: true }] : [],
  );
  const [named, setNamed] = useState<FoundNames>();
  const add = (name: string) => {
    setNamed(undefined);
    choose({ person: [...asked.getAll('person'), name] });
  };
  const field = (name: string) => ({
    id: name,
    value: asked.get(name) ?? '',
    onChange: ({ currentTarget }: Changed) => choose({ [name]: currentTarget.value }),
  });
  return (
    <details
      ref={fields}
      class="filters"
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>Filter</summary>
      <div class="over">
        <div class="actions">
          <label>
            From <input type="date" {...field('from')} />
          </label>
          <label>
            To <input type="date" {...field('to')} />
          </label>
          <With known={known?.people ?? []} onName={add} onFound={setNamed} />
          <Choice label="Tag" field={field('tag')} options={optionsOf(known?.tags)} />
          <Choice
            label="Source"
            field={field('source')}
            options={optionsOf(known?.sources, sourceTitle)}
          />
          <Choice label="State" field={field('state')} options={known?.states ?? []} />
        </div>
        {named && <Named {...named} onName={add} />}
      </div>
    </details>
  );
}

/** Reads what there is to choose from: the names with the most memories, all tags, sources and states. */
async function readKnown() {
  const [{ items }, all, processing] = await Promise.all([
    api.people.page({ limit: 100 }),
    api.tags.list(),
    api.memories.page({ is_processing: true, limit: 1, fields: ['name'] }),
  ]);
  const people = items.flatMap(({ name }) => (isSpeakerLabel(name) ? [] : personOf(name)));
  const { sources = [], tags = [] } = Object.groupBy(all, ({ kind }) =>
    kind === 'source' ? 'sources' : 'tags',
  );
  return {
    sources,
    tags,
    people,
    states: processing.items.length > 0 ? Object.entries(STATES) : [],
  };
}

/** How many memories of all pass a filter. */
export function ListCount({ filter }: { readonly filter: Filter }) {
  const { data: all } = useDays();
  const { opened, key } = list.value;
  const rows = key === keyOf(filter) ? opened?.source.layout.rows : undefined;
  const total = all && sumOf(all).memories;
  return (
    <span class="understood note" role="status">
      {rows !== undefined &&
        total !== undefined &&
        `${isLimited(filter) ? `${rows.toLocaleString('en')} of ` : ''}${countedMemories(total)}`}
    </span>
  );
}

/** Returns names as options, those of most memories first. */
function optionsOf(
  all: readonly { readonly name: string; readonly memories: number }[] = [],
  titleOf = (name: string) => name,
) {
  return all
    .toSorted((a, b) => b.memories - a.memories)
    .map(({ name, memories }) => [name, `${titleOf(name)} · ${memories}`] as const);
}

interface ChoiceProps {
  readonly label: string;
  readonly field: {
    readonly id: string;
    readonly value: string;
    readonly onChange: (event: Changed) => void;
  };
  /** Values with their texts. */
  readonly options: readonly (readonly [value: string, text: string])[];
}

/** A list to choose one value from, or none. Nothing, if there are no values. */
function Choice({ label, field, options }: ChoiceProps) {
  // One value alone limits nothing.
  if (options.length < 2 && field.value === '') return null;
  return (
    <label>
      {label}{' '}
      <select {...field}>
        <option value="">All</option>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
