// Calls an endpoint over HTTP, with timeout, retries and cache.

import { delay } from '../contract/abort.ts';
import type { CallResult, EndpointCall } from '../contract/create-methods.ts';
import { Failure } from '../contract/failure.ts';
import type { Target } from '../contract/targets.ts';
import { writeCache, readCache } from './cache.ts';
import type { ClientSettings } from './options.ts';
import { readResponse, type Validate } from './response.ts';
import { readRetryAfter, retryDelay, withTimeout } from './retry.ts';
import { requestTarget, sendRequest } from './send.ts';

/** Calls an endpoint. Rejects with `Failure` only. */
export async function callEndpoint(
  settings: ClientSettings,
  call: EndpointCall<Target>,
  validate?: Validate,
): Promise<CallResult> {
  const about: About = {};
  try {
    return await withTimeout(settings.timeoutMs, call.signal, (limit) =>
      attempts(settings, call, { signal: limit, about, validate }),
    );
  } catch (error) {
    throw Object.assign(error as Failure, about);
  }
}

/** What a failure says about the last request of its call. */
interface About {
  url?: string;
  requestId?: string;
  retryAfterMs?: number;
}

interface Attempts {
  readonly signal: AbortSignal;
  readonly about: About;
  readonly validate: Validate | undefined;
}

async function attempts(
  settings: ClientSettings,
  { endpoint: { route }, input }: EndpointCall<Target>,
  { signal, about, validate }: Attempts,
): Promise<CallResult> {
  const endsAt = performance.now() + settings.timeoutMs;
  const url = settings.baseUrl + requestTarget(route, input);
  about.url = url;
  const { isFile } = route;
  const cached = isFile ? undefined : await readCache(settings, url, validate);
  for (let attempt = 0; ; attempt++) {
    const received = await sendRequest(settings, { url, etag: cached?.etag, isFile, signal });
    signal.throwIfAborted();
    if (!(received instanceof Failure)) note(about, received.response);
    const ms = retryDelay(received, attempt);
    const isLast = attempt >= settings.retries || performance.now() + ms >= endsAt;
    if (ms > 0 && !isLast) {
      const status = received instanceof Failure ? 0 : received.response.status;
      await settings.hook('onRetry', { attempt: attempt + 1, delayMs: ms, url, status });
      await delay(ms, signal);
    } else if (received instanceof Failure) throw received;
    else {
      if (cached !== undefined && received.response.status === 304) return cached.result;
      const result = readResponse(received, validate);
      if (!isFile) void writeCache(settings, url, received, result);
      return result;
    }
  }
}

function note(about: About, { headers }: Response): void {
  const id = headers.get('x-request-id');
  const ms = readRetryAfter(headers.get('retry-after') ?? '');
  delete about.requestId;
  delete about.retryAfterMs;
  if (id !== null) about.requestId = id;
  if (ms > 0) about.retryAfterMs = ms;
}
