// The owner's page: who asks, where the answer goes, what the client may read and for how long, and the decision.

import { useEffect, useState } from 'preact/hooks';
import type { InferOutput } from 'valibot';

import type { AskingClient } from '../../records.ts';
import { useAction } from '../parts/action.ts';
import { FailureNotice, Loading, Notice } from '../parts/notice.tsx';
import { addressOf } from '../state/base.ts';
import { comebacks } from '../state/connection.ts';
import { useResource } from '../state/resource.ts';
import { app, isSignedIn, loadMe, me, meFailure, type Account } from '../state/session.ts';
import { APP_NAME, CONSENT } from '../texts.ts';
import { Choice, toInput, useChoice } from './choice.tsx';

type Asking = InferOutput<typeof AskingClient>;
type Client = NonNullable<Asking['client']>;

/** What the client asks for. It stays in the address, so a reload shows the same. */
const query = location.search.slice(1);

/** The page. Somebody who is not signed in comes back after the sign-in. */
export function ConsentPage() {
  useEffect(() => {
    if (me.value === undefined) void loadMe();
  }, [comebacks.value]);
  useEffect(() => {
    if (me.value === null) location.replace(`${addressOf('sign-in')}?${query}`);
  }, [me.value]);
  useEffect(() => {
    document.title = `${CONSENT.title} – ${APP_NAME}`;
  }, []);
  return (
    <main class="sign-in consent">
      <p class="brand">{APP_NAME}</p>
      <FailureNotice failure={meFailure.value} onRetry={loadMe} />
      {isSignedIn(me.value) ? <Asked account={me.value.account} /> : <h1>{CONSENT.title}</h1>}
    </main>
  );
}

const look = async () => app.consents.look({ query });

function Asked({ account }: { readonly account: Account['account'] }) {
  const { data, failure, reload } = useResource('consent', look);
  if (data === undefined)
    return (
      <>
        <h1>{CONSENT.title}</h1>
        {failure === undefined && <Loading rows={3} />}
        <FailureNotice failure={failure} onRetry={reload} />
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
      <h1>{CONSENT.faulty}</h1>
      <p class="notice failure" role="alert">
        {problem}
      </p>
      <p>{CONSENT.startAgain}</p>
      {back !== null && (
        <p class="actions">
          <button type="button" onClick={() => location.assign(back)}>
            {CONSENT.back(new URL(back).host)}
          </button>
        </p>
      )}
    </>
  );
}

interface DecisionProps {
  readonly client: Client;
  readonly account: Account['account'];
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
  const facts = [
    [CONSENT.account, account.name],
    [CONSENT.redirect, client.redirect],
    ...(client.is_verified ? [[CONSENT.document, client.id]] : []),
  ];
  if (isSent)
    return (
      <>
        <h1>{CONSENT.decided}</h1>
        <p>{CONSENT.close(client.redirect)}</p>
      </>
    );
  return (
    <form onSubmit={allow}>
      <h1>{CONSENT.asks(client.name)}</h1>
      <dl class="facts">
        {facts.map(([term, value]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {client.is_local && <Notice>{CONSENT.local}</Notice>}
      {!client.is_local && (
        <Notice>
          {client.is_verified ? CONSENT.verified(client.redirect) : CONSENT.unverified}
        </Notice>
      )}
      <Choice choice={choice} onChange={setChoice} />
      <FailureNotice failure={deciding.failure} />
      <p class="actions">
        <button class="primary" disabled={deciding.isBusy}>
          {CONSENT.allow}
        </button>
        <button
          type="button"
          disabled={deciding.isBusy}
          onClick={() => decide(async () => app.consents.deny({ query }))}
        >
          {CONSENT.deny}
        </button>
      </p>
      <p class="note">{CONSENT.revocable}</p>
    </form>
  );
}
