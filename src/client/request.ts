// One attempt: a request out, and its answer read to the end, or the failure of the network.

import { Failure } from '../contract/failure.ts';
import type { Settings } from './options.ts';

/** An answer, read to its end. */
export interface Came {
  readonly response: Response;
  readonly text: string;
}

interface Asked {
  readonly url: string;
  readonly etag: string | undefined;
  readonly signal: AbortSignal;
}

/** Sends a request. Gives the failure of the network, which another attempt may mend. */
export async function send(
  { apiKey, fetch }: Settings,
  { url, etag, signal }: Asked,
): Promise<Came | Failure> {
  const headers = {
    authorization: `Bearer ${await apiKey()}`,
    ...(etag && { 'if-none-match': etag }),
  };
  // A redirect is not followed: the key goes to nobody but the gateway.
  signal.throwIfAborted(); // the key may have taken its time
  const request = new Request(url, { headers, redirect: 'manual', signal });
  let detail = 'The gateway cannot be reached; check baseUrl.';
  try {
    const response = await fetch(request);
    detail = 'The answer broke off; try again.';
    return { response, text: await response.text() };
  } catch (cause) {
    return new Failure(0, detail, { reason: 'network', cause });
  }
}
