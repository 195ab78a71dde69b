// What tells an action item from the others: owners tick items by it.

import { beginning } from './surrogates.ts';

/** As much of a text as tells which item it is. */
export const MOST_ITEM_TEXT = 200;

/** Returns what the same items have in common: the text without its full stop, in lower case. A later import finds its items by it. */
export function itemKey(text: string): string {
  return beginning(text.trim().replace(/[.!]$/, '').toLowerCase(), MOST_ITEM_TEXT);
}
