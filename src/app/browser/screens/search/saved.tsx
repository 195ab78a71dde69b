// The searches that the owner has saved: links to them, and the button that names the one on the screen.

import { useState } from 'preact/hooks';

import { countedMemories } from '../../format.ts';
import { useAction } from '../../parts/controls/action.ts';
import { AskButton } from '../../parts/controls/dialog.tsx';
import { LabelInput } from '../../parts/controls/fields.tsx';
import { Link } from '../../parts/link.tsx';
import { isolated } from '../../parts/title.ts';
import { offer, tellFailure } from '../../state/changes/undo.ts';
import { daysOfFilter, isCounted, readFilter } from '../../state/list/filter.ts';
import { sumOf } from '../../state/list/layout.ts';
import { zone } from '../../state/reading.ts';
import { useResource } from '../../state/resource.ts';
import { place } from '../../state/router.ts';
import { inputOf } from '../../state/search/search-input.ts';
import { countNewest } from '../../state/search/search.ts';
import { api, app, me } from '../../state/session.ts';
import { limitsOf } from './limits.tsx';

type Saved = ReturnType<typeof useSaved>;

/** Loads the searches that are saved. Returns them, the query of the address in one form, and the one that it is. */
export function useSaved() {
  const asked = new URLSearchParams(place.value.query);
  asked.sort();
  const { data, reload } = useResource('searches', () => app.searches.list(), true);
  const query = asked.toString();
  return { query, data, reload, known: data?.find((saved) => saved.query === query) };
}

/** Links to all saved searches, with their words and limits, and how many memories each finds, or how to save one. */
export function SavedSearches({ data }: Pick<Saved, 'data'>) {
  const queries = data?.map(({ query }) => query) ?? [];
  const { data: counts } = useResource(`counts ${zone.value} ${queries.join(' ')}`, () =>
    Promise.all(queries.map(countFound)),
  );
  if (data === undefined || (data.length === 0 && me.value?.can_write !== true)) return null;
  return (
    <>
      {data.length === 0 && (
        <p class="note">Nothing is saved yet. Search, then choose “Save this search”.</p>
      )}
      <ul class="rows" aria-label="Saved searches">
        {data.map(({ name, query }, at) => (
          <li key={name}>
            <Link to={`search?${query}`} class="action-item">
              <span class="what">
                <b>
                  <bdi>{isolated(name)}</bdi>
                </b>{' '}
                <bdi class="note">{nameOf(query) !== name && isolated(nameOf(query))}</bdi>
              </span>
              <span class="note">{counts?.[at] !== undefined && countedMemories(counts[at])}</span>
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Returns the words and the limits of a search as a text, which is its name if it gets no other. */
function nameOf(query: string): string {
  return [
    new URLSearchParams(query).get('q'),
    ...limitsOf(query).map(({ label, text }) => `${label} ${text}`),
  ]
    .join(' ')
    .trim();
}

/** Counts the memories that a search finds. Undefined if the gateway does not count them. */
async function countFound(query: string): Promise<number | undefined> {
  const [input, filter] = [inputOf(query, zone.value), readFilter(query)];
  if (input && query.includes('sort=newest')) return countNewest(input);
  if (input) return (await api.search.page({ ...input, limit: 1 })).items.memories_found;
  if (!isCounted(filter)) return undefined;
  return sumOf(await api.days.list(daysOfFilter(filter, zone.value))).memories;
}

/** Saves this search under a name, or gives the saved one another name, or removes it. */
export function SaveSearch({ query, known, reload }: Saved) {
  const removing = useAction(tellFailure);
  const set = async (name: string, now = query) => {
    await app.searches.set({ name, query: now });
    reload();
  };
  if (query === '' || me.value?.can_write !== true) return null;
  if (known === undefined)
    return <NameButton text="Save this search" name={nameOf(query)} action="Save" onName={set} />;
  const rename = async (name: string) => {
    await set(name);
    if (name !== known.name) await set(known.name, '');
  };
  const remove = async () => {
    await set(known.name, '');
    offer({ said: 'This search is no longer saved.', undo: () => set(known.name) });
  };
  return (
    <>
      <span class="note">
        Saved in <Link to="search">Searches</Link>
      </span>
      <NameButton
        key={known.name}
        text="Rename"
        title="Rename this search"
        name={known.name}
        action="Rename"
        onName={rename}
      />
      <button
        type="button"
        class="plain"
        disabled={removing.isBusy}
        onClick={() => removing.run(remove)}
      >
        Remove
      </button>
    </>
  );
}

interface NameButtonProps {
  readonly text: string;
  /** Of the dialog. Default: the text. */
  readonly title?: string;
  /** The name that the field begins with. */
  readonly name: string;
  readonly action: string;
  readonly onName: (name: string) => Promise<void>;
}

/** Asks for the name of a search. */
function NameButton({ text, title = text, name: first, action, onName }: NameButtonProps) {
  const [name, setName] = useState(first.slice(0, 200));
  return (
    <AskButton
      text={text}
      class="plain"
      title={title}
      action={action}
      onAction={() => onName(name.trim())}
    >
      <LabelInput
        label="Name"
        hint="A search of the same name is replaced."
        value={name}
        onValue={setName}
      />
    </AskButton>
  );
}
