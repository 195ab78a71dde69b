// The connection: whether the gateway answers. Retries with growing pauses.

import { signal } from '@preact/signals';

import { noResponse } from './app-client.ts';
import { appAddressOf } from './base.ts';
import { takeEarly } from './early-responses.ts';

/** Whether the gateway does not answer now. */
export const isLost = signal(false);

/** Counts how often the connection came back. Whatever failed meanwhile is loaded again. */
export const comebacks = signal(0);

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;

let pauseMs = FIRST_PAUSE_MS;

/** The id of the latest request that failed in the gateway, to find it in its log. */
export const failedRequest = signal<string>();

/**
 * Sends a request with the session's cookie instead of a key. Notes whether the gateway answers.
 * Rejects as `fetch` does, or with a `Failure` if a proxy has no gateway.
 */
export async function sendWithSession(request: Request): Promise<Response> {
  let response;
  try {
    response = await (takeEarly(request) ?? fetch(request));
  } catch (error) {
    if (!request.signal.aborted) lose();
    throw error;
  }
  // A proxy without its gateway.
  if (response.status === 502 || response.status === 504) {
    lose();
    return noResponse(response);
  }
  found();
  if (response.status >= 500)
    failedRequest.value = response.headers.get('x-request-id') ?? undefined;
  return response;
}

function found(): void {
  pauseMs = FIRST_PAUSE_MS;
  if (!isLost.value) return;
  isLost.value = false;
  comebacks.value += 1;
}

function lose(): void {
  if (isLost.value) return;
  isLost.value = true;
  retryLater();
}

function retryLater(): void {
  setTimeout(async () => {
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    await retry();
    if (isLost.value) retryLater();
  }, pauseMs);
}

/** Asks whether the gateway answers. */
export async function retry(): Promise<void> {
  await sendWithSession(new Request(appAddressOf('v1/ways'))).catch(() => undefined); // noted
}

/** Asks at once when the computer goes offline, and when it is online again. */
export function watchConnection(): void {
  for (const change of ['offline', 'online']) addEventListener(change, () => void retry());
}
