// Action items that the owner has ticked: which are done, and the change, which can be undone. No memory and no program has them.

import { itemKey } from '../../../../text/item-key.ts';
import { offer } from '../changes/undo.ts';
import { bookmark, bookmarkOf } from './bookmarks.ts';

/** An item as its source has it. */
export interface SourceItem {
  readonly text: string;
  /** Null: the source does not say. */
  readonly done: boolean | null;
}

/** Returns whether an item of a memory is done: by its source, or because the owner has ticked it. */
export function isDone({ text, done }: SourceItem, memory_id: string): boolean {
  return done === true || bookmarkOf(memory_id).done_items.includes(itemKey(text));
}

/** Ticks an item in the memories that have it, or unticks it, and offers to undo that. Rejects with `Failure`. */
export async function tick(item: string, ids: readonly string[], isTicked: boolean): Promise<void> {
  const text = itemKey(item);
  const mark = async (is_done: boolean) => {
    for (const id of ids) await bookmark(id, { item: { text, is_done } });
  };
  await mark(isTicked);
  offer({
    said: isTicked ? 'Marked as done.' : 'Marked as open.',
    undo: () => mark(!isTicked),
    lasts: 10_000, // its box takes it back as well
  });
}
