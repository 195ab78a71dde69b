// What the app shows at each address. Only the list is in the first script.

import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';

import { findScreen, type FoundScreen, type ScreenName } from '../../screens.ts';
import { isDate } from '../dates.ts';
import { later, type Later } from '../parts/later.tsx';
import { MaybeMeant } from '../parts/not-found.tsx';
import { appAddressOf } from '../state/base.ts';
import { forgetEarly } from '../state/early-responses.ts';
import { isLimited, readFilter } from '../state/list/filter.ts';
import { go, place, useArrival } from '../state/router.ts';
import { searchPath } from '../state/search/search-path.ts';
import { ListScreen } from './list/list-screen.tsx';

/** The screens of a script by their names. */
export type Screens = Partial<Record<ScreenName, ComponentType<Pick<FoundScreen, 'about'>>>>;

const reader = later(() => import('./reader/reader-screen.tsx'));
/** What finds memories, and what is done with those that are selected. */
export const finding = later(() => import('./search/part.ts'));

/** The account: sign-in, the first visit, settings and imports. A new key is shown over any screen. */
export const account = later(() => import('./settings/part.ts'));

const REST = [reader, finding, account];

/** The scripts of screens that links from elsewhere lead to. They are loaded together with the account. */
const SCRIPTS: Partial<Record<ScreenName, Later<{ readonly screens: Screens }>>> = {
  memory: reader,
  search: finding,
  calendar: finding,
  day: finding,
  week: finding,
  month: finding,
  changes: finding,
  people: finding,
  person: finding,
  actions: finding,
  starred: finding,
};

/** The screens that need nothing of an account but its memories. */
const FOR_ANY: ReadonlySet<ScreenName> = new Set([
  'list',
  'memory',
  'search',
  'calendar',
  'day',
  'week',
  'month',
  'reading',
]);

/** Returns whether the screen of the address can be shown before the gateway has said who is signed in. */
export function isForAnyAccount(): boolean {
  const shown = findScreen(place.value.path);
  return shown !== undefined && FOR_ANY.has(shown.name);
}

/** The screens that stay when they show another year, month or week. Another memory, day or person starts anew. */
const STAYS: ReadonlySet<ScreenName> = new Set(['calendar', 'month', 'week']);

/** How long after its first screen the app loads the others, so that they open at once. */
const REST_AFTER_MS = 2000;

/** Loads the script of the first screen, and later those of all others, one after another. */
export function loadScreens(): void {
  const first = findScreen(place.value.path)?.name;
  void (first && SCRIPTS[first])?.load();
  // It takes what is dropped. A drag repeats its event while files are held.
  addEventListener('dragover', account.load);
  setTimeout(async () => {
    forgetEarly();
    for (const part of REST) await part.load();
  }, REST_AFTER_MS);
}

/** The screens that the first script has itself. */
const OWN: Partial<Record<ScreenName, () => ComponentChildren>> = {
  list: () => {
    // Searches have the filters that the list once had.
    const { query } = place.value;
    return /\bq=/.test(query) || isLimited(readFilter(query)) ? (
      <Instead path={searchPath(query, { sort: 'newest' })} />
    ) : (
      <ListScreen beginnings={() => account.show(({ Beginnings }) => <Beginnings />)} />
    );
  },
  settings: () => <Instead path="settings/reading" />,
  signIn: () => <AfterSignIn />,
};

/** The screen of a path below `/app/`. */
export function Screen({ path }: { readonly path: string }) {
  const found = findScreen(path);
  const about = found && readAbout(found);
  if (found === undefined || about === undefined) return <NoScreen />;
  const { name } = found;
  const { show }: Later<{ readonly screens: Screens }> = SCRIPTS[name] ?? account;
  return (
    OWN[name]?.() ??
    show(({ screens: { [name]: Shown } }) =>
      Shown ? <Shown key={STAYS.has(name) || about} about={about} /> : <NoScreen />,
    )
  );
}

/** Returns what a screen is about. Returns undefined if there is no such day, or the name of a person is not whole. */
function readAbout({ name, about }: FoundScreen): string | undefined {
  try {
    if (name === 'person') return decodeURIComponent(about);
  } catch {
    return undefined;
  }
  const dates: Partial<Record<ScreenName, string>> = {
    day: about,
    week: about,
    month: `${about}-01`,
  };
  const date = dates[name];
  return date === undefined || isDate(date) ? about : undefined;
}

/** Another screen instead of this address. */
function Instead({ path }: { readonly path: string }) {
  useEffect(() => go(path, 'replace'), []);
  return null;
}

/** The sign-in page of somebody who is signed in: leads to the list, or back to the request of a client. */
function AfterSignIn() {
  useEffect(() => {
    const { query } = place.value;
    if (query === '') go('', 'replace');
    else location.replace(appAddressOf(`consent?${query}`));
  }, []);
  return null;
}

function NoScreen() {
  useArrival(true, 'No such page');
  return (
    <>
      <h1 tabIndex={-1}>No such page</h1>
      <p>Did you mean one of these?</p>
      <MaybeMeant />
    </>
  );
}
