// What an agent gets if it may not read transcripts: the rest, and a sentence that says so.

import { Failure } from '../../contract/failure.ts';

/** What an agent reads instead of a transcript. */
export const NO_TRANSCRIPT =
  'You may read names and summaries only, so there is no transcript here. Say so, and do not guess what was said.';

/** Resolves with what was read, or with undefined if that needs transcripts, which the agent may not read. */
export async function unlessRefused<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof Failure && error.status === 403) return undefined;
    throw error;
  }
}
