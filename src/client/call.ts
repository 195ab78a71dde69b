// One call: attempts until one answers, or there is no more time or reason to try.

import type { Reached } from '../contract/calls.ts';
import type { Endpoint } from '../contract/endpoints.ts';
import { aborted, Failure } from '../contract/failure.ts';
import { readAnswer } from './answer.ts';
import type { Settings } from './options.ts';
import { pause, waitBefore } from './retry.ts';
import { targetOf } from './target.ts';

interface Wanted {
  readonly endpoint: Endpoint;
  readonly input: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal | undefined;
}

/** Calls an endpoint over fetch. Rejects with `Failure`, or with what the program's own functions threw. */
export async function callEndpoint(
  settings: Settings,
  { endpoint: { route }, input, signal }: Wanted,
): Promise<Reached> {
  const url = settings.baseUrl + targetOf(route, input);
  const deadline = AbortSignal.timeout(settings.timeoutMs);
  const stop = signal ? AbortSignal.any([signal, deadline]) : deadline;
  const endsAt = performance.now() + settings.timeoutMs;
  const cached = await settings.cache?.get(url);
  for (let attempt = 0; ; attempt++) {
    const request = await createRequest(settings, { url, etag: cached?.etag, stop });
    const came = await send(settings, request).catch((cause: unknown) => {
      if (signal?.aborted === true) throw aborted(signal);
      return deadline.aborted ? tooLate(settings.timeoutMs, cause) : unreachable(cause);
    });
    const wait = waitBefore(came, attempt);
    const isLast = attempt >= settings.retries || performance.now() + wait >= endsAt;
    if (wait > 0 && !isLast) await pause(wait, stop);
    else if (came instanceof Failure) throw came;
    else return await readAnswer(settings, { route, url, cached, came });
  }
}

/** An answer, read to its end. */
export interface Came {
  readonly response: Response;
  readonly text: string;
}

interface Asked {
  readonly url: string;
  readonly etag: string | undefined;
  readonly stop: AbortSignal;
}

async function createRequest(settings: Settings, { url, etag, stop }: Asked): Promise<Request> {
  const headers = new Headers({ accept: 'application/json' });
  headers.set('authorization', `Bearer ${await settings.apiKey()}`);
  if (etag !== undefined) headers.set('if-none-match', etag);
  // A redirect is not followed: the key goes to nobody but the gateway.
  return new Request(url, { headers, redirect: 'manual', signal: stop });
}

async function send(settings: Settings, request: Request): Promise<Came> {
  request.signal.throwIfAborted();
  const response = await settings.fetch(request);
  return { response, text: await response.text() };
}

function tooLate(timeoutMs: number, cause: unknown): Failure {
  const detail = `No whole answer came within ${timeoutMs} ms; ask for less, or raise timeoutMs.`;
  return new Failure(0, detail, { reason: 'timeout', cause });
}

function unreachable(cause: unknown): Failure {
  const detail = 'The gateway could not be reached; check that it runs, and that baseUrl is right.';
  return new Failure(0, detail, { reason: 'network', cause });
}
