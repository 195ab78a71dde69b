// Reads a feed of changes page by page. A feed that has lost its cursor is read again from its beginning.

import { isProblem } from './failure.ts';
import { createGuard } from './guard.ts';
import { idOf, loadItems } from './items.ts';
import { readPage, type PulledPage, type PullOptions } from './page.ts';
import type { ProductTarget } from './product-request.ts';
import type { ProductPage } from './source.ts';

/** Reads the changes since the stored cursor. Throws `SourceFailure`; the pages before it count. */
export async function* pullFeed(
  target: ProductTarget,
  { state }: PullOptions,
): AsyncGenerator<PulledPage> {
  const seen = new Map<string, string>();
  let isResync = state.isResync ?? false;
  let cursor = isResync ? undefined : state.cursor;
  let all = new Set<string>();
  const known = new Set<string>();
  const refuseRepetition = createGuard(target);
  for (;;) {
    let page: ProductPage;
    try {
      ({ page } = await readPage(target, { cursor }));
    } catch (error) {
      if (!isProblem(error, 'expired') || cursor === undefined) throw error;
      // The feed starts again. Its end tells which items it no longer lists.
      isResync = true;
      cursor = undefined;
      all = new Set();
      continue;
    }
    const found = await loadItems(target, page.items, seen);
    const ids = page.items.map((item) => idOf(target, item));
    const { deleted = [] } = page;
    for (const id of ids) all.add(id);
    for (const id of deleted) all.delete(id);
    for (const id of [...ids, ...deleted]) known.add(id);
    const isEnd = page.isEnd === true || page.next === undefined;
    cursor = page.next ?? cursor;
    yield {
      ...found,
      deleted,
      seen,
      state: isResync && !isEnd ? { isResync } : { ...(cursor !== undefined && { cursor }) },
      ...(isEnd && isResync && { complete: all }),
    };
    if (isEnd || cursor === undefined) return;
    refuseRepetition(cursor, known.size);
  }
}
