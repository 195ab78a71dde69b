// One call: attempts until one answers, or there is no more time or reason to try.

import type { Answering } from '../contract/answers.ts';
import type { Reached, Wanted } from '../contract/calls.ts';
import { aborted, Failure } from '../contract/failure.ts';
import { until } from '../contract/until.ts';
import { outputOf, readAnswer, type Expected } from './answer.ts';
import { keep, recall } from './cache.ts';
import { startLimit, type Limit } from './limit.ts';
import type { Settings } from './options.ts';
import { send } from './request.ts';
import { waitBefore } from './retry.ts';
import { targetOf } from './target.ts';

/** Calls an endpoint over fetch. Rejects with `Failure` only. */
export async function callEndpoint(
  settings: Settings,
  wanted: Wanted<Answering>,
): Promise<Reached> {
  const { signal } = wanted;
  const limit = startLimit(settings.timeoutMs, signal);
  try {
    // Whatever a program's own functions and streams do with a signal, the call ends with it.
    return await until(limit.signal, attempts(settings, wanted, limit));
  } catch (error) {
    // A signal may have the failure of another call for its reason.
    if (!limit.signal.aborted || (error instanceof Failure && error !== limit.signal.reason))
      throw error;
    throw signal?.aborted ? aborted(signal) : tooLate(settings.timeoutMs);
  } finally {
    limit.release();
  }
}

async function attempts(
  settings: Settings,
  { endpoint: { route }, input, asked }: Wanted<Answering>,
  { signal, endsAt, wait }: Limit,
): Promise<Reached> {
  signal.throwIfAborted();
  const url = settings.baseUrl + targetOf(route, input);
  const expected: Expected = settings.check && outputOf(route, asked);
  const kept = await recall(settings, expected, url);
  for (let attempt = 0; ; attempt++) {
    const came = await send(settings, { url, etag: kept?.etag, signal });
    signal.throwIfAborted();
    const ms = waitBefore(came, attempt);
    const isLast = attempt >= settings.retries || performance.now() + ms >= endsAt;
    if (ms > 0 && !isLast) await wait(ms);
    else if (came instanceof Failure) throw came;
    else {
      if (kept !== undefined && came.response.status === 304) return kept.reached;
      const reached = readAnswer(expected, came);
      keep(settings, url, came, reached);
      return reached;
    }
  }
}

function tooLate(timeoutMs: number): Failure {
  const detail = `No whole answer came within ${timeoutMs} ms; ask for less, or raise timeoutMs.`;
  return new Failure(0, detail, { reason: 'timeout' });
}
