// The notice at the end of the page: for a while, the last change of memories, which can be undone, and why an action failed.

import { signal } from '@preact/signals';

import type { Failure } from '../../../../contract/failure.ts';

/** A change that can still be undone, or that is being made. */
export interface Undoable {
  /** What has changed, as a sentence. Absent if nothing has. */
  readonly said?: string;
  /** Absent until the change is made. Rejects with `Failure`. */
  readonly undo?: () => Promise<unknown>;
  /** How long it is offered, in milliseconds. Default: a minute. */
  readonly lasts?: number;
  /** Why the last action failed, unless its dialog says so. */
  readonly failure?: Failure | undefined;
}

/** The last change, until it can no longer be undone. */
export const undoable = signal<Undoable>();

const MINUTE_MS = 60_000;

let timer: ReturnType<typeof setTimeout> | undefined;

/** Offers for a while to undo a change, and no longer an earlier one. */
export function offer(change?: Undoable): void {
  clearTimeout(timer);
  undoable.value = change;
  if (change !== undefined) timer = setTimeout(offer, change.lasts ?? MINUTE_MS);
}

/** Says why an action failed, or no longer. What could be undone still can. */
export function tellFailure(failure: Failure | undefined): void {
  const now = undoable.peek();
  if (failure !== now?.failure) offer(failure || now?.said ? { ...now, failure } : undefined);
}

/** Undoes the last change. Rejects with `Failure`. */
export async function undo(): Promise<void> {
  const change = undoable.peek();
  await change?.undo?.();
  // Meanwhile the reader may have made another change.
  if (undoable.peek() === change) offer(undefined);
}
