// The first visit: whoever has the link of the terminal names the account, is signed in, and sees where to begin.

import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { useAction } from '../../parts/controls/action.ts';
import { CopyText } from '../../parts/controls/copy.tsx';
import { LabelInput } from '../../parts/controls/fields.tsx';
import { ConnectionBar } from '../../parts/frame.tsx';
import { Link } from '../../parts/link.tsx';
import { Awaited, FailureNotice, Notice } from '../../parts/notice.tsx';
import { useResource } from '../../state/resource.ts';
import { go, useArrival } from '../../state/router.ts';
import { claimSecret } from '../../state/secret.ts';
import { app, isSignedIn, loadMe, may, me, ownCommand } from '../../state/session.ts';
import { bringSamples, current, importFailure } from '../import/bring-in.ts';
import { DropZone } from '../import/drop-zone.tsx';
import { AccountPage, ReadOnlyScreen } from '../settings/settings.tsx';
import { isRefused } from '../sign-in/sign-in.tsx';

/** The screen of the link that `start` prints while there is no account. */
export function ClaimScreen() {
  const secret = claimSecret.value ?? '';
  const looked = useResource('claim', async () => app.claims.look({ secret }));
  const isBad = isRefused(looked.failure);
  useEffect(() => {
    if (isBad) void loadMe(); // this browser may be signed in all the same
  }, [isBad]);
  useArrival(isBad || looked.data !== undefined, 'Start', focusName);
  return (
    <main class="sign-in">
      <ConnectionBar />
      <p class="brand">Memory Gateway</p>
      <h1 tabIndex={-1}>{isBad ? 'This link does not work' : 'Welcome'}</h1>
      {isBad ? <Refused /> : <Awaited {...looked} />}
      {looked.data !== undefined && <NameForm secret={secret} />}
    </main>
  );
}

/** Nothing else is asked for here. */
function focusName(): HTMLElement | boolean {
  return document.querySelector('input') ?? false;
}

function Refused() {
  return (
    <>
      <Notice>
        It was used already, or the gateway was started again. Open the link that it printed last.
      </Notice>
      <p class="actions">
        <button type="button" onClick={leave}>
          {isSignedIn(me.value) ? `Go on as ${me.value.account.name}` : 'Sign in'}
        </button>
      </p>
    </>
  );
}

function leave(): void {
  go(isSignedIn(me.value) ? '' : 'sign-in', 'replace');
  claimSecret.value = undefined;
  if (me.value === undefined) void loadMe();
}

function NameForm({ secret }: { readonly secret: string }) {
  const [name, setName] = useState('');
  const starting = useAction();
  const submit = (event: Event) => {
    event.preventDefault();
    void starting.run(async () => {
      const link = await app.claims.create({ secret, name: name.trim() });
      await app.sessions.create({ way: 'link', secret: link.secret });
      await loadMe();
      claimSecret.value = undefined;
    });
  };
  return (
    <form onSubmit={submit}>
      <p>Read, search and ask your recorded conversations. They stay on your own machine.</p>
      <LabelInput label="Your name" value={name} onValue={setName} />
      <FailureNotice failure={starting.failure} isSignIn />
      <p class="actions">
        <button class="primary" disabled={starting.isBusy}>
          Start
        </button>
      </p>
    </form>
  );
}

/** The page that a new account begins at. */
export function SetupScreen() {
  if (me.value?.can_import !== true) return <ReadOnlyScreen title="Welcome" />;
  return (
    <AccountPage title="Welcome">
      <Beginnings />
    </AccountPage>
  );
}

/** What to bring in, and what to connect. It is also the home of an account without memories. */
export function Beginnings() {
  if (!may('import')) return <Elsewhere />;
  const isRunning = current.value?.state.endsWith('ing');
  return (
    <div class="settings">
      <FailureNotice failure={importFailure.value} />
      <DropZone />
      <p>
        <Link to="import">How to get an export</Link>
      </p>
      <ul class="cards">
        <Beginning to="" title="See sample memories" onGo={() => void bringSamples()}>
          {isRunning
            ? 'Importing…'
            : 'A small company, to look around in. You can remove it with one click.'}
        </Beginning>
        <Beginning to="settings/sources" title="Add a source">
          New recordings come in by themselves.
        </Beginning>
        <Beginning to="connect" title="Connect an assistant">
          Such as Claude or ChatGPT.
        </Beginning>
      </ul>
      {me.value?.fresh_until && !me.value.has_password && (
        <p class="note">
          To sign in without a link next time,{' '}
          <Link to="settings/devices">set a password or passkey</Link>.
        </p>
      )}
    </div>
  );
}

/** The home of an account that imports where the gateway runs, and has no memories. */
function Elsewhere() {
  const account = me.value?.account.id ?? '';
  return (
    <div class="empty">
      <p class="lead">No memories yet</p>
      <p>Import some where the gateway runs:</p>
      <CopyText label="Command" text={ownCommand(`import --account ${account} FOLDER`)} />
    </div>
  );
}

interface BeginningProps {
  readonly to: string;
  readonly title: string;
  readonly onGo?: () => void;
  readonly children: ComponentChildren;
}

function Beginning({ title, children, ...link }: BeginningProps) {
  return (
    <li class="card">
      <div>
        <Link {...link} class="title">
          {title}
        </Link>
        <p class="note">{children}</p>
      </div>
    </li>
  );
}
