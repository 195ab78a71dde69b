// Deletions: deletes memories. For a minute, a notice offers to undo that or another change.

import { signal } from '@preact/signals';

import { countedMemories } from '../format.ts';
import { look } from './change-list.ts';
import { list, showNews } from './list/list.ts';
import { app } from './session.ts';

/** A change that can still be undone. */
export interface Undoable {
  /** What has changed, as a sentence. */
  readonly said: string;
  /** Rejects with `Failure`. */
  readonly undo: () => Promise<unknown>;
}

/** The last change, as long as it can be undone. */
export const undoable = signal<Undoable | undefined>(undefined);

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
    offer(
      kept.length > 0
        ? { said: `${countedMemories(kept.length)} deleted.`, undo: () => restore(kept) }
        : undefined,
    );
    void look();
  }
}

/** Undoes the last change. Rejects with `Failure`. */
export async function undo(): Promise<void> {
  await undoable.peek()?.undo();
  offer(undefined);
  void look();
}

async function restore(ids: readonly string[]): Promise<void> {
  for (const some of partsOf(ids)) await app.deletions.undoAll({ ids: some });
  if (list.peek().opened !== undefined) await showNews();
}

/** Offers for a minute to undo a change, and no longer an earlier one. */
export function offer(change: Undoable | undefined): void {
  clearTimeout(timer);
  undoable.value = change;
  if (change !== undefined) timer = setTimeout(() => offer(undefined), MINUTE_MS);
}

function* partsOf(ids: readonly string[]): Generator<string[]> {
  for (let from = 0; from < ids.length; from += AT_ONCE) yield ids.slice(from, from + AT_ONCE);
}
