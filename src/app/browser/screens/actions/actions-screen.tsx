// Action items: what the sources found to do in all memories, by when it is due.

import { useEffect, useState } from 'preact/hooks';

import type { FoundItem } from '../../../../contract/schemas/facets.ts';
import { itemKey } from '../../../../text/item-key.ts';
import { isSameName } from '../../../../text/same-name.ts';
import { addDays } from '../../dates.ts';
import { useShortcuts } from '../../keyboard/keyboard.ts';
import { useRowKeys } from '../../keyboard/row-keys.ts';
import { Link } from '../../parts/link.tsx';
import { MOST_PAGE, PagesEnd, usePages, type PageStart } from '../../parts/lists/pages.tsx';
import { Options } from '../../parts/options.tsx';
import { personOf } from '../../parts/title.ts';
import { loadBookmarks } from '../../state/list/bookmarks.ts';
import { isDone } from '../../state/list/done-items.ts';
import { place, useArrival } from '../../state/router.ts';
import { pathWith } from '../../state/search/search-path.ts';
import { api, isOwnName } from '../../state/session.ts';
import { today } from '../../time-formats.ts';
import { eachOnce, type SharedItem } from './each-once.ts';
import { dueDay, ItemRow } from './item-row.tsx';

/** The groups of what is not done, in their order. */
const GROUPS = ['Overdue', 'Next 7 days', 'Later', 'No date', 'Maybe done'] as const;

/** How many owners are offered. */
const MOST_OWNERS = 12;

/** What the address has for items without an owner. */
const NO_OWNER = '-';

const read = async (start: PageStart) => {
  const [page] = await Promise.all([api.actionItems.page(start), loadBookmarks()]);
  return page;
};

/** The screen of all action items. The address has the owner. */
export function ActionsScreen() {
  const owner = new URLSearchParams(place.value.query).get('owner') ?? '';
  // Together, because a few would be no overview of what is due.
  const pages = usePages<FoundItem>('actions', read, MOST_PAGE);
  const all = pages.items ?? [];
  const isShown = (item: FoundItem) => owner === '' || isOf(item, owner);
  const { isShownDone, hold } = useHeld();
  const split = (isItemDone: (item: FoundItem) => boolean) => ({
    open: eachOnce(all.filter((item) => !isItemDone(item))),
    // The reader's own ticks, then what sources call done. Items of the newest memory come first.
    done: [
      ...eachOnce(all.filter((item) => item.done !== true && isItemDone(item))),
      ...all.filter((item) => item.done === true).map((item) => ({ ...item, ids: [] })),
    ].filter(isShown),
  });
  const { open, done } = split(isShownDone);
  // The counts follow a tick at once.
  const now = split((item) => isDone(item, item.memory_id));
  const groups = Object.groupBy(
    open.filter(isShown).toSorted((a, b) => dayOrder(dueDay(a), dueDay(b))),
    groupOf,
  );
  useArrival(pages.items !== undefined, 'Action items');
  useRowKeys(':is(section, [open]) .action-item', 'item', 'Open the line of the item');
  useShortcuts([
    { keys: ['Space'], text: 'Mark the item as done, or as open', run: () => {}, isIdle: true },
  ]);
  return (
    <div class="list">
      <div class="heading">
        <h1 tabIndex={-1}>Action items</h1>
        <Options path="/action_items" query={{ limit: 100 }} />
      </div>
      <Owners items={open} counted={now.open} owner={owner} />
      {pages.items && all.length === 0 && (
        <div class="empty">
          <p class="lead">Nothing to do</p>
          <p>
            Action items appear here if the product that recorded a memory found some. The gateway
            adds none.
          </p>
        </div>
      )}
      {all.length > 0 && !open.some(isShown) && <p>Nothing is open.</p>}
      {GROUPS.map((group) => {
        const found = groups[group];
        return (
          found && (
            <section key={group} aria-label={group}>
              <h2>{group}</h2>
              {group === 'Maybe done' && (
                <p class="note">Their source does not say whether they are done.</p>
              )}
              <Items items={found} onTick={hold} />
            </section>
          )
        );
      })}
      {done.length > 0 && (
        <details>
          <summary>
            Done <span class="note">{now.done.length.toLocaleString('en')}</span>
          </summary>
          <Items items={done} onTick={hold} />
        </details>
      )}
      <PagesEnd pages={pages} />
    </div>
  );
}

interface ItemsProps {
  readonly items: readonly SharedItem[];
  readonly onTick: (item: SharedItem) => void;
}

function Items({ items, onTick }: ItemsProps) {
  return (
    <ul class="rows">
      {items.map((item, at) => (
        <ItemRow key={at} {...item} item={item} of={item} onTick={() => onTick(item)} />
      ))}
    </ul>
  );
}

/** How long an item that was ticked stays where it was at least. */
const HELD_MS = 3000;

/**
 * Holds items that were ticked or unticked in their groups: nothing moves under the pointer. They leave a little later,
 * when neither the pointer nor the keyboard is in the list.
 */
function useHeld() {
  const [held, setHeld] = useState<ReadonlyMap<string, boolean>>(new Map());
  useEffect(() => {
    if (held.size === 0) return undefined;
    const timer = setInterval(() => {
      if (document.querySelector('.rows:is(:hover, :has(:focus-visible))') === null)
        setHeld(new Map());
    }, HELD_MS);
    return () => clearInterval(timer);
  }, [held]);
  const isShownDone = (item: FoundItem) =>
    held.get(heldKey(item.memory_id, item.text)) ?? isDone(item, item.memory_id);
  const hold = ({ ids, ...item }: SharedItem) => {
    const all = ids.map((id) => [heldKey(id, item.text), isShownDone(item)] as const);
    setHeld(new Map([...held, ...all]));
  };
  return { isShownDone, hold };
}

function heldKey(memory_id: string, text: string): string {
  return `${memory_id} ${itemKey(text)}`;
}

function groupOf(item: FoundItem): (typeof GROUPS)[number] {
  if (item.done === null) return 'Maybe done';
  const day = dueDay(item);
  if (day === undefined) return 'No date';
  if (day < today()) return 'Overdue';
  return day <= addDays(today(), 7) ? 'Next 7 days' : 'Later';
}

/** Items without a date keep their order: the newest memory comes first. */
function dayOrder(a: string | undefined, b: string | undefined): number {
  return a === undefined || b === undefined || a === b ? 0 : a < b ? -1 : 1;
}

function isOf(item: FoundItem, owner: string): boolean {
  return item.owner === null ? owner === NO_OWNER : isSameName(item.owner, owner);
}

const ownerOf = (item: FoundItem) => item.owner ?? NO_OWNER;

interface OwnersProps {
  /** The items that are shown as open. */
  readonly items: readonly FoundItem[];
  /** Those that are open. */
  readonly counted: readonly FoundItem[];
  /** Whose items are shown. Empty: those of all. */
  readonly owner: string;
}

/** Leads to the items of everyone and of each owner, the reader first and then those with the most open ones, and to those of nobody. */
function Owners({ items, counted, owner }: OwnersProps) {
  const shown = Map.groupBy(items, ownerOf);
  const counts = Map.groupBy(counted, ownerOf);
  const countOf = (name: string) => (name === '' ? counted : (counts.get(name) ?? [])).length;
  // No name moves under the pointer.
  const orderOf = (name: string) => shown.get(name)?.length ?? 0;
  const names = [...shown.keys()]
    .filter((name) => name !== NO_OWNER)
    .toSorted((a, b) => +isOwnName(b) - +isOwnName(a) || orderOf(b) - orderOf(a))
    .slice(0, MOST_OWNERS);
  if (shown.has(NO_OWNER)) names.push(NO_OWNER);
  const current = names.find((name) => isSameName(name, owner)) ?? owner;
  const choices = new Set(['', ...names, current]);
  // If somebody was chosen, there is the way back to everyone.
  if (choices.size < (owner === '' ? 3 : 2)) return null;
  return (
    <nav class="names" aria-label="Owner">
      {Array.from(choices, (name) => (
        <Link
          key={name}
          to={pathWith('actions', { owner: name })}
          isInstead
          isCurrent={name === current}
        >
          {name === '' ? 'Everyone' : name === NO_OWNER ? 'No owner' : <bdi>{personOf(name)}</bdi>}{' '}
          <span class="note">{countOf(name).toLocaleString('en')}</span>
        </Link>
      ))}
    </nav>
  );
}
