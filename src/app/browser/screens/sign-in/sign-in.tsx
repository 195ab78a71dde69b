// Sign-in: by the link that was opened, by passkey or by password. It lies over any address, which stays.

import { useEffect, useId, useState } from 'preact/hooks';

import type { Failure } from '../../../../contract/failure.ts';
import { useAction, type Action } from '../../parts/action.ts';
import { formats } from '../../parts/formats.ts';
import { ConnectionBar } from '../../parts/frame.tsx';
import { FailureNotice, Loading, Notice } from '../../parts/notice.tsx';
import { hasPasskeys, signInWithPasskey } from '../../state/passkey.ts';
import { useResource } from '../../state/resource.ts';
import { go, place, useArrival } from '../../state/router.ts';
import { isRefusedLink, secret } from '../../state/secret.ts';
import { app, hasBeenSignedIn, hasEnded, isSignedIn, loadMe, me } from '../../state/session.ts';
import { APP_NAME, SIGN_IN } from '../../texts.ts';

/** The screen for signing in. */
export function SignInScreen() {
  const [isShort, setShort] = useState(false);
  const signing = useAction();
  useArrival(true, SIGN_IN.title);
  const link = secret.value;
  const shared = { isShort, signing };
  return (
    <main class="sign-in">
      <ConnectionBar />
      <p class="brand">{APP_NAME}</p>
      <h1 tabIndex={-1}>{SIGN_IN.title}</h1>
      {hasEnded.value && <Notice>{SIGN_IN.ended}</Notice>}
      {place.value.query.includes('client_id=') && <Notice>{SIGN_IN.client}</Notice>}
      {isRefusedLink.value && <Notice>{SIGN_IN.badLink}</Notice>}
      {link === undefined ? (
        <OtherWays {...shared} />
      ) : (
        <ByLink {...shared} link={link} onBad={refuse} />
      )}
      {isSignedIn(me.value) && (
        <p>
          <button type="button" class={isRefusedLink.value ? 'primary' : ''} onClick={goOn}>
            {SIGN_IN.goOn(me.value.account.name)}
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
        {SIGN_IN.short}
        <span class="note">{SIGN_IN.shortHint}</span>
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
  const { data, failure, reload } = useResource(`link ${link}`, look);
  const isBad = isRefused(failure);
  useEffect(() => {
    if (isBad) onBad();
    // Whoever is signed in may not want to be somebody else.
    else if (hasBeenSignedIn()) void loadMe();
  }, [isBad]);
  if (isBad) return null;
  if (failure !== undefined) return <FailureNotice failure={failure} onRetry={reload} />;
  if (data === undefined) return <Loading rows={1} />;
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
        {SIGN_IN.as(data.name)}
      </button>
      <p class="note">{SIGN_IN.until(formats.value.time(data.expires_at))}</p>
    </>
  );
}

/** A link that was used, is too old, or was not copied whole. */
function isRefused(failure: Failure | undefined): boolean {
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
          {SIGN_IN.passkey}
        </button>
      )}
      {hasDeclined && <Notice>{SIGN_IN.passkeyFailed}</Notice>}
      {ways?.password === true && (
        <ByPassword isShort={isShort} signing={signing} asksName={ways.asks_name} />
      )}
      {ways !== undefined && (
        <section class="get-link">
          <h2>{SIGN_IN.linkTitle}</h2>
          <p>{SIGN_IN.link}</p>
          <pre>
            <code>{SIGN_IN.command}</code>
          </pre>
          <p>{SIGN_IN.linkOther}</p>
        </section>
      )}
    </>
  );
}

function ByPassword({ isShort, signing, asksName }: WayProps & { readonly asksName: boolean }) {
  const [account, setAccount] = useState('');
  const [password, setPassword] = useState('');
  const ids = { account: useId(), password: useId() };
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
        <p class="field">
          <label for={ids.account}>{SIGN_IN.account}</label>
          <input
            id={ids.account}
            type="text"
            required
            autocomplete="username"
            value={account}
            onInput={(event) => setAccount(event.currentTarget.value)}
          />
        </p>
      )}
      <p class="field">
        <label for={ids.password}>{SIGN_IN.password}</label>
        <input
          id={ids.password}
          type="password"
          required
          autocomplete="current-password"
          value={password}
          onInput={(event) => setPassword(event.currentTarget.value)}
        />
      </p>
      <p class="actions">
        <button class="primary" disabled={signing.isBusy}>
          {SIGN_IN.withPassword}
        </button>
      </p>
    </form>
  );
}
