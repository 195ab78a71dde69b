// Sends one HTTP request and reads the whole response.

import type { CallInput } from '../contract/create-methods.ts';
import { toParameterText, toParameterTexts } from '../contract/endpoints.ts';
import { Failure } from '../contract/failure.ts';
import type { Target } from '../contract/targets.ts';
import type { ClientSettings } from './options.ts';

/** A response with its whole body. */
export interface ReceivedResponse {
  readonly response: Response;
  /** The body, unless it is a file. */
  readonly text: string;
  readonly file?: Uint8Array;
}

interface Attempt {
  readonly url: string;
  readonly etag: string | undefined;
  readonly isFile: boolean | undefined;
  readonly signal: AbortSignal;
}

/** Sends a request. Throws the `Failure` of a hook. Returns a network failure instead of throwing it, because a retry can succeed. */
export async function sendRequest(
  { apiKey, fetch, headers: own, hook }: ClientSettings,
  { url, etag, isFile, signal }: Attempt,
): Promise<ReceivedResponse | Failure> {
  const headers = new Headers(own);
  headers.set('authorization', `Bearer ${await apiKey()}`);
  if (etag) headers.set('if-none-match', etag);
  signal.throwIfAborted(); // fetching the key can take long
  // Redirects are not followed, so that the key goes to the gateway only.
  const request = new Request(url, { headers, redirect: 'manual', signal });
  await hook('onRequest', request);
  signal.throwIfAborted();
  let detail = `No gateway at ${new URL(url).origin}. Check baseUrl.`;
  try {
    const response = await fetch(request);
    await hook('onResponse', response, request);
    detail = 'The response broke off. Try again.';
    return isFile && response.ok
      ? { response, text: '', file: new Uint8Array(await response.arrayBuffer()) }
      : { response, text: await response.text() };
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    return new Failure(0, detail, { reason: 'network', cause });
  }
}

/** Returns the path and query of a call. Invalid values are sent too, so that the gateway can say what is wrong. */
export function requestTarget(route: Target, input: CallInput): string {
  const { path, rest } = fillPath(route, input);
  const texts = Object.entries(rest).flatMap(([name, value]) =>
    toParameterTexts(name, value).map((text) => [name, text]),
  );
  const query = new URLSearchParams(texts).toString();
  return query === '' ? path : `${path}?${query}`;
}

/** Fills in the path of a call. Returns it, and the inputs that are not in it. */
export function fillPath({ path }: Target, input: CallInput) {
  const rest = { ...input };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const text = toParameterText(rest[name]);
    delete rest[name];
    // "", "." and ".." would change the path. A space is just as invalid, and changes nothing.
    return encodeURIComponent(/^\.{0,2}$/.test(text) ? ' ' : text);
  });
  return { path: filled, rest };
}
