// Attempts: writes that are undone if they were only to show what they would do.

import type { Connection } from '../sql/query.ts';

/** Runs work in a transaction. It is undone if this is a dry run. */
export async function attempt<T>(
  transaction: Connection['transaction'],
  isDry: boolean,
  work: () => Promise<T>,
): Promise<T> {
  if (!isDry) return transaction(work);
  const undone = new Error('This was a dry run.');
  const results: T[] = [];
  try {
    await transaction(async () => {
      results.push(await work());
      throw undone;
    });
  } catch (error) {
    if (error !== undone) throw error;
  }
  return results[0] as T;
}
