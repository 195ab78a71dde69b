// Where memories were read in this browser, for each account: a line, and how far it is into the text. No texts.

import { signal } from '@preact/signals';

import { recall, remember } from './storage.ts';

/** Where a memory was read. */
export interface ReadPlace {
  readonly line: number;
  /** The hash of the line, which finds it after lines were added or removed before it. */
  readonly hash: string;
  /** How far it is into the text, from 0 to 1. 1: it was read to the end. */
  readonly share: number;
}

/** `isRead`: somebody has not only looked into it. */
type Entry = readonly [
  id: string,
  line: number,
  hash: string,
  share: number,
  isRead?: boolean | undefined,
];

/** The most memories whose places are kept. */
const MOST = 1000;

const nameOf = (account: string) => `places.${account}`;

/** Changes with every place, for the rows that show one. */
const count = signal(0);

let cached: { readonly text: string; readonly entries: ReadonlyMap<string, Entry> } | undefined;

/** Returns where a memory was read, or undefined if it never was. */
export function placeOf(account: string, id: string): ReadPlace | undefined {
  void count.value;
  const found = entriesOf(account).get(id);
  return found && { line: found[1], hash: found[2], share: found[3] };
}

/** How far a memory was read. */
export interface NamedPlace extends Pick<ReadPlace, 'share'> {
  readonly id: string;
}

/** The fragment of a memory that leads to where it was read. */
export const CONTINUE = 'continue';

/** Returns the latest places inside memories: those that somebody has read, and not to the end. */
export function placesInside(account: string, most: number): NamedPlace[] {
  void count.value;
  return [...entriesOf(account).values()]
    .filter(([, , , share, isRead]) => isRead && share < 1)
    .slice(-most)
    .toReversed()
    .map(([id, , , share]) => ({ id, share }));
}

/** Notes where a memory is read, or only looked into. One that was read to the end stays so. */
export function notePlace(
  account: string,
  id: string,
  { line, hash, share, isRead }: ReadPlace & { readonly isRead: boolean },
): void {
  const entries = new Map(entriesOf(account));
  const old = entries.get(id);
  if (old?.[3] === 1) return;
  entries.delete(id);
  entries.set(id, [id, line, hash, Math.round(share * 1000) / 1000, isRead || old?.[4]]);
  const list = [...entries.values()].slice(-MOST);
  remember(nameOf(account), JSON.stringify(list));
  count.value = count.peek() + 1;
}

function entriesOf(account: string): ReadonlyMap<string, Entry> {
  const text = recall(nameOf(account)) ?? '[]';
  if (cached?.text !== text)
    cached = { text, entries: new Map(parse(text).map((each) => [each[0], each])) };
  return cached.entries;
}

/** Reads what was kept. Another script of this origin may have written it. */
function parse(text: string): Entry[] {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.filter(isEntry) : [];
  } catch {
    return [];
  }
}

function isEntry(each: unknown): each is Entry {
  const kinds = Array.isArray(each) ? each.map((value) => typeof value).join(' ') : '';
  return kinds.startsWith('string number string number');
}
