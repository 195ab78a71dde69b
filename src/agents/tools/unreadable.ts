// What tools do without: a transcript that the agent may not read, and a memory that was deleted meanwhile.

import { Failure } from '../../contract/failure.ts';

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
