// What is to do: action items that are not known to be done, each once.

import { fold } from '../../../../text/query-pieces.ts';
import type { ActionItem } from '../../parts/lists/action-item.tsx';

/**
 * Returns the items that are not known to be done. Of those with the same text and owner, the first one with a date, or the
 * first one. One without an owner is the same as that of somebody.
 */
export function openOf<T extends ActionItem>(items: readonly T[]): T[] {
  const open = items.filter(({ done }) => done !== true);
  const same = Map.groupBy(open, ({ text }) => text.trim().replace(/[.!]$/, '').toLowerCase());
  return [...same.values()]
    .flatMap((all) => {
      const owned = all.filter(({ owner }) => owner !== null);
      const byOwner = Map.groupBy(owned.length > 0 ? owned : all, ({ owner }) => fold(owner ?? ''));
      return Array.from(
        byOwner.values(),
        (each) => each.find(({ due }) => due !== null) ?? each[0],
      );
    })
    .filter((item) => item !== undefined);
}
