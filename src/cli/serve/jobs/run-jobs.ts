// Runs the jobs of a server in a thread, so that requests do not wait for them. A thread that crashes is started again.

import type { Context } from '../../context.ts';
import { rest } from '../../rest.ts';
import { commandEnv } from '../command-env.ts';
import type { Job, ThreadMessage } from './job.ts';
import { startThread, type JobsThread } from './start-thread.ts';

/** Where the jobs of a server run. */
export interface JobRunner {
  /** Starts jobs in a thread, unless there are none or it was stopped before. */
  readonly start: (jobs: readonly Job[]) => void;
  /** Looks which pulls of the app are due, now and from now on. Before `start`, it waits for that. */
  readonly look: () => void;
  /** Stops the jobs, and ends the thread after `graceMs` in any case. */
  readonly stop: (graceMs: number) => Promise<void>;
}

/** What jobs need. */
export interface JobRunnerOptions {
  readonly context: Pick<Context, 'env' | 'program'>;
  readonly database: string;
  readonly logger: Readonly<Record<ThreadMessage['level'], LogLine>>;
  /** Starts the thread. Tests let it crash. */
  readonly openThread?: typeof startThread;
}

type LogLine = (fields: object, message: string) => void;

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 300_000;
/** A thread that has run for so long does not crash at its start. */
const GOOD_RUN_MS = 600_000;

/** Creates what runs the jobs of a server. */
export function createJobRunner({
  context: { env, program },
  database,
  logger,
  openThread = startThread,
}: JobRunnerOptions): JobRunner {
  const stopping = new AbortController();
  let thread: JobsThread | undefined;
  let running: Promise<void> | undefined;
  let planned: readonly Job[] | undefined;
  let runsPulls = false;
  const keepRunning = async (jobs: readonly Job[]): Promise<void> => {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      const began = performance.now();
      const data = { jobs, runsPulls, env: commandEnv(env, database), program };
      thread = openThread(data, ({ level, fields, message }) => logger[level](fields, message));
      const error = await thread.ended;
      if (stopping.signal.aborted) return;
      if (performance.now() - began > GOOD_RUN_MS) pause = FIRST_PAUSE_MS;
      logger.error(
        { err: error, again_in_s: pause / 1000 },
        'the thread for --watch, --pull and the sources of the app has crashed; it starts again',
      );
      await rest(pause, stopping.signal);
      if (stopping.signal.aborted) return;
    }
  };
  const run = () => {
    if (stopping.signal.aborted || planned === undefined) return;
    running = keepRunning(planned);
  };
  return {
    start(jobs) {
      planned = jobs;
      if (jobs.length > 0 || runsPulls) run();
    },
    look() {
      runsPulls = true;
      if (running === undefined) run();
      else thread?.tell('look');
    },
    async stop(graceMs) {
      stopping.abort();
      if (running === undefined) return;
      thread?.tell('stop');
      const late = new AbortController();
      const ended = running.then(() => late.abort());
      await Promise.race([ended, rest(graceMs, late.signal)]);
      thread?.kill();
    },
  };
}
