// The whole app: sign-in, or the frame with the screen of the address.

import { useEffect, useLayoutEffect } from 'preact/hooks';

import { isSheetOpen } from '../keyboard/keyboard.ts';
import { newestKey } from '../parts/api-keys.ts';
import { ConnectionBar, Frame } from '../parts/frame.tsx';
import { Awaited } from '../parts/notice.tsx';
import { APP_NAME } from '../state/base.ts';
import { comebacks } from '../state/connection.ts';
import { selected } from '../state/list/selection.ts';
import { place } from '../state/router.ts';
import { claimSecret, isRefusedLink, secret } from '../state/secret.ts';
import { hasBeenSignedIn, isLeaving, loadMe, may, me, meFailure } from '../state/session.ts';
import { account, finding, isForAnyAccount, loadScreens, Screen } from './screens.tsx';

/** The app, and over it the list of the keys on a keyboard, or a new API key. */
export function App() {
  const key = newestKey.value;
  useEffect(loadScreens, []);
  return (
    <>
      <Page />
      {isSheetOpen.value && account.show(({ KeysSheet }) => <KeysSheet />)}
      {isLeaving.value && account.show(({ SignOut }) => <SignOut />)}
      {selected.value && finding.show(({ SelectionBar }) => <SelectionBar />)}
      {key !== undefined && account.show(({ ShownKey }) => <ShownKey {...key} />)}
    </>
  );
}

function Page() {
  // Before the first frame, because the list waits for it.
  useLayoutEffect(() => {
    // A link is looked at first: whoever opens it wants to sign in, whoever is signed in.
    const isLink = secret.value !== undefined || claimSecret.value !== undefined;
    if (me.value === undefined && !isLink) void loadMe();
  }, [comebacks.value]);
  if (claimSecret.value !== undefined) return account.show(({ ClaimScreen }) => <ClaimScreen />);
  if (secret.value !== undefined || isRefusedLink.value || me.value === null)
    return account.show(({ SignInScreen }) => <SignInScreen />);
  // The screen asks for what it shows while the account is asked for. It is another request, not another round trip.
  const isOffline = meFailure.value?.reason === 'network' && may('offline');
  const isPresumed = hasBeenSignedIn() && (isOffline || !meFailure.value) && isForAnyAccount();
  if (me.value === undefined && !isPresumed) {
    if (isOffline)
      return (
        <Frame>
          {account.show(({ OfflineScreen }) => (
            <OfflineScreen />
          ))}
        </Frame>
      );
    return (
      <main class="start">
        <ConnectionBar />
        <h1>{APP_NAME}</h1>
        <Awaited data={me.value} failure={meFailure.value} reload={loadMe} />
      </main>
    );
  }
  return (
    <Frame>
      <Screen path={place.value.path} />
    </Frame>
  );
}
