// The state of a watched folder in this process: how to read it, and what was done so far.

import type { Logger } from 'pino';

import type { Endpoint } from '../../embeddings/endpoint.ts';
import type { ReadOptions } from '../../formats/outcome.ts';
import type { Candidates } from '../../sources/watch/candidates.ts';
import type { Engine } from '../../store/engine.ts';
import type { RunCounts, SourceKey, SourceRun } from '../../store/sources/runs.ts';
import { createTally, type Tally } from '../import/tally.ts';

/** A folder that is being watched. */
export interface FolderWatch {
  /** An absolute path. */
  readonly folder: string;
  readonly key: SourceKey;
  readonly engine: Engine;
  readonly reading: ReadOptions;
  readonly isMoving: boolean;
  readonly isOnce: boolean;
  readonly intervalMs: number;
  readonly logger: Logger;
  /** Makes vectors of what was imported. Undefined: none are made. */
  readonly endpoint?: Endpoint | undefined;
  /** Whether vectors were left for the next session, because it was time to look for files. */
  lacksVectors: boolean;
  /** Aborted by the first signal. */
  readonly stop: AbortSignal;
  readonly candidates: Candidates;
  readonly counts: WatchCounts;
  /** Problems that were logged already. */
  readonly warned: Set<string>;
  /** Files whose reading may have ended an earlier process, with how often each was read alone. */
  readonly suspects: Map<string, number>;
  /** The run in the database. It changes with each session. */
  run: SourceRun | undefined;
}

/** A file that was rejected, as a whole or in part. */
export interface RejectedFile {
  /** Its path from the watched folder. */
  readonly file: string;
  readonly reason: string;
}

/** What a watch has done so far. */
export interface WatchCounts extends Pick<
  Tally,
  'files' | 'added' | 'updated' | 'unchanged' | 'rejected' | 'found'
> {
  /** Files in the folder `rejected`. */
  moved: number;
  /** Files that the file system did not let us read, in the last look. */
  unreadable: number;
  /** The first rejected files. */
  readonly rejects: RejectedFile[];
}

/** Creates counts of nothing. */
export function createCounts(): WatchCounts {
  const { files, added, updated, unchanged, rejected, found } = createTally();
  const none = { moved: 0, unreadable: 0, rejects: [] };
  return { files, added, updated, unchanged, rejected, ...none, found };
}

/** Returns the counts that the database stores. */
export function runCounts({ added, updated, unchanged, rejected }: WatchCounts): RunCounts {
  return { added, updated, unchanged, rejected, deleted: 0 };
}

/** How many rejected files are listed. */
const MAX_REJECTS = 1000;

/** Counts the rejected items of a file, and lists the file. */
export function countRejects({ counts }: FolderWatch, file: RejectedFile, items: number): void {
  counts.rejected += items;
  if (counts.rejects.length < MAX_REJECTS) counts.rejects.push(file);
}

/** How many problems are remembered. */
const MAX_WARNED = 10_000;

/** Logs a problem once, until `forget` is called with it. */
export function warnOnce(
  { logger, warned }: FolderWatch,
  problem: string,
  fields: Readonly<Record<string, unknown>> = {},
): void {
  const key = JSON.stringify([problem, fields]);
  if (warned.has(key)) return;
  if (warned.size >= MAX_WARNED) warned.clear();
  warned.add(key);
  logger.warn(fields, problem);
}
