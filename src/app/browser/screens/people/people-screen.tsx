// People: who takes part in the memories, how often and when last, in an order to choose, and a filter by name.

import { useEffect, useRef } from 'preact/hooks';

import type { PersonTotals } from '../../../../contract/schemas/facets.ts';
import { longerName } from '../../../../text/same-name.ts';
import { isSpeakerLabel, OWNER } from '../../../../text/speaker.ts';
import { countedMemories } from '../../format.ts';
import { useRowKeys } from '../../keyboard/row-keys.ts';
import { canChange } from '../../parts/deleting.tsx';
import { Link } from '../../parts/link.tsx';
import { MOST_PAGE, PagesEnd, usePages, type PageStart } from '../../parts/lists/pages.tsx';
import { Options } from '../../parts/options.tsx';
import { shortDate } from '../../parts/short-date.ts';
import { Tabs } from '../../parts/tabs.tsx';
import { personOf, YOU } from '../../parts/title.ts';
import { go, place, useArrival } from '../../state/router.ts';
import { pathWith } from '../../state/search/search-path.ts';
import { api, me } from '../../state/session.ts';
import { NameLinks } from './name-links.tsx';
import { mergeOf, NameButton } from './naming.tsx';
import { pathOfPerson, Portrait } from './portrait.tsx';

/** The orders by the names that addresses have. */
const ORDERS = { '': 'Most often', last: 'Latest', name: 'A to Z' } as const;

/** How people are in the other orders. The gateway lists those with the most memories first. */
const SORTS: Readonly<Record<string, (a: PersonTotals, b: PersonTotals) => number>> = {
  last: (a, b) => (a.last_at < b.last_at ? 1 : -1),
  name: (a, b) => personOf(a.name).localeCompare(personOf(b.name)),
};

/** The screen of all people. */
export function PeopleScreen() {
  const { query: asked } = place.value;
  const { q = '', sort = '' } = Object.fromEntries(new URLSearchParams(asked));
  /** The name that the people were found by. */
  const loaded = useRef<string>(undefined);
  const query = q.trim() === '' ? {} : { q };
  const read = async (start: PageStart) => {
    if (start.cursor !== undefined) return api.people.page(start);
    const [owner, { items, next }] = await Promise.all([
      findOwner(q),
      api.people.page({ ...query, ...start }),
    ]);
    loaded.current = q;
    return { items: [...owner, ...items], next };
  };
  // Together, so that it is known who may be the same person.
  const pages = usePages<PersonTotals>(`people ${q}`, read, MOST_PAGE);
  // While somebody types, the people before stay.
  const people = pages.items;
  useArrival(people !== undefined, 'People');
  useRowKeys('.person-row', 'person', 'Open the person');
  const { named = [], labels } = Object.groupBy(people ?? [], ({ name }) =>
    isSpeakerLabel(name) ? 'labels' : 'named',
  );
  const order = SORTS[sort];
  const inOrder = order ? named.toSorted(order) : named;
  useEffect(() => {
    // Only all of them are in an order.
    if (order) pages.readMore?.();
  }, [order, people]);
  const openFirst = (event: Event) => {
    event.preventDefault();
    const [first] = inOrder;
    if (first && q !== '' && loaded.current === q) go(pathOfPerson(first.name));
  };
  const names = named.map(({ name }) => name);
  // Among all: of some, the only one would be found by chance.
  const mayMerge = canChange() && pages.readMore === undefined;
  return (
    <div class="list">
      <div class="heading">
        <h1 tabIndex={-1}>People</h1>
        <Options path="/people" query={{ ...query, limit: 100 }} />
      </div>
      {(q !== '' || people?.length !== 0) && (
        <form class="actions" onSubmit={openFirst}>
          <input
            id="name"
            type="search"
            class="name-filter"
            aria-label="Name"
            placeholder="Find a name"
            autocomplete="off"
            maxLength={200}
            value={q}
            onInput={(event) =>
              go(pathWith('people', { q: event.currentTarget.value }, asked), 'replace')
            }
          />
          <Tabs
            label="Order"
            choices={ORDERS}
            choice={sort in ORDERS ? sort : ''}
            pathOf={(each) => pathWith('people', { sort: each }, asked)}
            isInstead
          />
        </form>
      )}
      {people?.length === 0 && (q === '' ? <Nobody /> : <p>Nobody has “{q}” in their name.</p>)}
      <ul class="people">
        {inOrder.map((person) => {
          const { name } = person;
          const same = mayMerge ? longerName(name, names) : undefined;
          return (
            <li key={name}>
              <PersonRow person={person} />
              {same && (
                <NameButton
                  key={same}
                  {...mergeOf(name, same, named)}
                  text={`Same as ${personOf(same)}?`}
                  class="plain"
                />
              )}
            </li>
          );
        })}
      </ul>
      <PagesEnd pages={{ ...pages, items: people }} />
      {labels && <NameLinks label="Unnamed speakers" names={labels} />}
    </div>
  );
}

/** Finds the owner by what the owner is called here: the gateway knows another name. */
async function findOwner(q: string): Promise<PersonTotals[]> {
  const typed = q.trim().toLowerCase();
  if (typed === '' || !YOU.toLowerCase().startsWith(typed)) return [];
  const { items } = await api.people.page({ q: OWNER, limit: 100 });
  return items.filter(({ name }) => name === OWNER);
}

/** A person, with the way to the person's page, also among what a search has found. */
export function PersonRow({ person }: { readonly person: PersonTotals }) {
  const { name, memories, last_at } = person;
  return (
    <Link to={pathOfPerson(name)} class="person-row found">
      <Portrait name={name} />
      <span class="title">
        <bdi>{personOf(name)}</bdi>{' '}
        {name === me.value?.account.name && <span class="tag">you</span>}
      </span>
      <span class="often">{countedMemories(memories)}</span>
      <span class="at">
        <time dateTime={last_at}>{shortDate(last_at)}</time>
      </span>
    </Link>
  );
}

function Nobody() {
  return (
    <div class="empty">
      <p class="lead">Nobody yet</p>
      <p>People appear here as soon as a memory names them as speakers or attendees.</p>
    </div>
  );
}
