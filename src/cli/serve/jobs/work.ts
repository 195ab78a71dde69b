// Works on the jobs of a server, each again and again, and on the pulls of its app.

import { rest } from '../../rest.ts';
import type { Job, ThreadData, ThreadOrder } from './job.ts';
import { workOnPulls } from './pulls.ts';
import { runOnce, type Workplace } from './run-once.ts';

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 300_000;
/** A command that has run for so long does not fail at its start. */
const GOOD_RUN_MS = 60_000;

/** The work on the jobs of a server. */
export interface Work {
  readonly tell: (order: ThreadOrder) => void;
  /** Resolves when the server has asked to stop and all jobs have ended. */
  readonly ended: Promise<void>;
}

/** Works on jobs until the server stops, and on the pulls of the app from the first look on. */
export function workOn(data: ThreadData, send: Workplace['send']): Work {
  const stop = new AbortController();
  const ended = Promise.withResolvers<void>();
  const place = { ...data, send, stopping: stop.signal };
  const jobs = data.jobs.map((job) => repeat(place, job));
  let pulls = data.runsPulls ? workOnPulls(place) : undefined;
  return {
    tell(order) {
      if (order === 'stop') {
        stop.abort();
        Promise.all([...jobs, pulls?.ended]).then(() => ended.resolve(), ended.reject);
      } else if (pulls === undefined) pulls = workOnPulls(place);
      else pulls.look();
    },
    ended: ended.promise,
  };
}

/** Runs a job again and again, until the server stops. */
async function repeat(place: Workplace, job: Job): Promise<void> {
  const { stopping } = place;
  const { everyMs, firstInMs = 0 } = job.repeats ?? {};
  await rest(firstInMs, stopping);
  for (let pause = FIRST_PAUSE_MS; !stopping.aborted;) {
    const began = performance.now();
    const { code, waitMs } = await runOnce(place, job);
    const took = performance.now() - began;
    if (everyMs !== undefined) await rest(Math.max(everyMs - took, waitMs), stopping);
    else {
      if (took > GOOD_RUN_MS) pause = FIRST_PAUSE_MS;
      if (code !== 0) await rest(pause, stopping);
      pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
    }
  }
}
