// What is to do: the action items that several memories have, each once.

import type { FoundItem } from '../../../../contract/schemas/facets.ts';
import { itemKey } from '../../../../text/item-key.ts';
import { fold } from '../../../../text/query-pieces.ts';

/** An item, and the memories that have it. */
export interface SharedItem extends FoundItem {
  readonly ids: readonly string[];
}

/**
 * Returns each item once. Of those with the same text and owner, it is the first one with a date, or the first one. One
 * without an owner is the same as that of somebody.
 */
export function eachOnce(items: readonly FoundItem[]): SharedItem[] {
  const same = Map.groupBy(items, ({ text }) => itemKey(text));
  return [...same.values()].flatMap((all) => {
    const byOwner = Map.groupBy(all, ({ owner }) => owner && fold(owner));
    const ofNobody = byOwner.get(null) ?? [];
    if (byOwner.size > 1) byOwner.delete(null);
    return Array.from(byOwner.values(), (each) => {
      const [first] = each.filter(({ due }) => due !== null).concat(each);
      const ids = new Set([...each, ...ofNobody].map(({ memory_id }) => memory_id));
      return { ...first!, ids: [...ids] };
    });
  });
}
