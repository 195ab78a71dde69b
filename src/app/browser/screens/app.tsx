// The whole app: sign-in, or the frame with the screen of the address.

import { useEffect } from 'preact/hooks';

import { isDate } from '../dates.ts';
import { ConnectionBar, Frame } from '../parts/frame.tsx';
import { newestKey } from '../parts/keys.ts';
import { Link } from '../parts/link.tsx';
import { Awaited } from '../parts/notice.tsx';
import { addressOf, APP_NAME } from '../state/base.ts';
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

function Screen({ path }: { readonly path: string }) {
  const [first, second] = path.split('/');
  if (path === '') return <ListScreen />;
  if (path === 'changes') return <ChangesScreen />;
  if (path === 'sign-in') return <AfterSignIn />;
  if (path === 'settings') return <Instead path="settings/access" />;
  if (first === 'm' && second) return <ReaderScreen key={path} id={second} />;
  if (/^calendar(\/\d{4})?$/.test(path)) return <CalendarScreen year={second} />;
  if (first === 'days' && second !== undefined && isDate(second))
    return <DayScreen key={path} date={second} />;
  if (path === 'search') return <SearchScreen />;
  if (path === 'settings/access') return <AccessScreen />;
  if (path === 'settings/devices') return <DevicesScreen />;
  if (path === 'settings/reading') return <ReadingScreen />;
  if (path === 'settings/about') return <AboutScreen />;
  return <NoScreen />;
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
    else location.replace(addressOf(`consent?${query}`));
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
