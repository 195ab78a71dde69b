// What has changed in the account: the changes since a time, and a look at the latest ones now and then.

import { computed, effect, signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

import type { Change } from '../../../../contract/schemas/memory.ts';
import { comebacks, isLost } from '../connection.ts';
import { api, isSignedIn, loadMe, me, toFailure } from '../session.ts';
import { recall, remember } from '../storage.ts';
import { FIRST_PAGE, newOf, walkChanges } from './feed.ts';
import {
  beginOwn,
  endOwn,
  isNews,
  isOpen,
  nextVisit,
  readVisit,
  writeVisit,
  type Visit,
} from './visit.ts';

/** The changes that were noticed last, newest first. Each look that finds something sets a new array. */
export const news = signal<readonly Change[]>([]);

/** Runs a function whenever changes in the account were noticed. */
export function useNews(run: () => void): void {
  const seen = useRef(news.value);
  useEffect(() => {
    if (seen.current !== news.value) run();
    seen.current = news.value;
  }, [news.value]);
}

/** The latest changes of the account, newest first. `undefined`: not known yet. */
export const latest = signal<readonly Change[]>();

/** The visits of this account to the screen of changes. */
export const visit = signal<Visit>();

/** How many changes of the reader's own are being made. */
let own = 0;

/** How many of the latest changes have not been seen on the screen of changes. */
export const unseen = computed(() => {
  const { seen = [] } = visit.value ?? {};
  return latest.value?.filter(({ changed_at }) => isNews(seen, changed_at)).length ?? 0;
});

const PAUSE_MS = 10_000;

/**
 * Looks for changes while the tab is visible. The cache of the browser has the last response, so
 * the gateway answers 304 without a body if there are none.
 */
export function watchChanges(): void {
  setInterval(() => void look(), PAUSE_MS);
  document.addEventListener('visibilitychange', () => void look());
  // What was seen in another tab is seen. A change that is being made, here or there, has its end to come.
  addEventListener('storage', ({ key, newValue }) => {
    const other = readVisit(newValue ?? '');
    if (own === 0 && other && !isOpen(other) && key === `memories.${nameOfVisit()}`)
      visit.value = other;
  });
  // At once after a sign-in, and when the gateway is back.
  effect(() => {
    if (!isSignedIn(me.value) || comebacks.value < 0) return;
    if (visit.peek() === undefined) visit.value = readVisit(recall(nameOfVisit()));
    void look();
  });
}

/** Notes that the latest changes have been seen, newest first. */
export function markSeen(changes: readonly Change[]): void {
  keepVisit(nextVisit(visit.peek(), seenOf(changes), Date.now()));
}

const seenOf = ([last]: readonly Change[]) => last?.changed_at ?? new Date().toISOString();

function keepVisit(kept: Visit): void {
  visit.value = kept;
  remember(nameOfVisit(), writeVisit(kept));
}

/**
 * Changes memories for the reader, and looks for the changes then. They are no news: they count as seen, and what was
 * unseen before stays so. Rejects as `change` does.
 */
export async function changeOwn<T>(change: () => Promise<T>): Promise<T> {
  const old = visit.peek();
  own++;
  // Before the end, so that a page that is left meanwhile finds it.
  if (old) keepVisit(beginOwn(old, latest.peek()?.[0]?.changed_at ?? ''));
  try {
    return await change();
  } finally {
    void lookAtOwn();
  }
}

async function lookAtOwn(): Promise<void> {
  await looking; // it may have begun before the change
  own--;
  await look(true);
}

function nameOfVisit(): string {
  return `visit.${me.peek()?.account.id}`;
}

let looking: Promise<void> | undefined;

/** Looks for changes, at most once at a time, and only at `isHidden` in a tab that is hidden. */
async function look(isHidden = false): Promise<void> {
  const isOff = !isHidden && document.visibilityState !== 'visible';
  if (isOff || isLost.peek() || !isSignedIn(me.peek())) return;
  looking ??= readLatest();
  await looking;
}

async function readLatest(): Promise<void> {
  try {
    const known = latest.peek();
    const findNew = (all: readonly Change[]) => (known ? newOf(all, known) : []);
    const { changes } = await walkChanges(api.changes.page, (each) => !findNew([each])[0]);
    latest.value = changes.slice(0, FIRST_PAGE);
    const old = visit.peek();
    if (!old) markSeen(changes);
    else if (own === 0 && isOpen(old)) keepVisit(endOwn(old, seenOf(changes)));
    const found = findNew(changes);
    if (!found[0]) return;
    news.value = found;
    void loadMe(); // it knows whose the colours are, and whether there are samples
  } catch (error) {
    toFailure(error); // the bar says that the connection is lost, and the next look tries again
  } finally {
    looking = undefined;
  }
}
