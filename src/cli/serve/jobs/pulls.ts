// Runs the pulls that owners have set up in the app, each when it is due. Of several servers on a database, one claims a run.

import type { StoredPull } from '../../../store/sources/pulls.ts';
import { openPullQueue } from '../../program.ts';
import { rest } from '../../rest.ts';
import { pullJob } from './job.ts';
import { runOnce, type Workplace } from './run-once.ts';

/** How often it is looked which pulls are due. A change in the app looks at once. */
const LOOK_EVERY_MS = 30_000;

/** The pulls of a database while a server works on them. */
export interface StoredPulls {
  /** Looks now which pulls are due. */
  readonly look: () => void;
  /** Resolves when the server stops and all runs have ended. */
  readonly ended: Promise<void>;
}

/** Works on the pulls of a database until the server stops. */
export function workOnPulls(place: Workplace): StoredPulls {
  const { stopping } = place;
  const queue = openPullQueue(place.env['MEMORY_GATEWAY_DATABASE'] ?? '');
  const running = new Map<string, Promise<void>>();
  let wake = new AbortController();
  let problem = '';

  async function run(pull: StoredPull): Promise<void> {
    const { account_id, product, url, interval_ms } = pull;
    const job = pullJob({ source: product, account_id, everyMs: interval_ms, url, isStored: true });
    const { waitMs } = await runOnce(place, job);
    running.delete(pull.id);
    if (waitMs === 0 || stopping.aborted) return;
    const until = Date.now() + waitMs;
    await queue.postpone(pull, until).catch(tell);
  }

  async function lookOnce(): Promise<void> {
    // A claim during a run moves the next one on.
    for (const pull of await queue.claimDue())
      if (!running.has(pull.id)) running.set(pull.id, run(pull));
    problem = '';
  }

  /** Logs why the pulls cannot be read, once. */
  function tell(error: unknown): void {
    if (String(error) === problem) return;
    problem = String(error);
    const message = 'the sources of the app cannot be read';
    place.send({ level: 'error', fields: { err: error }, message });
  }

  async function keepLooking(): Promise<void> {
    while (!stopping.aborted) {
      wake = new AbortController();
      const signal = AbortSignal.any([stopping, wake.signal]);
      await lookOnce().catch(tell);
      await rest(LOOK_EVERY_MS, signal);
    }
    await Promise.all(running.values());
  }

  return { look: () => wake.abort(), ended: keepLooking() };
}
