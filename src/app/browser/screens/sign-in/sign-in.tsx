// Sign-in: by the link that was opened, or by another way. It lies over any address, which stays.

import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import type { Failure } from '../../../../contract/failure.ts';
import { useAction } from '../../parts/controls/action.ts';
import { ConnectionBar } from '../../parts/frame.tsx';
import { Awaited, FailureNotice, Notice } from '../../parts/notice.tsx';
import { appAddressOf } from '../../state/base.ts';
import { useResource } from '../../state/resource.ts';
import { go, place, useArrival } from '../../state/router.ts';
import { isRefusedLink, secret } from '../../state/secret.ts';
import { app, hasBeenSignedIn, hasEnded, isSignedIn, loadMe, me } from '../../state/session.ts';
import { formats } from '../../time-formats.ts';
import { isLinkOnly, OtherWays, type WayProps } from './other-ways.tsx';

/** The screen for signing in. */
export function SignInScreen() {
  const [isShort, setShort] = useState(false);
  const signing = useAction();
  useArrival(true, 'Sign in');
  const link = secret.value;
  const ways = useResource(
    `ways ${link ?? ''}`,
    async () => (link === undefined ? app.ways.get() : null), // a link is a way of its own
  );
  const short = (
    <label class="check-line">
      <input
        type="checkbox"
        checked={isShort}
        onChange={(event) => setShort(event.currentTarget.checked)}
      />
      Sign me out when I close the browser
      <span class="note">And after 12 hours, if it stays open.</span>
    </label>
  );
  const failure = <FailureNotice failure={signing.failure} isSignIn />;
  const shared = { isShort, signing, enter, short, failure };
  return (
    <main class="sign-in">
      <ConnectionBar />
      <p class="brand actions">
        <img src={appAddressOf('icon.svg')} width="56" height="56" alt="" />
        Memory Gateway
      </p>
      <h1 tabIndex={-1}>
        {ways.data && isLinkOnly(ways.data) ? 'Get a link to sign in' : 'Sign in'}
      </h1>
      {hasEnded.value && <Notice>Your session has ended. Sign in to go on where you were.</Notice>}
      {place.value.query.includes('client_id=') && (
        <Notice>A client asks to read your memories. Sign in to see what it asks for.</Notice>
      )}
      {isRefusedLink.value && (
        <Notice>
          This link does not work any more: it was used, or is older than 10 minutes. Get a new one.
        </Notice>
      )}
      {link === undefined ? (
        <FailureNotice failure={ways.failure} onRetry={ways.reload} />
      ) : (
        <ByLink {...shared} link={link} onBad={refuse} />
      )}
      {ways.data && <OtherWays {...shared} ways={ways.data} />}
      {isSignedIn(me.value) && (
        <p>
          <button type="button" class={isRefusedLink.value ? 'primary' : ''} onClick={goOn}>
            Go on as {me.value.account.name}
          </button>
        </p>
      )}
    </main>
  );
}

function refuse(): void {
  isRefusedLink.value = true;
  secret.value = undefined;
  void loadMe(); // this browser may be signed in all the same
}

function goOn(): void {
  isRefusedLink.value = false;
  secret.value = undefined;
  go('', 'replace');
}

/** Shows what was behind the sign-in page, or where it leads. */
async function enter(): Promise<void> {
  secret.value = undefined;
  await loadMe();
}

interface LinkProps extends WayProps {
  readonly short: ComponentChildren;
  readonly failure: ComponentChildren;
  readonly link: string;
  readonly onBad: () => void;
}

function ByLink({ link, isShort, signing, short, failure, onBad }: LinkProps) {
  const look = async () => app.links.look({ secret: link });
  const looked = useResource(`link ${link}`, look);
  const { data } = looked;
  const isBad = isRefused(looked.failure);
  useEffect(() => {
    if (isBad) onBad();
    // Whoever is signed in may not want to be somebody else.
    else if (hasBeenSignedIn()) void loadMe();
  }, [isBad]);
  if (isBad) return null;
  if (data === undefined) return <Awaited {...looked} />;
  const signIn = (path?: string) =>
    signing.run(async () => {
      try {
        await app.sessions.create({ way: 'link', secret: link, only_this_time: isShort });
      } catch (error) {
        if (!isRefused(error as Failure)) throw error;
        onBad();
        return;
      }
      await enter();
      if (path !== undefined) go(path, 'replace');
    });
  return (
    <>
      {short}
      <button
        type="button"
        class="primary large"
        disabled={signing.isBusy}
        onClick={() => signIn()}
      >
        Sign in as {data.name}
      </button>
      {data.can_add_way && (
        <button type="button" disabled={signing.isBusy} onClick={() => signIn('settings/devices')}>
          Sign in and set a password or passkey
        </button>
      )}
      <p class="note">This link works once, until {formats.value.time(data.expires_at)}.</p>
      {failure}
    </>
  );
}

/** A link that was used, is too old, or was not copied whole. */
export function isRefused(failure: Failure | undefined): boolean {
  return failure?.status === 401 || failure?.status === 422;
}
