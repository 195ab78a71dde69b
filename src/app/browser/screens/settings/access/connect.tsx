// Connect: a tile for each assistant and program, which makes a key of its own and shows what to paste.

import { useRef, useState } from 'preact/hooks';

import { newestKey, type Setup } from '../../../parts/api-keys.ts';
import { CopyText } from '../../../parts/controls/copy.tsx';
import { Question } from '../../../parts/controls/dialog.tsx';
import { Link } from '../../../parts/link.tsx';
import { Awaited } from '../../../parts/notice.tsx';
import { EVERYTHING, ScopeChoice, scopeText, toScope } from '../../../parts/scope.tsx';
import { isSecure } from '../../../state/base.ts';
import { useResource } from '../../../state/resource.ts';
import { app, me, ownCommand } from '../../../state/session.ts';
import { portOption } from '../../sign-in/sign-in-command.tsx';
import { AccountPage } from '../settings.tsx';
import { lastUseOf } from './grants.tsx';
import { justRead, readsOf, useLooks } from './just-read.ts';

/** The screen of the clients. */
export function ConnectScreen() {
  const loaded = useResource('agents', app.agents.list);
  const { data: setups } = loaded;
  const { data: keys = [], reload } = useResource('keys', app.keys.list);
  const [chosen, setChosen] = useState<Setup>();
  /** Says whether a client has a key that works, by the label that this page gives it, and when one was last used. */
  const stateOf = ({ client }: Setup) => {
    const own = keys.filter(({ label, state }) => label === client && state === 'active');
    const used = own.find(({ last_used_at }) => last_used_at !== null) ?? own[0];
    return used && `${used.last_used_at === null ? 'key made' : 'connected'}, ${lastUseOf(used)}`;
  };
  const tiles = (kind: Setup['kind']) => (
    <ul class="tiles">
      {setups
        ?.filter((setup) => setup.kind === kind)
        .map((setup) => ({ setup, own: stateOf(setup) }))
        .map(({ setup, own }) => (
          <li key={setup.client}>
            <button
              type="button"
              disabled={me.value?.can_write === false}
              onClick={() => setChosen(setup)}
            >
              {setup.client}
              {own && (
                <>
                  <br />
                  <span class="note">{own}</span>
                </>
              )}
            </button>
          </li>
        ))}
    </ul>
  );
  return (
    <AccountPage title="Connect" loaded={[loaded]}>
      <p class="note">
        Let an assistant or a program read your memories. Each gets a key of its own, which you can
        revoke alone. None can change anything.
      </p>
      <Awaited {...loaded} />
      {setups && (
        <>
          <section>
            <h2>Assistants</h2>
            {matchMedia('(hover: none), (width < 40rem)').matches && (
              <p>These run on a computer: open this page there.</p>
            )}
            {tiles('assistant')}
          </section>
          <section>
            <h2>Assistants on the internet</h2>
            <Connectors />
          </section>
          <section>
            <h2>Programs</h2>
            {tiles('program')}
          </section>
        </>
      )}
      {chosen !== undefined && newestKey.value === undefined && (
        <NewClient
          setup={chosen}
          state={stateOf(chosen)}
          onClose={() => {
            setChosen(undefined);
            reload();
          }}
        />
      )}
    </AccountPage>
  );
}

interface NewClientProps {
  readonly setup: Setup;
  /** What is known of its keys before. Undefined: it has none. */
  readonly state: string | undefined;
  readonly onClose: () => void;
}

/** Asks what a client may read, makes its key, and shows what to paste. */
function NewClient({ setup, state, onClose }: NewClientProps) {
  const [scope, setScope] = useState({ ...EVERYTHING, reads: setup.reads });
  const create = async () => {
    const chosen = { label: setup.client, expires_at: null, ...toScope(scope) };
    newestKey.value = { made: await app.keys.create(chosen), setup, onClose };
    return false; // its key is shown
  };
  return (
    <Question
      title={`Connect ${setup.client}`}
      action="Make a key"
      onAction={create}
      onClose={onClose}
    >
      <p>
        It gets a key of its own, which may read{' '}
        {scope.days === 'every' ? scopeText(toScope(scope)) : 'some days'}. The key works until you
        revoke it under Settings, API access.
      </p>
      <details>
        <summary>Choose what it may read</summary>
        <div class="plain-list">
          <ScopeChoice scope={scope} onChange={setScope} />
        </div>
      </details>
      {state && (
        <p>
          It has a key already: {state}. Both will work.{' '}
          <Link to="settings/access">See all keys</Link>
        </p>
      )}
    </Question>
  );
}

/** The address for clients that ask the owner in the browser, or what the gateway needs for them. */
function Connectors() {
  const url = me.value?.connect_url;
  if (typeof url === 'string' && isSecure)
    return (
      <>
        <CopyText label="Address for claude.ai and ChatGPT" text={url} />
        <p class="note">
          Add a custom connector there with this address. Your browser then opens this app and asks
          what it may read.
        </p>
        <Connected />
      </>
    );
  return (
    <>
      <p class="note">
        claude.ai and ChatGPT call your gateway from the internet. It needs a public https address
        for that. Start it with yours:
      </p>
      <CopyText
        label="Command"
        text={ownCommand(`serve ${portOption()} --connect --base-url https://ADDRESS`)}
        isLong
      />
    </>
  );
}

/** Who is connected, and what each has read since the page was opened. */
function Connected() {
  const [lines, setLines] = useState<readonly string[]>([]);
  const before = useRef<ReadonlyMap<string, string>>(undefined);
  useLooks(async () => {
    const clients = await Promise.all(
      (await app.grants.list()).map(async (grant) => ({
        ...grant,
        reads: await readsOf(grant, app.grants.reads),
      })),
    );
    before.current ??= new Map(clients.map(({ id, reads }) => [id, reads[0]?.last_at ?? '']));
    const known = before.current;
    const said = clients.map((grant) => {
      const { id, client, last_used_at } = grant;
      const reads = grant.reads.filter(({ last_at }) => last_at > (known.get(id) ?? ''));
      return reads.length === 0 && last_used_at !== null
        ? `✓ ${client} is connected, ${lastUseOf(grant)}.`
        : justRead(client, reads);
    });
    setLines([...new Set(said)]);
  });
  return (
    <p role="status" class={lines.length > 0 ? 'check works' : 'check'}>
      {lines.length > 0 ? lines.join(' ') : 'Waiting for claude.ai or ChatGPT…'}
    </p>
  );
}
