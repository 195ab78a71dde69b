// The secret of a sign-in link, or of the first visit: taken out of the address before anything else happens, and held in memory only.

import { signal } from '@preact/signals';

/** The secret of the link that was opened, until it is used or refused. */
export const secret = signal<string>();

/** The secret of the first visit, until it is used. */
export const claimSecret = signal<string>();

/** Whether the link that was opened does not work. */
export const isRefusedLink = signal(false);

/**
 * Takes a secret out of the fragment of the page for signing in, for starting or for devices. The entry of the history is
 * replaced, so that neither the address bar nor Back shows it.
 */
function takeSecret(): void {
  const { pathname, hash } = location;
  const [, page] = /\/(sign-in|start|devices)$/.exec(pathname) ?? [];
  if (page === undefined || hash.length < 2) return;
  history.replaceState(null, '', pathname);
  isRefusedLink.value = false;
  (page === 'start' ? claimSecret : secret).value = hash.slice(1);
}

// When this module is loaded, which main.tsx does first.
takeSecret();

/** Takes the secrets of links that are opened in this tab later: they change the fragment alone. */
export function watchLinks(): void {
  addEventListener('hashchange', takeSecret);
}
