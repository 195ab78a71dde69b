// The ways to sign in without a link: one at once, and the others behind their names.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

import type { Action } from '../../parts/controls/action.ts';
import { CopyText } from '../../parts/controls/copy.tsx';
import { TextInput } from '../../parts/controls/fields.tsx';
import { FailureNotice, Notice } from '../../parts/notice.tsx';
import { APP, isOnThisMachine } from '../../state/base.ts';
import { hasPasskeys, signInWithPasskey } from '../../state/passkey.ts';
import { useResource } from '../../state/resource.ts';
import { app, type SignedInAccount } from '../../state/session.ts';

/** What a way to sign in needs. */
export interface WayProps {
  readonly isShort: boolean;
  readonly signing: Action;
  /** Shows what was behind the sign-in page, or where it leads. */
  readonly enter: () => Promise<void>;
}

interface OtherWaysProps extends WayProps {
  /** What follows the first way, if it signs in at once. */
  readonly end: ComponentChildren;
}

/** The ways that this address has. */
export function OtherWays({ end, ...way }: OtherWaysProps) {
  const { data: ways, failure, reload } = useResource('ways', app.ways.get);
  if (ways === undefined) return <FailureNotice failure={failure} onRetry={reload} />;
  const shown = {
    ...(ways.passkey && hasPasskeys && { 'Sign in with a passkey': <ByPasskey {...way} /> }),
    ...(ways.password && {
      'Sign in with a password': <ByPassword {...way} asksName={ways.asks_name} />,
    }),
    'Get a sign-in link': <GetLink {...ways} />,
  };
  const [[, first] = [], ...others] = Object.entries(shown);
  return (
    <>
      {first}
      {others.length > 0 && end}
      {others.map(([name, other]) => (
        <details key={name}>
          <summary>{name}</summary>
          {other}
        </details>
      ))}
    </>
  );
}

function ByPasskey({ isShort, signing, enter }: WayProps) {
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
function GetLink({ command, database_option }: SignedInAccount['ways']) {
  const port = isOnThisMachine() ? APP.port : '';
  return (
    <section class="get-link">
      <p>These memories are private. If they are yours, get a link that works once:</p>
      <p>
        <b>Where you are signed in:</b> Settings → Devices → “Sign in another device”.
      </p>
      <CopyText
        label={`On the computer that has them, run this${
          command.startsWith('npm ') ? ' in the folder of Memory Gateway' : ''
        } and open what it prints:`}
        text={`${command} sign-in${port && ` --port ${port}`} ${database_option}`.trim()}
      />
    </section>
  );
}

interface PasswordProps extends WayProps {
  readonly asksName: boolean;
}

function ByPassword({ isShort, signing, enter, asksName }: PasswordProps) {
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
