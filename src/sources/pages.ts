// Reads a source page by page. Each page says where the next run continues.

import { pullFeed } from './feed.ts';
import { createGuard } from './guard.ts';
import { idOf } from './items.ts';
import { pullList } from './list.ts';
import { readPage, type PulledPage, type PullOptions } from './page.ts';
import type { ProductTarget } from './product-request.ts';

/** Reads all pages. Throws `SourceFailure`; the pages before it count. */
export function pullPages(target: ProductTarget, options: PullOptions): AsyncGenerator<PulledPage> {
  return target.source.order === 'feed' ? pullFeed(target, options) : pullList(target, options);
}

/** Lists the ids of all items, without loading them. Throws `SourceFailure` if the list breaks off. */
export async function listIds(target: ProductTarget): Promise<ReadonlySet<string>> {
  const all = new Set<string>();
  const refuseRepetition = createGuard(target);
  for (let cursor: string | undefined; ;) {
    const { page } = await readPage(target, { cursor });
    for (const item of page.items) all.add(idOf(target, item));
    cursor = page.next;
    if (cursor === undefined) return all;
    refuseRepetition(cursor, all.size);
  }
}
