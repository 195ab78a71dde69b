// The memories of the list that are selected.

import { signal } from '@preact/signals';

import { tellFailure } from '../changes/undo.ts';
import { toFailure } from '../session.ts';
import { list } from './list.ts';

/** The ids of the selected memories. Undefined: nobody is selecting. */
export const selected = signal<ReadonlySet<string>>();

/** The row that was ticked last. */
let last: number | undefined;

/** Begins a selection with nothing, or ends it. */
export function select(ids?: ReadonlySet<string>): void {
  last = undefined;
  selected.value = ids;
}

/** Ticks all rows from one to another, or none of them if all are ticked. */
export async function tick(from: number, to = from, isOn?: boolean): Promise<void> {
  last = from;
  try {
    const ids = await idsOf(Math.min(from, to), Math.max(from, to));
    const now = new Set(selected.peek());
    // Meanwhile the selection may have been ended.
    if (from !== to && !selected.peek()) return;
    const does = (isOn ?? !ids.every((id) => now.has(id))) ? 'add' : 'delete';
    for (const id of ids) now[does](id);
    selected.value = now;
  } catch (error) {
    tellFailure(toFailure(error));
  }
}

/** Ticks all rows from the one that was ticked last to another. */
export function tickTo(row: number): void {
  void tick(row, last, true);
}

/** Returns the ids of the rows from one to another. Those that nobody has scrolled to are read first. Rejects with `Failure`. */
async function idsOf(from: number, to: number): Promise<string[]> {
  const source = list.peek().opened?.source;
  if (source === undefined) return [];
  const ids: string[] = [];
  for (let at = from; at <= to; at++) {
    while (source.rowAt(at) === undefined && (await source.step(at, at + 1)));
    ids.push(source.rowAt(at)?.id ?? '');
  }
  return ids.filter(Boolean);
}
