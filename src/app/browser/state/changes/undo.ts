// The last change of memories, which can be undone for a minute.

import { signal } from '@preact/signals';

/** A change that can still be undone, or that is being made. */
export interface Undoable {
  /** What has changed, as a sentence. */
  readonly said: string;
  /** Absent until the change is made. Rejects with `Failure`. */
  readonly undo?: () => Promise<unknown>;
}

/** The last change, until it can no longer be undone. */
export const undoable = signal<Undoable>();

const MINUTE_MS = 60_000;

let timer: ReturnType<typeof setTimeout> | undefined;

/** Offers for a minute to undo a change, and no longer an earlier one. */
export function offer(change: Undoable | undefined): void {
  clearTimeout(timer);
  undoable.value = change;
  if (change !== undefined) timer = setTimeout(() => offer(undefined), MINUTE_MS);
}

/** Undoes the last change. Rejects with `Failure`. */
export async function undo(): Promise<void> {
  const change = undoable.peek();
  await change?.undo?.();
  // Meanwhile the reader may have made another change.
  if (undoable.peek() === change) offer(undefined);
}
