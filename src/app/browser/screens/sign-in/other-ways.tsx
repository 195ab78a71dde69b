// The ways to sign in without a link: one at once, and the others behind their names.

import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

import { Failure } from '../../../../contract/failure.ts';
import type { Action } from '../../parts/controls/action.ts';
import { TextInput } from '../../parts/controls/fields.tsx';
import { PasswordInput } from '../../parts/controls/password-input.tsx';
import { Notice } from '../../parts/notice.tsx';
import { hasPasskeys, signInWithPasskey } from '../../state/passkey.ts';
import { app, toFailure, type SignedInAccount } from '../../state/session.ts';
import { SignInCommand } from './sign-in-command.tsx';

/** What a way to sign in needs. */
export interface WayProps {
  readonly isShort: boolean;
  readonly signing: Action;
  /** Shows what was behind the sign-in page, or where it leads. */
  readonly enter: () => Promise<void>;
}

type Ways = SignedInAccount['ways'];

interface OtherWaysProps extends WayProps {
  readonly ways: Ways;
  /** How long the sign-in lasts, and why the last one failed. */
  readonly short: ComponentChildren;
  readonly failure: ComponentChildren;
}

/** Returns whether this browser can use the passkeys of an address that has some. */
function takesPasskeys(ways: Ways): boolean {
  return ways.passkey && hasPasskeys;
}

/** Returns whether nothing but a link signs in at this address. */
export function isLinkOnly(ways: Ways): boolean {
  return !ways.password && !takesPasskeys(ways);
}

/** The ways that this address has. */
export function OtherWays({ ways, short, failure, ...way }: OtherWaysProps) {
  const passkey = takesPasskeys(ways) && (
    <>
      <ByPasskey {...way} />
      {short}
      {failure}
    </>
  );
  const password = ways.password && (
    <ByPassword {...way} asksName={ways.asks_name} short={!passkey && short} />
  );
  const link = <GetLink ways={ways} />;
  if (isLinkOnly(ways)) return link;
  return (
    <>
      {passkey || password}
      {!passkey && failure}
      {passkey && password && (
        <details>
          <summary>Sign in with a password</summary>
          {password}
        </details>
      )}
      <details>
        <summary>Get a sign-in link</summary>
        {link}
      </details>
    </>
  );
}

/** The button for a passkey. */
export function ByPasskey({ isShort, signing, enter }: WayProps) {
  const [hasDeclined, setDeclined] = useState(false);
  const signIn = () =>
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
      <button type="button" class="primary large" disabled={signing.isBusy} onClick={signIn}>
        Sign in with a passkey
      </button>
      {hasDeclined && (
        <Notice>The passkey was not used. Try again, or choose another way to sign in.</Notice>
      )}
    </>
  );
}

/** How to get a link, for the owner. Somebody else who comes here learns that the page is private. */
function GetLink({ ways }: { readonly ways: Ways }) {
  const command = <SignInCommand ways={ways} />;
  return (
    <section class="get-link">
      <p>These memories are private. If they are yours, get a link that works once:</p>
      <p>
        <b>Where you are signed in:</b> Settings → Devices → “Sign in another device”.
      </p>
      {/* A phone runs no commands, and a narrow window has no room for one. */}
      {matchMedia('(pointer: coarse), (width < 32rem)').matches ? (
        <details>
          <summary>Not signed in anywhere?</summary>
          <div class="plain-list">{command}</div>
        </details>
      ) : (
        command
      )}
    </section>
  );
}

interface PasswordProps extends WayProps {
  readonly asksName: boolean;
  /** Whose password it is, if that is known. */
  readonly name?: string;
  readonly short?: ComponentChildren;
}

/** The form for a password. */
export function ByPassword(props: PasswordProps) {
  const { isShort, signing, enter, asksName, name = '', short } = props;
  const form = useRef<HTMLFormElement>(null);
  const [account, setAccount] = useState(name);
  const [password, setPassword] = useState('');
  // Behind its name it is not seen, and does not take the focus.
  useEffect(() => form.current?.querySelector('input')?.focus(), []);
  const submit = (event: Event) => {
    event.preventDefault();
    void signing.run(async () => {
      const named = asksName ? { account: account.trim() } : {};
      try {
        await app.sessions.create({ way: 'password', ...named, password, only_this_time: isShort });
      } catch (error) {
        if (asksName || toFailure(error).status !== 401) throw error;
        throw new Failure(401, 'The password is wrong.');
      }
      await enter();
    });
  };
  return (
    <form ref={form} onSubmit={submit}>
      {asksName && (
        <TextInput
          label="Account"
          required
          autocomplete="username"
          value={account}
          onValue={setAccount}
        />
      )}
      <PasswordInput
        label="Password"
        autocomplete="current-password"
        value={password}
        onValue={setPassword}
      />
      {short}
      <p class="actions">
        <button class="primary" disabled={signing.isBusy}>
          Sign in
        </button>
      </p>
    </form>
  );
}
