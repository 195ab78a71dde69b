// Sign-in: by the link that was opened, by passkey or by password. It lies over any address, which stays.

import { useEffect, useState } from 'preact/hooks';

import type { Failure } from '../../../../contract/failure.ts';
import { useAction, type Action } from '../../parts/controls/action.ts';
import { TextInput } from '../../parts/controls/fields.tsx';
import { ConnectionBar } from '../../parts/frame.tsx';
import { Awaited, FailureNotice, Notice } from '../../parts/notice.tsx';
import { APP, APP_NAME, isOnThisMachine } from '../../state/base.ts';
import { hasPasskeys, signInWithPasskey } from '../../state/passkey.ts';
import { useResource } from '../../state/resource.ts';
import { go, place, useArrival } from '../../state/router.ts';
import { isRefusedLink, secret } from '../../state/secret.ts';
import { app, hasBeenSignedIn, hasEnded, isSignedIn, loadMe, me } from '../../state/session.ts';
import { formats } from '../../time-formats.ts';

/** The screen for signing in. */
export function SignInScreen() {
  const [isShort, setShort] = useState(false);
  const signing = useAction();
  useArrival(true, 'Sign in');
  const link = secret.value;
  const shared = { isShort, signing };
  return (
    <main class="sign-in">
      <ConnectionBar />
      <p class="brand">{APP_NAME}</p>
      <h1 tabIndex={-1}>Sign in</h1>
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
        <OtherWays {...shared} />
      ) : (
        <ByLink {...shared} link={link} onBad={refuse} />
      )}
      {isSignedIn(me.value) && (
        <p>
          <button type="button" class={isRefusedLink.value ? 'primary' : ''} onClick={goOn}>
            Go on as {me.value.account.name}
          </button>
        </p>
      )}
      <FailureNotice failure={signing.failure} isSignIn />
      <label class="check-line">
        <input
          type="checkbox"
          checked={isShort}
          onChange={(event) => setShort(event.currentTarget.checked)}
        />
        Sign me out when I close the browser
        <span class="note">After 12 hours at the latest.</span>
      </label>
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

interface WayProps {
  readonly isShort: boolean;
  readonly signing: Action;
}

/** Shows what was behind the sign-in page, or where it leads. */
async function enter(): Promise<void> {
  secret.value = undefined;
  await loadMe();
}

interface LinkProps extends WayProps {
  readonly link: string;
  readonly onBad: () => void;
}

function ByLink({ link, isShort, signing, onBad }: LinkProps) {
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
  if (data === undefined) return <Awaited {...looked} rows={1} />;
  const signIn = () =>
    signing.run(async () => {
      try {
        await app.sessions.create({ way: 'link', secret: link, only_this_time: isShort });
      } catch (error) {
        if (!isRefused(error as Failure)) throw error;
        onBad();
        return;
      }
      await enter();
    });
  return (
    <>
      <button type="button" class="primary large" disabled={signing.isBusy} onClick={signIn}>
        Sign in as {data.name}
      </button>
      <p class="note">This link works once, until {formats.value.time(data.expires_at)}.</p>
    </>
  );
}

/** A link that was used, is too old, or was not copied whole. */
export function isRefused(failure: Failure | undefined): boolean {
  return failure?.status === 401 || failure?.status === 422;
}

function OtherWays({ isShort, signing }: WayProps) {
  const { data: ways, failure, reload } = useResource('ways', app.ways.get);
  const [hasDeclined, setDeclined] = useState(false);
  const byPasskey = () =>
    signing.run(async () => {
      setDeclined(false);
      try {
        await signInWithPasskey(isShort);
      } catch (error) {
        if (!(error instanceof DOMException)) throw error;
        setDeclined(true);
        return;
      }
      await enter();
    });
  return (
    <>
      <FailureNotice failure={failure} onRetry={reload} />
      {ways?.passkey === true && hasPasskeys && (
        <button type="button" class="primary large" disabled={signing.isBusy} onClick={byPasskey}>
          Sign in with a passkey
        </button>
      )}
      {hasDeclined && (
        <Notice>The passkey was not used. Try again, or choose another way to sign in.</Notice>
      )}
      {ways?.password === true && (
        <ByPassword isShort={isShort} signing={signing} asksName={ways.asks_name} />
      )}
      {ways !== undefined && (
        <section class="get-link">
          <h2>Get a link</h2>
          <p>Run this where the gateway runs, and open the link that it prints:</p>
          <pre>
            <code translate={false}>
              memory-gateway sign-in ACCOUNT{APP.port && isOnThisMachine() && ` --port ${APP.port}`}
            </code>
          </pre>
          <p>
            Or open Settings → Devices in a browser that is signed in, and choose “Sign in another
            device”.
          </p>
        </section>
      )}
    </>
  );
}

function ByPassword({ isShort, signing, asksName }: WayProps & { readonly asksName: boolean }) {
  const [account, setAccount] = useState('');
  const [password, setPassword] = useState('');
  const submit = (event: Event) => {
    event.preventDefault();
    void signing.run(async () => {
      const named = asksName ? { account: account.trim() } : {};
      await app.sessions.create({ way: 'password', ...named, password, only_this_time: isShort });
      await enter();
    });
  };
  return (
    <form onSubmit={submit}>
      {asksName && (
        <TextInput
          label="Account"
          required
          autocomplete="username"
          value={account}
          onValue={setAccount}
        />
      )}
      <TextInput
        label="Password"
        type="password"
        required
        autocomplete="current-password"
        value={password}
        onValue={setPassword}
      />
      <p class="actions">
        <button class="primary" disabled={signing.isBusy}>
          Sign in with password
        </button>
      </p>
    </form>
  );
}
