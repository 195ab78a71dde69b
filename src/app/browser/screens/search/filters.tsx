// What a search can be limited to, folded away: days in the reader's time zone, people, a tag or a source, and the state.

import { useState } from 'preact/hooks';

import { isSpeakerLabel } from '../../../../text/speaker.ts';
import { nameOf, personOf } from '../../parts/title.ts';
import { sourceTitle } from '../../state/products.ts';
import { useResource } from '../../state/resource.ts';
import { go, place } from '../../state/router.ts';
import { searchPath } from '../../state/search/search-path.ts';
import { api } from '../../state/session.ts';
import { readTagNames } from '../../state/tag-names.ts';

const STATES = [
  ['ready', 'Ready'],
  ['processing', 'Processing'],
] as const;

interface Changed {
  readonly currentTarget: { readonly value: string };
}

/** Fields whose values the address has, and chips show. They start open for somebody who wants to filter the list. */
export function Filters({ startsOpen }: { readonly startsOpen: boolean }) {
  const { query } = place.value;
  const asked = new URLSearchParams(query);
  const [isOpen, setOpen] = useState(startsOpen);
  // Names to choose from are loaded when somebody looks for them. Without them, names can be typed.
  const { data: known } = useResource(`limits ${isOpen}`, async () =>
    isOpen
      ? { people: (await api.people.page({ limit: 100 })).items, ...(await readTagNames()) }
      : undefined,
  );
  const field = (name: string) => ({
    id: name,
    value: asked.get(name) ?? '',
    onChange: ({ currentTarget }: Changed) =>
      go(searchPath(query, { [name]: currentTarget.value }), 'replace'),
  });
  const addPerson = ({ currentTarget }: Changed) => {
    const name = nameOf(currentTarget.value);
    if (name === '') return;
    go(searchPath(query, { person: [...asked.getAll('person'), name] }), 'replace');
  };
  return (
    <details
      class="filters"
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>More filters</summary>
      <div class="actions">
        <label>
          From <input type="date" {...field('from')} />
        </label>
        <label>
          To <input type="date" {...field('to')} />
        </label>
        <label>
          With{' '}
          <input
            type="text"
            id="with"
            list="known-people"
            autocomplete="off"
            maxLength={200}
            value=""
            onChange={addPerson}
          />
        </label>
        <datalist id="known-people">
          {known?.people.map(
            ({ name }) =>
              !isSpeakerLabel(name) && (
                <option key={name} value={personOf(name)}>
                  {personOf(name)}
                </option>
              ),
          )}
        </datalist>
        <Choice label="Tag" field={field('tag')} options={optionsOf(known?.tag)} />
        <Choice
          label="Source"
          field={field('source')}
          options={optionsOf(known?.source, sourceTitle)}
        />
        <Choice label="State" field={field('state')} options={STATES} />
      </div>
    </details>
  );
}

function optionsOf(names: readonly string[] = [], titleOf = (name: string) => name) {
  return names.map((name) => [name, titleOf(name)] as const);
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
  if (options.length === 0) return null;
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
