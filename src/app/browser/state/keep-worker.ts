// Registers the service worker, which shows a page of ours if the app is opened without a connection.

import { APP } from './base.ts';

/** The part of Trusted Types that is used. Browsers that lack it take any text. */
interface TrustedTypes {
  readonly createPolicy: (
    name: string,
    rules: { readonly createScriptURL: () => string },
  ) => { readonly createScriptURL: (url: string) => string };
}

/** Later than what a first screen loads. */
const AFTER_MS = 3000;

/** Registers the worker after a while. Browsers have none at an address without TLS, except on their own machine. */
export function keepWorker(): void {
  setTimeout(async () => {
    try {
      const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };
      const url = new URL('worker.js', APP).href;
      // It makes this address and no other, so no fault of a page can choose a script by it.
      const policy = trustedTypes?.createPolicy('worker', { createScriptURL: () => url });
      const { serviceWorker } = navigator as Partial<Navigator>;
      await serviceWorker?.register(policy?.createScriptURL('') ?? url);
    } catch {
      // Then a page that is opened without a connection is the browser's own.
    }
  }, AFTER_MS);
}
