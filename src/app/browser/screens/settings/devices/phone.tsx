// Settings → Phone: the addresses of this machine that other devices can reach, and the ways to have one with https.

import { useState } from 'preact/hooks';
import type { InferOutput } from 'valibot';

import { shellWord } from '../../../../../lib/shell.ts';
import type { DeviceAddress } from '../../../../contract/records.ts';
import { useAction } from '../../../parts/controls/action.ts';
import { CopyText } from '../../../parts/controls/copy.tsx';
import { Awaited } from '../../../parts/notice.tsx';
import { APP, isOnThisMachine } from '../../../state/base.ts';
import { tellFailure } from '../../../state/changes/undo.ts';
import { useResource } from '../../../state/resource.ts';
import { app, me, ownCommand } from '../../../state/session.ts';
import { portOption } from '../../sign-in/sign-in-command.tsx';
import { SettingsScreen } from '../settings.tsx';
import { AnotherDevice } from './another-device.tsx';

type Address = InferOutput<typeof DeviceAddress>;

const BY: Readonly<Record<Address['by'], string>> = {
  'base-url': 'with TLS',
  tailscale: 'for your devices in Tailscale, encrypted',
  network: 'in this network, not encrypted: others can read along',
};

/** The screen of the addresses for a phone. */
export function PhoneScreen() {
  const loaded = useResource('addresses', app.addresses.list);
  const { data, replace } = loaded;
  const looking = useAction(tellFailure);
  const [said, setSaid] = useState('');
  const look = () =>
    looking.run(async () => {
      setSaid('');
      const found = await app.addresses.list();
      const isSame = JSON.stringify(found) === JSON.stringify(data);
      setSaid(isSame ? 'Nothing new yet.' : 'The addresses above have changed.');
      replace(found);
    });
  const ways = <Ways onLook={look} said={said} />;
  const isThere = !isOnThisMachine() && matchMedia('(pointer: coarse)').matches;
  return (
    <SettingsScreen title="Phone" loaded={[loaded]}>
      {isThere && <p>You are reading on it already. For another device, choose its address:</p>}
      <Awaited {...loaded} />
      {data && <Addresses addresses={withCurrent(data)} />}
      {isThere ? (
        <details>
          <summary>Other ways</summary>
          {ways}
        </details>
      ) : (
        ways
      )}
    </SettingsScreen>
  );
}

interface WaysProps {
  readonly onLook: () => Promise<void>;
  /** What the last look has found. */
  readonly said: string;
}

/** The ways to an address that other devices can reach. */
function Ways({ onLook, said }: WaysProps) {
  const port = APP.port || '8787';
  // Where the browser is on another machine, its owner knows the folder.
  const folder = shellWord(me.value?.kept?.path.replace(/[/\\][^/\\]+$/, '') ?? 'FOLDER');
  const again = me.value?.start_command
    ? ownCommand(`demo --host 0.0.0.0 ${portOption()}`)
    : `${me.value?.ways.command} start ${folder} --lan ${portOption()}`;
  return (
    <>
      <section>
        <h2>Tailscale</h2>
        <p>
          For your own devices, with https, so that passkeys and “Add to Home Screen” work. Install
          it on this computer and on the phone, sign in to it on both, then run here:
        </p>
        <CopyText label="Command" text={`tailscale serve --bg ${port}`} isLong />
        <p>
          Open the https address that it prints, with /app/ at its end. There this page has a code
          that signs your phone in.
        </p>
      </section>
      <section>
        <h2>Your network without encryption</h2>
        <p>
          Others in your network can read along, so do it at home only. Stop the gateway, and start
          it like this:
        </p>
        <CopyText label="Command" text={again.trim()} isLong />
        <p class="actions">
          Then this page has the address, and a code that signs your phone in.
          <button type="button" onClick={onLook}>
            Look again
          </button>
          <span role="status">{said}</span>
        </p>
      </section>
    </>
  );
}

/** Adds the address of this page, which a proxy may have given it: another device can open it as well. */
function withCurrent(addresses: readonly Address[]): readonly Address[] {
  if (isOnThisMachine() || addresses.some(({ url }) => url === APP.href)) return addresses;
  const by = APP.protocol === 'https:' ? 'base-url' : 'network';
  return [{ url: APP.href, by, answers: true }, ...addresses];
}

function Addresses({ addresses }: { readonly addresses: readonly Address[] }) {
  if (addresses.length === 0)
    return (
      <p>Only this computer reaches your memories. To open them on your phone, choose a way:</p>
    );
  return (
    <ul class="items">
      {addresses.map(({ url, by, answers }) => (
        <li key={url}>
          <div>
            <b translate={false}>{url}</b>
            <p class="note">
              {BY[by]}
              {!answers && '. It does not answer: a firewall may be in the way.'}
            </p>
          </div>
          {answers && <AnotherDevice page={`${url}sign-in`}>Show the code</AnotherDevice>}
        </li>
      ))}
    </ul>
  );
}
