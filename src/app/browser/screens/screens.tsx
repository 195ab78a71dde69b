// What the app shows at each address. Only the list is in the first script.

import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';

import { findScreen, type ScreenName } from '../../screens.ts';
import { isDate } from '../dates.ts';
import { later } from '../parts/later.tsx';
import { MaybeMeant } from '../parts/not-found.tsx';
import { appAddressOf } from '../state/base.ts';
import { forgetEarly } from '../state/early-responses.ts';
import { isLimited, readFilter } from '../state/list/filter.ts';
import { go, place, useArrival } from '../state/router.ts';
import { searchPath } from '../state/search/search-request.ts';
import { ListScreen } from './list/list-screen.tsx';

const reader = later(() => import('./reader/reader-screen.tsx'));
const finding = later(() => import('./search/part.ts'));

/** The account: sign-in, the first visit, settings and imports. A new key is shown over any screen. */
export const account = later(() => import('./settings/part.ts'));

const REST = [reader, finding, account];

type Scripts = Partial<Record<ScreenName, { readonly load: () => Promise<void> } | undefined>>;

/** The screens that need nothing of an account but its memories, with their scripts. The list has none of its own. */
const FOR_ANY: Scripts = {
  list: undefined,
  memory: reader,
  search: finding,
  calendar: finding,
  day: finding,
  week: finding,
  month: finding,
};

/** The screens that links from elsewhere lead to: their scripts are loaded together with the account. */
const AT_ONCE: Scripts = {
  ...FOR_ANY,
  changes: finding,
  people: finding,
  person: finding,
  actions: finding,
  starred: finding,
};

/** Returns whether the screen of the address can be shown before the gateway has said who is signed in. */
export function isForAnyAccount(): boolean {
  const shown = findScreen(place.value.path);
  return shown !== undefined && shown.name in FOR_ANY;
}

/** How long after its first screen the app loads the others, so that they open at once. */
const REST_AFTER_MS = 2000;

/** Loads the script of the first screen, and later those of all others, one after another. */
export function loadScreens(): void {
  const first = findScreen(place.value.path)?.name;
  void (first && AT_ONCE[first])?.load();
  setTimeout(async () => {
    forgetEarly();
    for (const part of REST) await part.load();
  }, REST_AFTER_MS);
}

/** What each screen shows. A memory and a day have keys, so that another one starts anew. */
const SHOWN: Readonly<Record<ScreenName, (about: string) => ComponentChildren>> = {
  list: () => {
    // Searches have the filters that the list once had.
    const { query } = place.value;
    return isLimited(readFilter(query)) ? (
      <Instead path={searchPath(query, { sort: 'newest' })} />
    ) : (
      <ListScreen />
    );
  },
  search: () => finding.show(({ SearchScreen }) => <SearchScreen />),
  changes: () => finding.show(({ ChangesScreen }) => <ChangesScreen />),
  memory: (id) => reader.show(({ ReaderScreen }) => <ReaderScreen key={id} id={id} />),
  calendar: (year) => finding.show(({ CalendarScreen }) => <CalendarScreen year={year} />),
  day: (date) => ifDate(date, ({ DayScreen }) => <DayScreen key={date} date={date} />),
  week: (date) => ifDate(date, ({ WeekScreen }) => <WeekScreen key={date} date={date} />),
  month: (month) =>
    ifDate(`${month}-01`, ({ MonthScreen }) => <MonthScreen key={month} month={month} />),
  people: () => finding.show(({ PeopleScreen }) => <PeopleScreen />),
  actions: () => finding.show(({ ActionsScreen }) => <ActionsScreen />),
  starred: () => finding.show(({ StarredScreen }) => <StarredScreen />),
  person: (about) => {
    const name = nameOf(about);
    return name === undefined ? (
      <NoScreen />
    ) : (
      finding.show(({ PersonScreen }) => <PersonScreen key={name} name={name} />)
    );
  },
  connect: () => account.show(({ ConnectScreen }) => <ConnectScreen />),
  settings: () => <Instead path="settings/access" />,
  reading: () => account.show(({ ReadingScreen }) => <ReadingScreen />),
  access: () => account.show(({ AccessScreen }) => <AccessScreen />),
  devices: () => account.show(({ DevicesScreen }) => <DevicesScreen />),
  edits: () => account.show(({ EditsScreen }) => <EditsScreen />),
  phone: () => account.show(({ PhoneScreen }) => <PhoneScreen />),
  sources: () => account.show(({ SourcesScreen }) => <SourcesScreen />),
  shares: () => account.show(({ SharesScreen }) => <SharesScreen />),
  about: () => account.show(({ AboutScreen }) => <AboutScreen />),
  signIn: () => <AfterSignIn />,
  import: () => account.show(({ ImportScreen }) => <ImportScreen />),
  bin: () => account.show(({ BinScreen }) => <BinScreen />),
  start: () => account.show(({ SetupScreen }) => <SetupScreen />),
  consent: () => <NoScreen />, // its address has a script of its own
};

/** What an address shows that has a date, if there is such a day. */
function ifDate(date: string, toScreen: Parameters<typeof finding.show>[0]): ComponentChildren {
  return isDate(date) ? finding.show(toScreen) : <NoScreen />;
}

/** The screen of a path below `/app/`. */
export function Screen({ path }: { readonly path: string }) {
  const found = findScreen(path);
  return found === undefined ? <NoScreen /> : SHOWN[found.name](found.about);
}

/** Returns the name of a person that an address has. Returns undefined if it has none. */
function nameOf(about: string): string | undefined {
  try {
    return decodeURIComponent(about);
  } catch {
    return undefined;
  }
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
      <p>There is no page at this address. Did you mean one of these?</p>
      <MaybeMeant />
    </>
  );
}
