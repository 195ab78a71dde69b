// Action items: what the sources found to do in all memories, under the memories, newest first.

import type { FoundItem } from '../../../../contract/schemas/facets.ts';
import { useRowKeys } from '../../keyboard/row-keys.ts';
import { Options } from '../../parts/as-curl.tsx';
import { Link } from '../../parts/link.tsx';
import { ActionItemLink } from '../../parts/lists/action-item.tsx';
import { Chips } from '../../parts/lists/chips.tsx';
import { OfMemory } from '../../parts/lists/of-memory.tsx';
import { PagesEnd, usePages } from '../../parts/lists/pages.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { place, useArrival } from '../../state/router.ts';
import { pathWith } from '../../state/search/search-path.ts';
import { api } from '../../state/session.ts';
import { NameLinks } from '../people/name-links.tsx';

const CHOICES = { open: 'Open', done: 'Done', all: 'All' } as const;

type Choice = keyof typeof CHOICES;

/** How many owners are offered. */
const MOST_OWNERS = 12;

const NAMES = Object.keys(CHOICES) as Choice[];

/** The screen of all action items. The address has the choice and the owner. */
export function ActionsScreen() {
  const asked = new URLSearchParams(place.value.query);
  const choice = NAMES.find((each) => each === asked.get('show')) ?? 'open';
  const owner = asked.get('owner') ?? '';
  const query = {
    ...(choice !== 'all' && { done: choice === 'done' }),
    ...(owner !== '' && { owner }),
  };
  const pages = usePages<FoundItem>(`actions ${choice} ${owner}`, (start) =>
    api.actionItems.page(start.cursor === undefined ? { ...query, ...start } : start),
  );
  const itemsByMemory = Map.groupBy(pages.items ?? [], (item) => item.memory_id);
  useArrival(pages.items !== undefined, 'Action items');
  useRowKeys('.action-item', 'item', 'Open the line of the item, as Enter does');
  return (
    <div class="list">
      <div class="heading">
        <h1 tabIndex={-1}>Action items</h1>
        <Options path="/action_items" query={{ ...query, limit: 100 }} />
      </div>
      <Tabs label="Show" choices={CHOICES} choice={choice} pathOf={(each) => pathOf(each, owner)} />
      {owner === '' && <Owners items={pages.items ?? []} choice={choice} />}
      <Chips
        chips={owner === '' ? [] : [{ label: 'Owner', text: owner, to: pathOf(choice, '') }]}
      />
      {pages.items?.length === 0 && <Nothing choice={choice} owner={owner} />}
      {Array.from(itemsByMemory, ([id, items]) =>
        items.slice(0, 1).map((first) => (
          <OfMemory key={id} of={first} to={`m/${id}`}>
            {items.map((item, at) => (
              <li key={at}>
                <ActionItemLink item={item} memory_id={id} />
              </li>
            ))}
          </OfMemory>
        )),
      )}
      {pages.items?.some(({ done }) => done === null) === true && (
        <p class="note">A ring: not known whether it is done.</p>
      )}
      <PagesEnd pages={pages} />
    </div>
  );
}

interface OwnersProps {
  readonly items: readonly FoundItem[];
  readonly choice: Choice;
}

/** Leads to the items of each owner who has one here, the most frequent first. */
function Owners({ items, choice }: OwnersProps) {
  const counts = Map.groupBy(
    items.flatMap(({ owner }) => owner ?? []),
    (owner) => owner,
  );
  const owners = [...counts].toSorted(([, a], [, b]) => b.length - a.length).slice(0, MOST_OWNERS);
  if (owners.length < 2) return null;
  return (
    <NameLinks
      label="Owner"
      names={owners.map(([name]) => ({ name }))}
      pathOf={(name) => pathOf(choice, name)}
    />
  );
}

function pathOf(choice: Choice, owner: string): string {
  return pathWith('actions', { show: choice === 'open' ? '' : choice, owner });
}

function Nothing({ choice, owner }: { readonly choice: Choice; readonly owner: string }) {
  if (choice !== 'done' && owner === '')
    return (
      <div class="empty">
        <p class="lead">Nothing to do</p>
        <p>
          Action items appear here if the product that recorded a memory found some. The gateway
          adds none.
        </p>
        {choice === 'open' && <SeeAll owner={owner} />}
      </div>
    );
  return choice === 'open' ? (
    <SeeAll owner={owner} />
  ) : (
    <p>{owner === '' ? 'Nothing is marked as done.' : 'Nothing of theirs is marked as done.'}</p>
  );
}

function SeeAll({ owner }: { readonly owner: string }) {
  return (
    <p>
      Nothing is marked as open. Some products do not say what is done:{' '}
      <Link to={pathOf('all', owner)}>see all</Link>.
    </p>
  );
}
