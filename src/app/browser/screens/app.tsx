// The whole app: sign-in, or the frame with the screen of the address.

import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';

import { findScreen, type ScreenName } from '../../screens.ts';
import { isDate } from '../dates.ts';
import { newestKey } from '../parts/api-keys.ts';
import { ConnectionBar, Frame } from '../parts/frame.tsx';
import { Link } from '../parts/link.tsx';
import { Awaited } from '../parts/notice.tsx';
import { appAddressOf, APP_NAME } from '../state/base.ts';
import { comebacks } from '../state/connection.ts';
import { go, place, useArrival } from '../state/router.ts';
import { isRefusedLink, secret } from '../state/secret.ts';
import { loadMe, me, meFailure } from '../state/session.ts';
import { CalendarScreen } from './calendar/calendar-screen.tsx';
import { DayScreen } from './calendar/day-screen.tsx';
import { ChangesScreen } from './changes/changes-screen.tsx';
import { ListScreen } from './list/list-screen.tsx';
import { ReaderScreen } from './reader/reader-screen.tsx';
import { SearchScreen } from './search/search-screen.tsx';
import { AccessScreen } from './settings/access.tsx';
import { DevicesScreen } from './settings/devices.tsx';
import { AboutScreen, ReadingScreen } from './settings/settings.tsx';
import { ShownKey } from './settings/shown-key.tsx';
import { SignInScreen } from './sign-in/sign-in.tsx';

/** The app, and a new key over it. */
export function App() {
  return (
    <>
      <Page />
      {newestKey.value !== undefined && <ShownKey {...newestKey.value} />}
    </>
  );
}

function Page() {
  useEffect(() => {
    // A link is looked at first: whoever opens it wants to sign in, whoever is signed in.
    if (me.value === undefined && secret.value === undefined) void loadMe();
  }, [comebacks.value]);
  if (secret.value !== undefined || isRefusedLink.value || me.value === null)
    return <SignInScreen />;
  if (me.value === undefined)
    return (
      <main class="start">
        <ConnectionBar />
        <h1>{APP_NAME}</h1>
        <Awaited data={me.value} failure={meFailure.value} reload={loadMe} />
      </main>
    );
  return (
    <Frame>
      <Screen path={place.value.path} />
    </Frame>
  );
}

/** What each screen shows. A memory and a day have keys, so that another one starts anew. */
const SHOWN: Readonly<Record<ScreenName, (about: string) => ComponentChildren>> = {
  list: () => <ListScreen />,
  search: () => <SearchScreen />,
  changes: () => <ChangesScreen />,
  memory: (id) => <ReaderScreen key={id} id={id} />,
  calendar: (year) => <CalendarScreen year={year} />,
  day: (date) => (isDate(date) ? <DayScreen key={date} date={date} /> : <NoScreen />),
  settings: () => <Instead path="settings/access" />,
  reading: () => <ReadingScreen />,
  access: () => <AccessScreen />,
  devices: () => <DevicesScreen />,
  about: () => <AboutScreen />,
  signIn: () => <AfterSignIn />,
  consent: () => <NoScreen />, // its address has a script of its own
};

function Screen({ path }: { readonly path: string }) {
  const found = findScreen(path);
  return found === undefined ? <NoScreen /> : SHOWN[found.name](found.about);
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
      <p>There is no page at this address.</p>
      <p>
        <Link to="">Go to your memories</Link>
      </p>
    </>
  );
}
