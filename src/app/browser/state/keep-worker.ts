// Registers the service worker, which opens the app without a connection, from what the browser has cached.

import { APP } from './base.ts';
import { me } from './session.ts';

/** The part of Trusted Types that is used. Browsers that lack it take any text. */
interface TrustedTypes {
  readonly createPolicy: (
    name: string,
    rules: { readonly createScriptURL: () => string },
  ) => { readonly createScriptURL: (url: string) => string };
}

/** Registers the worker as soon as somebody is signed in. Browsers have none at an address without TLS, except on their own machine. */
export function keepWorker(): void {
  let isKept = false;
  me.subscribe(async (known) => {
    if (!known || isKept) return;
    isKept = true;
    try {
      const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };
      const url = new URL('worker.js', APP).href;
      // It makes this address and no other, so no fault of a page can choose a script by it.
      const policy = trustedTypes?.createPolicy('worker', { createScriptURL: () => url });
      const { serviceWorker } = navigator as Partial<Navigator>;
      await serviceWorker?.register(policy?.createScriptURL('') ?? url);
      // The worker opens any address with this page, which varies by the cookie as all that it shows. It is cached once it is read.
      await (await fetch(APP)).text();
    } catch {
      // Then a page that is opened without a connection is the browser's own.
    }
  });
}
