// Settings → Phone: the addresses of this machine that other devices can reach, and the ways to have one with https.

import type { InferOutput } from 'valibot';

import { shellWord } from '../../../../../lib/shell.ts';
import type { DeviceAddress } from '../../../../contract/records.ts';
import { CopyText } from '../../../parts/controls/copy.tsx';
import { Awaited } from '../../../parts/notice.tsx';
import { APP, isOnThisMachine } from '../../../state/base.ts';
import { useResource } from '../../../state/resource.ts';
import { app, me } from '../../../state/session.ts';
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
  const { data } = loaded;
  const port = APP.port || '8787';
  // Where the browser is on another machine, its owner knows the folder.
  const folder = shellWord(me.value?.kept?.path.replace(/[/\\][^/\\]+$/, '') ?? 'FOLDER');
  return (
    <SettingsScreen title="On your phone" isReady={data !== undefined}>
      <Awaited {...loaded} rows={2} />
      {data !== undefined && <Addresses addresses={withCurrent(data)} />}
      <section>
        <h2>Tailscale</h2>
        <p>
          For your own devices, with https, so that passkeys and “Add to Home Screen” work. Install
          it here and on the phone, then run:
        </p>
        <CopyText
          label="Commands"
          text={`tailscale up\ntailscale serve --bg ${port}\ntailscale serve status`}
          isLong
        />
        <p>On the phone, open the address that it prints, with /app/ at its end.</p>
      </section>
      <section>
        <h2>Your network without encryption</h2>
        <p>
          Others in your network can read along, so do it at home only. Stop the gateway, and start
          it like this:
        </p>
        <CopyText label="Command" text={`${me.value?.ways.command} start ${folder} --lan`} isLong />
      </section>
    </SettingsScreen>
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
    return <p>Only this computer reaches the gateway. To open it on your phone, choose a way:</p>;
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
