// What is to do: action items that are not known to be done, each once.

import type { ActionItem } from '../../parts/lists/action-item.tsx';

/** Returns the items that are not known to be done. Of those with the same text and owner, the first one with a date, or the first one. */
export function openOf<T extends ActionItem>(items: readonly T[]): T[] {
  const open = items.filter(({ done }) => done !== true);
  const same = Map.groupBy(open, ({ owner, text }) => `${owner} ${text.trim()}`.toLowerCase());
  return Array.from(
    same.values(),
    (each) => each.find(({ due }) => due !== null) ?? each[0],
  ).filter((item) => item !== undefined);
}
