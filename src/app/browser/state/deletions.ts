// Deletions: deletes memories, and offers for a minute to undo it.

import { signal } from '@preact/signals';

import { look } from './change-list.ts';
import { list, showNews } from './list/list.ts';
import { app } from './session.ts';

/** The memories that were deleted last and can still be brought back. */
export const undoable = signal<readonly string[] | undefined>(undefined);

/** The most ids of a request, whose body has at most 8 kB. */
const AT_ONCE = 60;

const MINUTE_MS = 60_000;

let timer: ReturnType<typeof setTimeout> | undefined;

/** Deletes memories. Rejects with `Failure`. */
export async function deleteMemories(ids: readonly string[]): Promise<void> {
  const kept: string[] = [];
  try {
    for (const some of partsOf(ids))
      kept.push(...(await app.deletions.create({ ids: some })).map(({ id }) => id));
  } finally {
    offer(kept.length > 0 ? kept : undefined);
    void look();
  }
}

/** Brings back what was deleted last. Rejects with `Failure`. */
export async function undo(): Promise<void> {
  const ids = undoable.peek() ?? [];
  for (const some of partsOf(ids)) await app.deletions.undoAll({ ids: some });
  offer(undefined);
  void look();
  if (list.peek().opened !== undefined) await showNews();
}

function offer(ids: readonly string[] | undefined): void {
  clearTimeout(timer);
  undoable.value = ids;
  if (ids !== undefined) timer = setTimeout(() => offer(undefined), MINUTE_MS);
}

function* partsOf(ids: readonly string[]): Generator<string[]> {
  for (let from = 0; from < ids.length; from += AT_ONCE) yield ids.slice(from, from + AT_ONCE);
}
