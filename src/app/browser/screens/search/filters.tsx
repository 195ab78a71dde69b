// What a search can be limited to, folded away: days in the reader's time zone, people, a tag or a source, and the state.

import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

import { isSameName } from '../../../../text/same-name.ts';
import { isSpeakerLabel } from '../../../../text/speaker.ts';
import { countedMemories } from '../../format.ts';
import { useAction } from '../../parts/controls/action.ts';
import { isolated, nameOf, personOf } from '../../parts/title.ts';
import { tellFailure } from '../../state/changes/undo.ts';
import { useDays } from '../../state/day-totals.ts';
import { isLimited, type Filter } from '../../state/list/filter.ts';
import { sumOf } from '../../state/list/layout.ts';
import { keyOf, list } from '../../state/list/list.ts';
import { sourceTitle } from '../../state/products.ts';
import { useResource } from '../../state/resource.ts';
import { go, place } from '../../state/router.ts';
import { searchPath } from '../../state/search/search-path.ts';
import { api } from '../../state/session.ts';
import { STATES } from './limits.tsx';

interface Changed {
  readonly currentTarget: { readonly value: string };
}

/** Narrower screens have the fields below each other. */
const NARROW = '(width < 40rem)';

interface FiltersProps {
  readonly startsOpen: boolean;
  /** What is below the fields. */
  readonly children?: ComponentChildren;
}

/** Fields whose values the address has, and chips show. They start open for somebody who wants to filter the list. */
export function Filters({ startsOpen, children }: FiltersProps) {
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
  const choose = (values: Readonly<Record<string, string | readonly string[]>>) => {
    go(searchPath(query, values), 'replace');
    if (!matchMedia(NARROW).matches) return;
    // What was found is below them.
    setOpen(false);
    fields.current?.querySelector('summary')?.focus();
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
      <summary>{startsOpen ? 'Days, people and tags' : 'Filter'}</summary>
      <div class="actions">
        <label>
          From <input type="date" {...field('from')} />
        </label>
        <label>
          To <input type="date" {...field('to')} />
        </label>
        <With
          known={known?.people ?? []}
          onName={(name) => choose({ person: [...asked.getAll('person'), name] })}
        />
        <Choice label="Tag" field={field('tag')} options={known?.tags ?? []} />
        <Choice label="Source" field={field('source')} options={known?.sources ?? []} />
        <Choice label="State" field={field('state')} options={known?.states ?? []} />
      </div>
      {children}
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
    sources: optionsOf(sources, sourceTitle),
    tags: optionsOf(tags),
    people,
    states: processing.items.length > 0 ? Object.entries(STATES) : [],
  };
}

interface WithProps {
  /** Names to choose from. */
  readonly known: readonly string[];
  readonly onName: (name: string) => void;
}

/** A field for a person: a whole name, or a part that only one person has. */
function With({ known, onName }: WithProps) {
  const [typed, setTyped] = useState('');
  const [fault, setFault] = useState('');
  const { run } = useAction(tellFailure);
  const find = async () => {
    const q = nameOf(typed);
    if (q === '') return;
    const { items } = await api.people.page({ q, limit: 100 });
    const only = items.length === 1 ? items[0] : undefined;
    const person = items.find(({ name }) => isSameName(name, q)) ?? only;
    if (person === undefined)
      return setFault(
        items.length > 0 ? `${items.length} people have “${q}”` : `Nobody is called “${q}”`,
      );
    setTyped('');
    onName(person.name);
  };
  return (
    <>
      <label>
        With{' '}
        <input
          type="text"
          id="with"
          aria-label="With"
          placeholder="Name"
          list="known-people"
          autocomplete="off"
          maxLength={200}
          value={typed}
          onInput={({ currentTarget }) => {
            setTyped(currentTarget.value);
            setFault('');
          }}
          onChange={() => run(find)}
        />
        {fault !== '' && (
          <span class="note" role="alert" dir="auto">
            {isolated(fault)}
          </span>
        )}
      </label>
      <datalist id="known-people">
        {known.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </datalist>
    </>
  );
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
  all: readonly { readonly name: string; readonly memories: number }[],
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
