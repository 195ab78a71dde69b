// One call: attempts until one answers, or there is no more time or reason to try.

import type { Answering } from '../contract/answers.ts';
import type { Reached, Wanted } from '../contract/calls.ts';
import { Failure } from '../contract/failure.ts';
import { pause } from '../contract/pause.ts';
import { outputOf, readAnswer, type Expected } from './answer.ts';
import { keep, recall } from './cache.ts';
import { within } from './limit.ts';
import type { Settings } from './options.ts';
import { send } from './request.ts';
import { waitBefore } from './retry.ts';
import { targetOf } from './target.ts';

/** Calls an endpoint over fetch. Rejects with `Failure` only. */
export async function callEndpoint(
  settings: Settings,
  wanted: Wanted<Answering>,
): Promise<Reached> {
  return within(settings.timeoutMs, wanted.signal, (limit) => attempts(settings, wanted, limit));
}

async function attempts(
  settings: Settings,
  { endpoint: { route }, input, asked }: Wanted<Answering>,
  signal: AbortSignal,
): Promise<Reached> {
  const endsAt = performance.now() + settings.timeoutMs;
  const url = settings.baseUrl + targetOf(route, input);
  const expected: Expected = settings.check && outputOf(route, asked);
  const kept = await recall(settings, expected, url);
  for (let attempt = 0; ; attempt++) {
    const came = await send(settings, { url, etag: kept?.etag, signal });
    signal.throwIfAborted();
    const ms = waitBefore(came, attempt);
    const isLast = attempt >= settings.retries || performance.now() + ms >= endsAt;
    if (ms > 0 && !isLast) await pause(ms, signal);
    else if (came instanceof Failure) throw came;
    else {
      if (kept !== undefined && came.response.status === 304) return kept.reached;
      const reached = readAnswer(expected, came);
      void keep(settings, url, came, reached);
      return reached;
    }
  }
}
