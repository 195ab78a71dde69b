// The searches that the owner has saved: links to them, and the button that names the one on the screen.

import { useState } from 'preact/hooks';

import { countedMemories } from '../../format.ts';
import { useAction } from '../../parts/controls/action.ts';
import { AskButton, Question } from '../../parts/controls/dialog.tsx';
import { LabelInput } from '../../parts/controls/fields.tsx';
import { Menu, MenuAction } from '../../parts/controls/menu.tsx';
import { Link } from '../../parts/link.tsx';
import { shortDate } from '../../parts/short-date.ts';
import { isolated } from '../../parts/title.ts';
import { offer, tellFailure } from '../../state/changes/undo.ts';
import { zone } from '../../state/reading.ts';
import { useResource } from '../../state/resource.ts';
import { place } from '../../state/router.ts';
import { ANY, inputOf } from '../../state/search/search-input.ts';
import { readPhrases, withPhrases } from '../../state/search/understand.ts';
import { app, me } from '../../state/session.ts';
import { recall, remember } from '../../state/storage.ts';
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

/** Links to all saved searches, with their words and limits, how much each finds, and how recent it is. */
export function SavedSearches({ data, reload }: Pick<Saved, 'data' | 'reload'>) {
  const [renaming, setRenaming] = useState<Named>();
  const canWrite = me.value?.can_write === true;
  const queries = data?.map(({ query }) => query) ?? [];
  const { data: counts } = useResource(`counts ${zone.value} ${queries.join(' ')}`, () =>
    Promise.all(queries.map(countFound)),
  );
  if (data === undefined || (data.length === 0 && !canWrite)) return null;
  return (
    <>
      {data.length === 0 && (
        <p class="note">Nothing is saved yet. Search, then choose “Save this search”.</p>
      )}
      <ul class="items" aria-label="Saved searches">
        {data.map((saved, at) => {
          const { name, query } = saved;
          const { memories, latest } = counts?.[at] ?? {};
          const fresh = (memories ?? 0) - Number(recall(seenName(saved)) ?? memories);
          return (
            // By its query, so that its button has the focus again after it got another name.
            <li key={query}>
              <div>
                <Link to={`search?${query}`} class="action-item">
                  <span class="what">
                    <b>
                      <bdi>{isolated(name)}</bdi>
                    </b>
                  </span>
                  <span class="note">
                    {fresh > 0 && <span class="badge">{fresh} new</span>}{' '}
                    {memories !== undefined && countedMemories(memories)}
                  </span>
                  <span class="note">
                    {nameOf(query) !== name && <bdi>{isolated(nameOf(query))}</bdi>}
                    {nameOf(query) !== name && latest && ' · '}
                    {latest && `Latest ${shortDate(latest)}`}
                  </span>
                </Link>
              </div>
              {canWrite && (
                <button type="button" class="plain" onClick={() => setRenaming(saved)}>
                  Rename
                </button>
              )}
            </li>
          );
        })}
      </ul>
      {renaming && (
        <Renaming {...renaming} reload={reload} onClose={() => setRenaming(undefined)} />
      )}
    </>
  );
}

/** Returns the words and the limits of a search as a text, which is its name if it gets no other. */
export function nameOf(query: string): string {
  return [
    new URLSearchParams(query).get('q'),
    ...limitsOf(query).map(({ label, text }) => `${label} ${text}`),
  ]
    .join(' ')
    .trim();
}

/** Returns how many memories a search finds, and when the latest of them was. */
async function countFound(address: string) {
  const query = withPhrases(address, await readPhrases(address));
  // Without words, it finds what is within its limits.
  const input = inputOf(query, zone.value) ?? inputOf(`${query}&q=${ANY}`, zone.value);
  const { memories_found, passages } = await app.searches.newest({ q: '', ...input, limit: 1 });
  return { memories: memories_found, latest: passages[0]?.started_at };
}

/** Where this browser remembers how many memories a saved search had found when it was opened last. */
function seenName({ changed_at }: { readonly changed_at: string }): string {
  return `seen.${changed_at}`;
}

/** Saves this search under a name, or gives the saved one another name, or removes it. */
export function SaveSearch({ query, known, reload }: Saved) {
  const removing = useAction(tellFailure);
  useResource(`seen ${known?.changed_at} ${query}`, async () => {
    if (known) remember(seenName(known), `${(await countFound(query)).memories}`);
  });
  const [name, setName] = useState(nameOf(query).slice(0, 200));
  const [isNaming, setNaming] = useState(false);
  const set = async (under: string, now = query) => {
    await app.searches.set({ name: under, query: now });
    reload();
  };
  if (query === '' || me.value?.can_write !== true) return null;
  if (known === undefined)
    return (
      <AskButton
        text="Save this search"
        class="plain"
        title="Save this search"
        action="Save"
        onAction={() => set(name.trim())}
      >
        <NameField value={name} onValue={setName} />
      </AskButton>
    );
  const remove = async () => {
    await set(known.name, '');
    offer({ said: 'This search is no longer saved.', undo: () => set(known.name) });
  };
  return (
    <>
      <Menu label="Saved" sign="Saved ▾">
        <MenuAction onRun={() => setNaming(true)}>Rename</MenuAction>
        <MenuAction onRun={() => removing.run(remove)}>Remove</MenuAction>
        <Link to="search" class="item">
          See all saved searches
        </Link>
      </Menu>
      {isNaming && <Renaming {...known} reload={reload} onClose={() => setNaming(false)} />}
    </>
  );
}

type Named = NonNullable<Saved['known']>;

interface RenamingProps extends Pick<Named, 'name' | 'query'>, Pick<Saved, 'reload'> {
  readonly onClose: () => void;
}

/** Asks for another name of a saved search. */
function Renaming({ name: old, query, reload, onClose }: RenamingProps) {
  const [typed, setTyped] = useState(old);
  const rename = async () => {
    const name = typed.trim();
    await app.searches.set({ name, query });
    if (name !== old) await app.searches.set({ name: old, query: '' });
    reload();
  };
  return (
    <Question title="Rename this search" action="Rename" onAction={rename} onClose={onClose}>
      <NameField value={typed} onValue={setTyped} />
    </Question>
  );
}

type NameFieldProps = Pick<Parameters<typeof LabelInput>[0], 'value' | 'onValue'>;

const NameField = (props: NameFieldProps) => (
  <LabelInput label="Name" hint="A search of the same name is replaced." {...props} />
);
