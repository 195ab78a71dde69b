// A person: how often and how much somebody takes part, a search of what the person said, and all memories with the person.

import { useEffect, useState } from 'preact/hooks';

import type { PersonTotals } from '../../../../contract/schemas/facets.ts';
import { isSameName, longerName } from '../../../../text/same-name.ts';
import { isSpeakerLabel } from '../../../../text/speaker.ts';
import type { FoundScreen } from '../../../screens.ts';
import { counted, countedMemories } from '../../format.ts';
import { Options } from '../../parts/as-curl.tsx';
import { AskButton } from '../../parts/controls/dialog.tsx';
import { LabelInput } from '../../parts/controls/fields.tsx';
import { canChange } from '../../parts/deleting.tsx';
import { Link } from '../../parts/link.tsx';
import { FailureNotice } from '../../parts/notice.tsx';
import { nameOf, personOf } from '../../parts/title.ts';
import { putRight } from '../../state/changes/put-right.ts';
import { NO_FILTER } from '../../state/list/filter.ts';
import { useResource } from '../../state/resource.ts';
import { go, place, useArrival } from '../../state/router.ts';
import { pathWith, searchPath } from '../../state/search/search-path.ts';
import { api, app } from '../../state/session.ts';
import { spokenFor } from '../../state/totals.ts';
import { formats } from '../../time-formats.ts';
import { openOf } from '../actions/open-items.ts';
import { MemoryList } from '../list/memory-list.tsx';
import { NameLinks } from './name-links.tsx';
import { pathOfPerson, Portrait } from './portrait.tsx';

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
        {person !== null && <Options path="/memories" query={{ person: name, limit: 100 }} />}
      </div>
      {person === null ? (
        <Nobody name={name} />
      ) : (
        <>
          <p class="note">{person ? textOf(person) : '\u00a0'}</p>
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
  const { items } = await api.actionItems.page({ owner, limit: 1000 });
  return openOf(items).length;
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
  return {
    person,
    same: isOfIt && { from: short, to: long, other: person.name === short ? long : short },
  };
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
        placeholder={`Search with ${personOf(name)}`}
        autocomplete="off"
        maxLength={900}
        value={words}
        onInput={(event) => setWords(event.currentTarget.value)}
      />
    </form>
  );
}

interface NameButtonProps {
  readonly from: string;
  /** The new name. Default: to be typed. */
  readonly to?: string;
  readonly text: string;
  readonly class?: string;
}

/** Gives a person another name in all memories. With the name of somebody else, both become one. */
function NameButton({ from: name, to: other = name, ...button }: NameButtonProps) {
  const [to, setTo] = useState(personOf(other));
  const [isMerge, setMerge] = useState(other !== name);
  const save = async () => {
    const typed = nameOf(to);
    await putRight(
      { speakers: [{ from: name, to: typed }] },
      {
        said: `“${personOf(name)}” is “${personOf(typed)}” now.`,
        onChange: (isUndone) => {
          const [here, there] = isUndone ? [typed, name] : [name, typed];
          // The reader may be elsewhere by then.
          if (place.value.path === pathOfPerson(here)) go(pathOfPerson(there), 'replace');
        },
      },
    );
  };
  return (
    <AskButton
      {...button}
      title={
        isMerge ? `Merge “${personOf(name)}” with “${to}”` : `Rename “${personOf(name)}” everywhere`
      }
      action={isMerge ? 'Merge' : 'Save'}
      onAction={save}
    >
      <NewName name={name} to={to} onValue={setTo} onKnown={setMerge} />
    </AskButton>
  );
}

interface NewNameProps {
  readonly name: string;
  readonly to: string;
  readonly onValue: (to: string) => void;
  /** It is known whether the name is somebody else's. */
  readonly onKnown: (isOther: boolean) => void;
}

/** The new name, with a list of those that there are, and what becomes of both. */
function NewName({ name, to, onValue, onKnown }: NewNameProps) {
  const { data } = useResource('all names', async () => {
    const { items } = await api.people.page({ limit: 1000 });
    return items.flatMap((each) => (isSpeakerLabel(each.name) ? [] : personOf(each.name)));
  });
  const isOther = to !== personOf(name) && data?.includes(to);
  useEffect(() => {
    if (isOther !== undefined) onKnown(isOther);
  }, [isOther]);
  return (
    <>
      <LabelInput label="Name" list="all-names" maxLength={60} value={to} onValue={onValue} />
      <datalist id="all-names">
        {data?.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </datalist>
      <p class="note" role="status">
        {isOther
          ? `${personOf(name)} will be one person with ${to}, in all memories and in those that you import later.`
          : 'In all memories, and in those that you import later.'}
      </p>
    </>
  );
}
