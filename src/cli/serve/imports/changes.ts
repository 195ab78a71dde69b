// The changes of owners in the browser: each is a command of this program, run as a process for the account of the session.

import type { Changes, OwnersChange } from '../../../app/server/changes.ts';
import { Failure } from '../../../contract/failure.ts';
import { BIN_DAYS } from '../../../store/bin/bin-time.ts';
import type { Context } from '../../context.ts';
import { agentEnv } from '../command-env.ts';
import { spawnCommand, type RunningCommand } from '../command-process.ts';

/** What changes need. */
export interface ChangesOptions {
  readonly context: Pick<Context, 'env' | 'program'>;
  readonly database: string;
  /** Whether deleted memories stay in the bin for some time. */
  readonly hasBin: boolean;
  /** Notes why a change has failed. */
  readonly warn: (fields: object, message: string) => void;
  /** Called with the account when memories were changed or brought back. */
  readonly onWritten?: ((account_id: string) => void) | undefined;
}

/** Changes that can be closed. */
export interface OpenChanges extends Changes {
  /** Waits for the changes that run. Those that wait fail. */
  readonly close: () => Promise<void>;
}

/** How many changes of an account may wait for the one that runs. */
const MOST_WAITING = 8;

/** How often the bins are looked through for what is erased. */
const CLEANUP_MS = 3_600_000;

/** No change takes as long. */
const TIMEOUT_MS = 300_000;

/** The changes after which memories have other texts, or are there again. */
const WRITING = new Set<OwnersChange['does']>(['edit', 'undo', 'restore']);

const FAILED =
  'The gateway could not change its database, so nothing was changed. Try again in a moment; its operator finds the reason in the log.';

const UNFINISHED =
  'The gateway could not finish the change, so some memories may be as before. Make it again in a moment; its operator finds the reason in the log.';

/** Creates the changes of a server. */
export function createChanges({
  context,
  database,
  hasBin,
  warn,
  onWritten,
}: ChangesOptions): OpenChanges {
  const queues = new Map<string, { waiting: number; last: Promise<void> }>();
  const running = new Set<RunningCommand>();
  let isClosed = false;

  async function run(options: Pick<Parameters<typeof spawnCommand>[0], 'args' | 'env' | 'input'>) {
    const isInBackground = options.input === undefined;
    const timeout = TIMEOUT_MS;
    const command = spawnCommand({ context, database, isInBackground, timeout, ...options });
    running.add(command);
    try {
      return await command.ended;
    } finally {
      running.delete(command);
    }
  }

  async function make(change: OwnersChange, check: () => Promise<void>): Promise<void> {
    const { account_id, does, agent } = change;
    await check();
    if (isClosed) throw new Failure(503, 'The gateway is stopping, so nothing was changed.');
    const args = commandOf(change, hasBin);
    const { isDone, problem } = await run({ args, input: inputOf(change), env: agentEnv(agent) });
    if (WRITING.has(does)) onWritten?.(account_id);
    if (isDone) return;
    await check();
    warn({ account_id, does, problem }, 'a change of an owner has failed');
    throw new Failure(503, isWhole(change) ? FAILED : UNFINISHED);
  }

  const cleanUp = async () => {
    const { isDone, problem } = await run({ args: ['bin', 'empty', '--expired', '--json'] });
    if (!isDone) warn({ problem }, 'the bin could not be looked through');
  };
  const timer = setInterval(() => void cleanUp(), CLEANUP_MS).unref();

  return {
    binDays: hasBin ? BIN_DAYS : 0,
    async make(change, check) {
      const queue = queues.get(change.account_id) ?? { waiting: 0, last: Promise.resolve() };
      if (queue.waiting > MOST_WAITING)
        throw new Failure(409, 'Too many changes of this account are waiting; try again later.');
      queues.set(change.account_id, queue);
      queue.waiting++;
      const made = queue.last.then(() => make(change, check));
      queue.last = made.then(ignore, ignore);
      try {
        await made;
      } finally {
        if (--queue.waiting === 0) queues.delete(change.account_id);
      }
    },
    async close() {
      isClosed = true;
      clearInterval(timer);
      await Promise.all(Array.from(running, ({ ended }) => ended));
    },
  };
}

function ignore(): void {}

/** Whether a change is made in one transaction. Edits of all memories are not. */
function isWhole(change: OwnersChange): boolean {
  if (change.does === 'edit') return change.edit.memory_id !== undefined;
  return change.does !== 'undo';
}

/** Returns what the command of a change reads from standard input, because others can see the arguments of a process. */
function inputOf(change: OwnersChange): string {
  if (change.does === 'edit') return JSON.stringify(change.edit);
  return change.ids.map((id) => `${id}\n`).join('');
}

/** Returns the command of a change. */
function commandOf(change: OwnersChange, hasBin: boolean): string[] {
  const { does, account_id } = change;
  const options = [`--account=${account_id}`, '--json'];
  if (does === 'edit') return ['edit', '-', ...options];
  if (does === 'undo') return ['edits', 'undo', '-', ...options];
  if (does === 'restore') return ['bin', 'restore', '-', ...options];
  if (does === 'empty')
    return ['bin', 'empty', ...(change.ids.length > 0 ? ['-'] : []), '--yes', ...options];
  // An id may begin with a hyphen.
  if (does === 'erase-account') return ['accounts', 'delete', '--yes', '--json', '--', account_id];
  return hasBin
    ? ['bin', 'add', '-', ...options]
    : ['memories', 'delete', '--yes', '-', ...options];
}
