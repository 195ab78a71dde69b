// What tools read of a memory: its fields without the transcript, how many lines that has, and what may be missing.

import { Failure } from '../../contract/failure.ts';
import type { Memory } from '../../contract/schemas/memory.ts';
import type { CallContext } from '../tool.ts';

/** All fields but the transcript and the account. */
export const ABOUT_FIELDS = [
  'name',
  'started_at',
  'ended_at',
  'duration_seconds',
  'is_processing',
  'summary',
] as const;

/** A memory with these fields. */
export type MemoryFields = Pick<Memory, (typeof ABOUT_FIELDS)[number] | 'id'>;

/** Counts the lines of a transcript by its first one. Rejects with `Failure`. */
export async function countLines({ api, signal }: CallContext, memory_id: string): Promise<number> {
  const first = { memory_id, first: 1, last: 1, max_tokens: 100 };
  return (await api.memories.lines(first, { signal })).total;
}

/** What an agent reads instead of a transcript. */
export const NO_TRANSCRIPT =
  'You may read names and summaries only, so there is no transcript here. Say so, and do not guess what was said.';

/** Resolves with what was read, or with undefined if that needs transcripts, which the agent may not read. */
export function unlessRefused<T>(read: Promise<T>): Promise<T | undefined> {
  return unlessStatus(403, read);
}

/** Resolves with what was read, or with undefined if there is no such memory. */
export function unlessAbsent<T>(read: Promise<T>): Promise<T | undefined> {
  return unlessStatus(404, read);
}

async function unlessStatus<T>(status: number, read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof Failure && error.status === status) return undefined;
    throw error;
  }
}
