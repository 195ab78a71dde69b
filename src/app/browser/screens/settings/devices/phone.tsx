// Settings → Phone: the addresses of this machine that other devices can reach, and the ways to have one with https.

import type { InferOutput } from 'valibot';

import type { DeviceAddress } from '../../../../contract/records.ts';
import { Awaited } from '../../../parts/notice.tsx';
import { APP, isOnThisMachine } from '../../../state/base.ts';
import { useResource } from '../../../state/resource.ts';
import { app } from '../../../state/session.ts';
import { SettingsScreen } from '../settings.tsx';
import { AnotherDevice } from './another-device.tsx';

type Address = InferOutput<typeof DeviceAddress>;

const BY: Readonly<Record<Address['by'], string>> = {
  'base-url': 'with TLS',
  tailscale: 'for your devices in Tailscale, encrypted by it',
  network: 'in this network, not encrypted: others in it can read along',
};

/** The screen of the addresses for a phone. */
export function PhoneScreen() {
  const loaded = useResource('addresses', app.addresses.list);
  const { data } = loaded;
  const port = APP.port || '8787';
  return (
    <SettingsScreen title="On your phone" isReady={data !== undefined}>
      <p class="note">
        The addresses of this machine for other devices. The gateway has just tried each.
      </p>
      <Awaited {...loaded} rows={2} />
      {data !== undefined && <Addresses addresses={withCurrent(data)} />}
      <section>
        <h2>Tailscale</h2>
        <p>
          Private to your own devices, with https, so that passkeys and “Add to Home Screen” work.
          Install it here and on the phone, then:
        </p>
        <pre>{`tailscale up\ntailscale serve --bg ${port}\ntailscale serve status`}</pre>
        <p>Open the address that it prints on the phone, with /app/ at its end.</p>
      </section>
      <section>
        <h2>Caddy with its own authority</h2>
        <p>
          For https in your network without a domain. Put this into a Caddyfile and start Caddy on
          this machine. Then install its root certificate on the phone.
        </p>
        <pre>{`https://NAME.local {\n  tls internal\n  reverse_proxy 127.0.0.1:${port}\n}`}</pre>
      </section>
      <section>
        <h2>Your network without encryption</h2>
        <p>
          <code translate={false}>memory-gateway start --lan</code> lets every device in your
          network reach the gateway. Others in it can read your memories along, and the links that
          sign in. Use it at home only.
        </p>
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
    return <p>None: the gateway listens on this computer only. Choose one of the ways below.</p>;
  return (
    <ul class="items">
      {addresses.map(({ url, by, answers }) => (
        <li key={url}>
          <div>
            <b translate={false}>{url}</b>
            <p class="note">
              {BY[by]}
              {!answers && '. It does not answer: a firewall or a proxy may be in the way.'}
            </p>
          </div>
          {answers && <AnotherDevice page={`${url}sign-in`}>Show the code</AnotherDevice>}
        </li>
      ))}
    </ul>
  );
}
