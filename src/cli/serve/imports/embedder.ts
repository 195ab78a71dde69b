// Makes the vectors of what owners write in the app: a process beside the server, for one account after the other.

import type { Context } from '../../context.ts';
import { spawnCommand, type RunningCommand } from '../command-process.ts';

/** What makes vectors for the app. */
export interface EmbedderOptions {
  readonly context: Pick<Context, 'env' | 'program'>;
  readonly database: string;
  /** Notes why vectors are missing. */
  readonly warn: (fields: object, message: string) => void;
}

/** Makes vectors until it is closed. */
export interface Embedder {
  /** Makes the vectors that an account lacks, soon. Nobody waits for them. */
  readonly add: (account_id: string) => void;
  readonly close: () => Promise<void>;
}

/** Creates what makes vectors with the endpoint of the environment. */
export function createEmbedder({ context, database, warn }: EmbedderOptions): Embedder {
  const waiting = new Set<string>();
  let running: RunningCommand | undefined;
  let last = Promise.resolve();
  let isClosed = false;
  let said = '';

  async function run(account_id: string): Promise<void> {
    waiting.delete(account_id); // what is written from now on needs another run
    if (isClosed) return;
    const args = ['embed', `--account=${account_id}`, '--json'];
    running = spawnCommand({ context, database, args, isInBackground: true });
    const { isDone, problem } = await running.ended;
    running = undefined;
    if (!isDone && !isClosed && problem !== said)
      warn({ account_id, problem }, 'some memories have no vectors');
    said = isDone ? '' : problem;
  }

  return {
    add(account_id) {
      if (waiting.has(account_id)) return;
      waiting.add(account_id);
      last = last.then(() => run(account_id));
    },
    async close() {
      isClosed = true;
      await running?.stop();
      await last;
    },
  };
}
