// The jobs of a server: commands of this program that it runs itself, in a thread of their own.

import { DAY_MS } from '../../../lib/time.ts';
import type { Environment } from '../../context.ts';

/** A command that a server runs. */
export interface Job {
  /** Names it in the log, beside what its command logs: `{ pull: 'limitless' }`. */
  readonly about: Readonly<Record<string, string>>;
  /** The command line. The database comes from the environment. */
  readonly argv: readonly string[];
  /** When it is started. Without it, the command runs all the time. */
  readonly repeats?: {
    readonly everyMs: number;
    /** How long the first run waits. Default: not at all. */
    readonly firstInMs?: number;
    /** What the log says when a run has ended. */
    readonly done: string;
  };
}

/** What a thread gets when it starts. */
export interface ThreadData {
  readonly jobs: readonly Job[];
  /** Whether the pulls of the app are run as well. */
  readonly runsPulls: boolean;
  readonly env: Environment;
  readonly program: readonly string[];
}

/** What a thread sends: a line of the log. */
export interface ThreadMessage {
  readonly level: 'info' | 'warn' | 'error';
  readonly fields: object;
  readonly message: string;
}

/** What a server tells the thread: to stop, or to look which pulls of the app are due. */
export type ThreadOrder = 'stop' | 'look';

/** A folder to watch, for an account. */
export interface WatchedFolder {
  /** An absolute path. */
  readonly folder: string;
  readonly account_id: string;
  /** Whether files that cannot be read are moved aside. */
  readonly isMoving: boolean;
}

/** Returns the job that watches a folder. */
export function watchJob({ folder, account_id, isMoving }: WatchedFolder): Job {
  const argv = ['watch', `--account=${account_id}`, ...(isMoving ? ['--move'] : []), '--', folder];
  return { about: { watch: folder }, argv };
}

/** A source to pull from again and again, for an account. */
export interface PulledSource {
  readonly source: string;
  readonly account_id: string;
  readonly everyMs: number;
  readonly url?: string | null | undefined;
  /** The file with the credential. Default: the variable of the source. */
  readonly credentialFile?: string | undefined;
  /** Whether the credential is the one that the owner has stored in the app. */
  readonly isStored?: boolean;
}

/** Returns the job that pulls from a source. */
export function pullJob(pulled: PulledSource): Job {
  const { source, account_id, everyMs, url, credentialFile, isStored = false } = pulled;
  const options = [
    `--account=${account_id}`,
    ...(url == null ? [] : [`--url=${url}`]),
    ...(credentialFile === undefined ? [] : [`--credential-file=${credentialFile}`]),
    ...(isStored ? ['--stored'] : []),
    '--json',
  ];
  return {
    about: { pull: source },
    argv: ['pull', source, ...options],
    repeats: { everyMs, done: 'pulled' },
  };
}

/** How many backups of a folder stay. */
export const BACKUPS_KEPT = 7;

/** Returns the job that backs up the database into a folder every day, a day after the last backup. The clock may have been wrong then. */
export function backupJob(folder: string, lastAt: number): Job {
  return {
    about: { backup: folder },
    argv: ['backup', `--keep=${BACKUPS_KEPT}`, '--json', '--', folder],
    repeats: {
      everyMs: DAY_MS,
      firstInMs: Math.min(DAY_MS, Math.max(0, lastAt + DAY_MS - Date.now())),
      done: 'backed up',
    },
  };
}
