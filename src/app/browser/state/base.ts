// The addresses of the app, computed from the address of its own script, so that any prefix works.

import { isLoopback } from '../../../lib/loopback.ts';

/** The name of the app, as the window has it. */
export const APP_NAME = 'Memories';

/** The folder of the app, such as `https://host.example/prefix/app/`. The script is in it. */
export const APP = new URL('./', import.meta.url);

/** The address of the gateway without a slash at its end, such as `https://host.example/prefix`. */
export const GATEWAY = new URL('../', APP).href.replace(/\/$/, '');

/** Returns the address of a path below `/app/`, such as `m/ID`. */
export function appAddressOf(path: string): string {
  return APP.pathname + path;
}

/** Returns the part of an address below `/app/`. */
export function pathInApp(pathname: string): string {
  return pathname.startsWith(APP.pathname) ? pathname.slice(APP.pathname.length) : '';
}

/** Returns the address of the sign-in page. A link has its secret in the fragment, which browsers never send. */
export function signInPage(): string {
  return new URL('sign-in', APP).href;
}

/** Whether the address of the app works on this computer only. */
export function isOnThisMachine(): boolean {
  return isLoopback(APP.hostname);
}

/** Whether the browser treats this address as safe, so that it has passkeys and a clipboard. */
export const isSecure: boolean = isSecureContext;
