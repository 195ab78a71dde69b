// The session: who is signed in, the two clients, and what happens when the session has ended.

import { signal } from '@preact/signals';
import type * as v from 'valibot';

import { Failure } from '../../../contract/failure.ts';
import { OWNER } from '../../../text/speaker.ts';
import type { Me } from '../../contract/records.ts';
import { createAppClient, createReads, noResponse } from './app-client.ts';
import { appAddressOf, GATEWAY } from './base.ts';
import { sendWithSession } from './connection.ts';
import { recall, recallInTab, remember, rememberInTab } from './storage.ts';

/** What the gateway says about the account and itself. */
export type SignedInAccount = v.InferOutput<typeof Me>;

/** The signed-in account. `null`: nobody is signed in. `undefined`: not known yet. */
export const me = signal<SignedInAccount | null>();

/** Whether an account is signed in. */
export function isSignedIn(
  account: SignedInAccount | null | undefined,
): account is SignedInAccount {
  return account !== null && account !== undefined;
}

/** Returns a command for the database as people type it on the machine of the gateway. */
export function ownCommand(words: string): string {
  const { command, database_option } = me.value?.ways ?? {};
  return `${command} ${words} ${database_option}`.trim();
}

/** Whether the reader wants to sign out. */
export const isLeaving = signal(false);

/** Why nothing is known about the session, if the gateway gave an error. */
export const meFailure = signal<Failure>();

/** Whether a session has ended while the app was open, so that signing in leads back. */
export const hasEnded = signal(false);

/** Returns what the browser has cached. Rejects if it has nothing, or a failure: what was in the bin may be back. */
export async function fetchCached(what: Request | string): Promise<Response> {
  const response = await fetch(what, { cache: 'only-if-cached', mode: 'same-origin' });
  return response.ok ? response : noResponse(response);
}

/**
 * Sends a request, and notes if the session has ended. Without a connection, the response is what the browser has cached of an
 * earlier one. Those of the account vary by the cookie, so no session gets what another has read. Rejects as `fetch` does.
 */
export async function sendInSession(request: Request): Promise<Response> {
  const response = await sendWithSession(request).catch((error: unknown) => {
    if (!may('offline')) throw error;
    // What changes something has no body left, so it fails again.
    return fetchCached(request);
  });
  if (response.status === 401 && !/\/(sessions|look|claims)$/.test(new URL(request.url).pathname)) {
    hasEnded.value ||= isSignedIn(me.value);
    me.value = null;
    remember('rights', '');
    rememberInTab('name', '');
    rememberInTab('hues', '');
  }
  return response;
}

/** Reads memories, with the session instead of a key. */
export const api = createReads(GATEWAY, sendInSession);

/** Calls the app's own endpoints. */
export const app = createAppClient(GATEWAY, sendInSession);

/** Loads a data file of the app, which belongs to no account. Rejects with `Failure`. */
export function loadFile(name: string): Promise<Response> {
  return fetch(appAddressOf(name)).catch(noResponse);
}

let shownAccount: string | undefined;

/** Whether somebody has signed in with this browser, and may still be. */
export function hasBeenSignedIn(): boolean {
  return recall('account') !== undefined;
}

/** Returns the id of the account that is shown. Until the gateway has answered, it is the one that was signed in last. */
export function shownAccountId(): string {
  return (shownAccount ??= recall('account')) ?? '';
}

/** Returns the name of the account. Until the gateway has answered, it is the one that this tab has shown. */
export function shownName(): string {
  return me.value?.account.name ?? recallInTab('name') ?? '';
}

/** Returns who has each of the colours. Until the gateway has answered, it is as this tab has shown it. */
export function hueOwners(): readonly string[] | undefined {
  return me.value?.hues ?? recallInTab('hues')?.split('\n');
}

/** Whether a name is that of the reader: the one of the account, or its first word. */
export function isOwnName(name: string): boolean {
  const own = shownName();
  return [OWNER, own, own.split(' ')[0]].includes(name);
}

/** What an account may do, so that the app shows it: import, change memories, bring them back from the bin, share them, and read without a connection. */
type Right = 'import' | 'change' | 'bin' | 'share' | 'offline';

/** Whether the account may do something. Until the gateway has answered, it may do what it could the last time. */
export function may(right: Right): boolean {
  return (me.value ? rightsOf(me.value) : (recall('rights') ?? '')).includes(right);
}

function rightsOf({ can_import, bin_days, can_share, session }: SignedInAccount): string {
  return `${can_import && 'import'} ${bin_days !== null && 'change'} ${bin_days && 'bin'} ${can_share && 'share'} ${session && 'offline'}`;
}

/** Asks again who is signed in when another tab signs in, and when the reader comes back to this one. */
export function watchAccount(): void {
  addEventListener('storage', ({ key }) => {
    // Other changes in the storage are about reading, and do not matter to this tab.
    if (key === null || key.endsWith('.account')) void loadMe();
  });
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void loadMe();
  });
}

/** Asks who is signed in. */
export async function loadMe(): Promise<void> {
  try {
    const found = await app.me.get();
    // Nothing of one account stays in the memory of a page that shows another.
    if (shownAccount !== undefined && shownAccount !== found.account.id) {
      location.reload();
      return;
    }
    shownAccount = found.account.id;
    remember('rights', rightsOf(found));
    remember('account', shownAccount); // other tabs notice
    rememberInTab('name', found.account.name);
    rememberInTab('hues', found.hues.join('\n'));
    me.value = found;
    meFailure.value = undefined;
    hasEnded.value = false;
  } catch (error) {
    if (me.value !== null) meFailure.value = toFailure(error);
  }
}

/** Returns the failure of a call. Anything else is a mistake in the app and is thrown. */
export function toFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  throw error;
}
