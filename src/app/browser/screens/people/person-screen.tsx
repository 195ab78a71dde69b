// A person: how often and how much somebody takes part, a search of what the person said, and all memories with the person.

import { useState } from 'preact/hooks';

import type { PersonTotals } from '../../../../contract/schemas/facets.ts';
import { isSameName, longerName } from '../../../../text/same-name.ts';
import { isSpeakerLabel } from '../../../../text/speaker.ts';
import type { FoundScreen } from '../../../screens.ts';
import { counted, countedMemories } from '../../format.ts';
import { canChange } from '../../parts/deleting.tsx';
import { Link } from '../../parts/link.tsx';
import { FailureNotice } from '../../parts/notice.tsx';
import { Options } from '../../parts/options.tsx';
import { personOf } from '../../parts/title.ts';
import { loadBookmarks } from '../../state/list/bookmarks.ts';
import { isDone } from '../../state/list/done-items.ts';
import { NO_FILTER } from '../../state/list/filter.ts';
import { useResource } from '../../state/resource.ts';
import { go, useArrival } from '../../state/router.ts';
import { pathWith, searchPath } from '../../state/search/search-path.ts';
import { api, app } from '../../state/session.ts';
import { spokenFor } from '../../state/totals.ts';
import { formats } from '../../time-formats.ts';
import { eachOnce } from '../actions/each-once.ts';
import { MemoryList } from '../list/memory-list.tsx';
import { NameLinks } from './name-links.tsx';
import { Joined, mergeOf, NameButton } from './naming.tsx';
import { Portrait } from './portrait.tsx';

/** The screen of a person. */
export function PersonScreen({ about: name }: Pick<FoundScreen, 'about'>) {
  const {
    data: found,
    failure,
    reload,
  } = useResource(`person ${name}`, () => findPerson(name), true);
  const { person, same } = found ?? {};
  const { data: items = 0 } = useResource(`items ${name}`, () => countOpen(name), true);
  return (
    <div class="list">
      <div class="heading">
        <Portrait name={name} />
        <h1 tabIndex={-1} dir="auto">
          {personOf(name)}
        </h1>
        {person !== null && (
          <Options hasRows path="/memories" query={{ person: name, limit: 100 }} />
        )}
      </div>
      {person === null ? (
        <Nobody name={name} />
      ) : (
        <>
          <p class="note">{person ? textOf(person) : '\u00a0'}</p>
          {canChange() && <Joined name={name} />}
          {isSpeakerLabel(name) ? (
            <p>
              This is no name, and can be somebody else in each memory. To put it right, open one
              and choose “Name a speaker” in its menu.
            </p>
          ) : (
            <Companions name={name} />
          )}
          {same && canChange() && (
            <div>
              <NameButton {...same} text={`Is ${personOf(same.other)} the same person?`} />
            </div>
          )}
          <div class="actions">
            <SaidSearch name={name} />
            {canChange() && <NameButton from={name} text="Rename or merge" class="plain" />}
            {items > 0 && (
              <Link to={pathWith('actions', { owner: name })} class="plain">
                {counted(items, 'action item')}
              </Link>
            )}
          </div>
          <FailureNotice failure={failure} onRetry={reload} />
          <MemoryList
            filter={{ ...NO_FILTER, person: [name] }}
            title={personOf(name)}
            none={<p>There are no memories with {personOf(name)} any more.</p>}
          />
        </>
      )}
    </div>
  );
}

function Nobody({ name }: { readonly name: string }) {
  useArrival(true, name);
  return (
    <p>
      Nobody of this name takes part in your memories. <Link to="people">See who does</Link>
    </p>
  );
}

/** With whom somebody takes part in memories. */
function Companions({ name }: { readonly name: string }) {
  const { data } = useResource(`with ${name}`, () => app.companions.list({ name }), true);
  return <NameLinks label="Together with" names={data} />;
}

/** Counts what somebody has to do. Rejects with `Failure`. */
async function countOpen(owner: string): Promise<number> {
  const [{ items }] = await Promise.all([
    api.actionItems.page({ owner, limit: 1000 }),
    loadBookmarks(),
  ]);
  return eachOnce(items.filter((item) => !isDone(item, item.memory_id))).length;
}

/**
 * Finds a person by the whole name, in any case and with any accents, and who may be the same: if exactly one other name
 * goes on after a name. The person is null if there is none. Rejects with `Failure`.
 */
async function findPerson(name: string) {
  const [first = name] = name.trim().split(/\s/);
  const found: PersonTotals[] = [];
  let next: string | undefined;
  do {
    const input = next === undefined ? { q: first } : { cursor: next };
    const page = await api.people.page({ ...input, limit: 1000 });
    found.push(...page.items);
    ({ next } = page);
  } while (next !== undefined);
  const person = found.find((each) => isSameName(each.name, name)) ?? null;
  if (person === null) return { person, same: undefined };
  const names = found.map((each) => each.name);
  const short = names.find((each) => person.name.startsWith(`${each} `)) ?? person.name;
  const long = isSpeakerLabel(short) ? undefined : longerName(short, names);
  const isOfIt = long !== undefined && [short, long].includes(person.name);
  if (!isOfIt) return { person, same: undefined };
  const other = person.name === short ? long : short;
  return { person, same: { ...mergeOf(short, long, found), other } };
}

function textOf({ memories, lines, words, speaking_ms, first_at, last_at }: PersonTotals): string {
  const { date } = formats.value;
  const [first, last] = [date(first_at), date(last_at)];
  const length = spokenFor(words, speaking_ms);
  return [
    countedMemories(memories),
    first === last ? first : `${first} to ${last}`,
    ...(lines > 0 ? [] : ['says nothing']),
    ...(length === '' ? [] : [`speaks for ${length}`]),
  ].join(' · ');
}

/** A search of passages that have a line of a person. */
function SaidSearch({ name }: { readonly name: string }) {
  const [words, setWords] = useState('');
  const search = (event: SubmitEvent) => {
    event.preventDefault();
    if (words.trim() !== '') go(searchPath('', { q: words.trim(), person: name }));
  };
  return (
    <form class="said-search" onSubmit={search}>
      <input
        id="words"
        type="search"
        class="name-filter"
        aria-label={`Search with ${personOf(name)}`}
        placeholder="Search these memories"
        autocomplete="off"
        maxLength={900}
        value={words}
        onInput={(event) => setWords(event.currentTarget.value)}
      />
    </form>
  );
}
