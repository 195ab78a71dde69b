// The searches that the owner has saved: all of them while nothing is asked, otherwise the button that names this one.

import { useState } from 'preact/hooks';

import { useAction } from '../../parts/controls/action.ts';
import { AskButton } from '../../parts/controls/dialog.tsx';
import { TextInput } from '../../parts/controls/fields.tsx';
import { Link } from '../../parts/link.tsx';
import { FailureNotice } from '../../parts/notice.tsx';
import { useResource } from '../../state/resource.ts';
import { place } from '../../state/router.ts';
import { app, me } from '../../state/session.ts';

/** The saved searches of the account, as far as this search needs them. */
export function SavedSearches() {
  const asked = new URLSearchParams(place.value.query);
  asked.sort();
  const query = asked.toString();
  const { data = [], reload } = useResource('searches', () => app.searches.list(), true);
  const removing = useAction();
  const [name, setName] = useState('');
  const set = async (search: { readonly name: string; readonly query: string }) => {
    await app.searches.set(search);
    reload();
  };
  if (query === '')
    return data.length === 0 ? null : (
      <section aria-labelledby="saved">
        <h2 id="saved">Saved</h2>
        <ul class="chips">
          {data.map((saved) => (
            <li key={saved.name}>
              <Link to={`search?${saved.query}`} class="chip">
                <bdi>{saved.name}</bdi>
              </Link>
            </li>
          ))}
        </ul>
      </section>
    );
  if (me.value?.can_write !== true) return null;
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
