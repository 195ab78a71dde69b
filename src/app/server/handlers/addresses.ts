// The handler of the addresses for other devices: tries each from here, so that nobody scans a code that leads nowhere.

import { BlockList, isIP } from 'node:net';

import { isLoopback } from '../../../lib/loopback.ts';
import { once } from '../../../lib/once.ts';
import type { GroupOf } from '../call.ts';

/** How long an address may take to answer. */
const PATIENCE_MS = 2000;

/** The addresses that Tailscale gives its devices. Made later, because the snapshot of the executable cannot hold it. */
const tailscale = once(() => {
  const list = new BlockList();
  list.addSubnet('100.64.0.0', 10, 'ipv4');
  list.addSubnet('fd7a:115c:a1e0::', 48, 'ipv6');
  return list;
});

/** The handlers of the addresses. */
export const addressHandlers: GroupOf<'addresses'> = {
  list: async ({ app }) => {
    const others = (app.addresses?.() ?? []).filter((at) => !isLoopback(new URL(at).hostname));
    const tried = others.map(async (at) => ({
      url: `${at}/app/`,
      by: byOf(new URL(at)),
      answers: await hasAnswered(at),
    }));
    return { output: await Promise.all(tried) };
  },
};

function byOf({ protocol, hostname }: URL): 'tailscale' | 'network' | 'base-url' {
  if (protocol === 'https:') return 'base-url';
  const ip = hostname.replace(/^\[|\]$/g, '');
  const isOfTailscale = isIP(ip) !== 0 && tailscale().check(ip, ip.includes(':') ? 'ipv6' : 'ipv4');
  return isOfTailscale ? 'tailscale' : 'network';
}

async function hasAnswered(at: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const response = await fetch(`${at}/healthz`, { signal, redirect: 'error' });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
