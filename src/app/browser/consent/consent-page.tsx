// The owner's page about an OAuth client: its name and redirect address, the scope and duration of its access, and the decision.

import { useEffect, useState } from 'preact/hooks';
import type { InferOutput } from 'valibot';

import type { AskingClient } from '../../contract/records.ts';
import { useAction } from '../parts/controls/action.ts';
import { FactList } from '../parts/facts.tsx';
import { Awaited, FailureNotice, Notice } from '../parts/notice.tsx';
import { appAddressOf, APP_NAME } from '../state/base.ts';
import { comebacks } from '../state/connection.ts';
import { useResource } from '../state/resource.ts';
import { app, isSignedIn, loadMe, me, meFailure, type SignedInAccount } from '../state/session.ts';
import { ConsentChoice, toInput, useChoice } from './choice.tsx';

type Asking = InferOutput<typeof AskingClient>;
type Client = NonNullable<Asking['client']>;

/** The client's request. It stays in the address, so a reload shows the same page. */
const query = location.search.slice(1);

/** The page. Somebody who is not signed in comes back after the sign-in. */
export function ConsentPage() {
  useEffect(() => {
    if (me.value === undefined) void loadMe();
  }, [comebacks.value]);
  useEffect(() => {
    if (me.value === null) location.replace(`${appAddressOf('sign-in')}?${query}`);
  }, [me.value]);
  useEffect(() => {
    document.title = `Connect a client – ${APP_NAME}`;
  }, []);
  return (
    <main class="sign-in consent">
      <p class="brand">{APP_NAME}</p>
      {isSignedIn(me.value) ? (
        <Asked account={me.value.account} />
      ) : (
        <>
          <FailureNotice failure={meFailure.value} onRetry={loadMe} />
          <h1>Connect a client</h1>
        </>
      )}
    </main>
  );
}

const look = async () => app.consents.look({ query });

function Asked({ account }: { readonly account: SignedInAccount['account'] }) {
  const asking = useResource('consent', look);
  const { data } = asking;
  if (data === undefined)
    return (
      <>
        <h1>Connect a client</h1>
        <Awaited {...asking} />
      </>
    );
  return data.client === null ? (
    <Faulty {...data} />
  ) : (
    <Decision client={data.client} account={account} />
  );
}

/** A request with a fault goes back only if the owner wants it, so that nobody is sent on by a link (RFC 9700 §4.11.2). */
function Faulty({ problem, back }: Asking) {
  return (
    <>
      <h1>This request has a fault</h1>
      <p class="notice failure" role="alert">
        {problem}
      </p>
      <p>
        Nothing was allowed. Start again at the client. If you see this page again, remove the
        connection there and add it once more.
      </p>
      {back !== null && (
        <p class="actions">
          <button type="button" onClick={() => location.assign(back)}>
            {/* The address of a program may have no host. */}
            Tell {new URL(back).host || 'the client'}
          </button>
        </p>
      )}
    </>
  );
}

interface DecisionProps {
  readonly client: Client;
  readonly account: SignedInAccount['account'];
}

function Decision({ client, account }: DecisionProps) {
  const [choice, setChoice] = useChoice(`${account.id} ${query}`);
  const [isSent, setSent] = useState(false);
  const deciding = useAction();
  const decide = (ask: () => Promise<{ readonly location: string }>) =>
    void deciding.run(async () => {
      const { location: next } = await ask();
      setSent(true);
      location.assign(next);
    });
  const allow = (event: Event) => {
    event.preventDefault();
    decide(async () => app.consents.allow({ query, account: account.id, ...toInput(choice) }));
  };
  const facts = {
    'Your account': account.name,
    'The answer goes to': client.redirect,
    ...(client.is_verified && { 'Described at': client.id }),
  };
  if (isSent)
    return (
      <>
        <h1>Done</h1>
        <p>Your browser goes back to {client.redirect}. You can close this page.</p>
      </>
    );
  return (
    <form onSubmit={allow}>
      <h1>“{client.name}” wants to read your memories</h1>
      <FactList facts={facts} />
      {client.is_local && (
        <Notice>
          The answer goes to a program on your own device. Allow it only if you have just started to
          connect this program.
        </Notice>
      )}
      {!client.is_local && (
        <Notice>
          {client.is_verified
            ? `Only ${client.redirect} has given this client its name. Deny if you do not know this address.`
            : 'Nobody has checked the name of this client. Go by the whole address above, and deny if you do not know it, or have not just started to connect this client.'}
        </Notice>
      )}
      <ConsentChoice choice={choice} onChange={setChoice} />
      <FailureNotice failure={deciding.failure} />
      <p class="actions">
        <button class="primary" disabled={deciding.isBusy}>
          Allow
        </button>
        <button
          type="button"
          disabled={deciding.isBusy}
          onClick={() => decide(async () => app.consents.deny({ query }))}
        >
          Deny
        </button>
      </p>
      <p class="note">
        It can change nothing. You can revoke it at any time under Settings → API access.
      </p>
    </form>
  );
}
