// The searches that the owner has saved: links to them, and the button that names the one on the screen.

import { useState } from 'preact/hooks';

import { useAction } from '../../parts/controls/action.ts';
import { AskButton } from '../../parts/controls/dialog.tsx';
import { TextInput } from '../../parts/controls/fields.tsx';
import { Link } from '../../parts/link.tsx';
import { FailureNotice } from '../../parts/notice.tsx';
import { useResource } from '../../state/resource.ts';
import { place } from '../../state/router.ts';
import { app, me } from '../../state/session.ts';

type Saved = ReturnType<typeof useSaved>;

/** Loads the searches that are saved. Returns them, and the query of the address in one form. */
export function useSaved() {
  const asked = new URLSearchParams(place.value.query);
  asked.sort();
  const { data = [], reload } = useResource('searches', () => app.searches.list(), true);
  return { query: asked.toString(), data, reload };
}

/** Links to all saved searches, if there are any. */
export function SavedSearches({ data }: Pick<Saved, 'data'>) {
  if (data.length === 0) return null;
  return (
    <section aria-labelledby="saved">
      <h2 id="saved">Saved</h2>
      <ul class="chips">
        {data.map(({ name, query }) => (
          <li key={name}>
            <Link to={`search?${query}`} class="chip">
              <bdi>{name}</bdi>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Saves this search under a name, or says its name and removes it. */
export function SaveSearch({ query, data, reload }: Saved) {
  const removing = useAction();
  const [name, setName] = useState('');
  const set = async (search: { readonly name: string; readonly query: string }) => {
    await app.searches.set(search);
    reload();
  };
  if (query === '' || me.value?.can_write !== true) return null;
  const known = data.find((saved) => saved.query === query);
  if (known === undefined)
    return (
      <AskButton
        text="Save this search"
        class="plain"
        title="Save this search"
        action="Save"
        onAction={() => set({ name: name.trim(), query })}
      >
        <TextInput
          label="Name"
          hint="A search of the same name is replaced."
          required
          maxLength={200}
          onValue={setName}
        />
      </AskButton>
    );
  return (
    <span class="note">
      Saved as <bdi>{known.name}</bdi>{' '}
      <button
        type="button"
        class="plain"
        disabled={removing.isBusy}
        onClick={() => removing.run(() => set({ name: known.name, query: '' }))}
      >
        Remove
      </button>
      <FailureNotice failure={removing.failure} />
    </span>
  );
}
