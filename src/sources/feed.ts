// Reads a feed of changes page by page. A feed that has lost its cursor is read again from its beginning.

import { isProblem } from './failure.ts';
import { createGuard } from './guard.ts';
import { idOf, loadItems } from './items.ts';
import { readPage, type PulledPage, type PullOptions } from './page.ts';
import type { ProductTarget } from './product-request.ts';
import type { ProductPage } from './source.ts';
import type { SourceState } from './state.ts';

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
  /** Items that could not be given, by their ids: in earlier runs, and now. */
  const earlier = new Map(state.missed?.map((item) => [idOf(target, item), item]));
  const missed = new Map(earlier);
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
    for (const id of [...ids, ...deleted]) {
      known.add(id);
      for (const items of [earlier, missed]) items.delete(id); // a later change
    }
    for (const { id } of found.failed) missed.set(id, page.items[ids.indexOf(id)] ?? {});
    const isEnd = page.isEnd === true || page.next === undefined;
    cursor = page.next ?? cursor;
    const stateNow = (): SourceState => ({
      ...(isResync && !isEnd ? { isResync } : cursor !== undefined && { cursor }),
      ...(missed.size > 0 && { missed: [...missed.values()] }),
    });
    yield {
      ...found,
      deleted,
      seen,
      state: stateNow(),
      ...(isEnd && isResync && { complete: all }),
    };
    // By now the product has answered. One by one, because several that fail for ever stop nothing.
    for (const [id, item] of isEnd ? earlier : []) {
      const again = await loadItems(target, [item], seen);
      if (again.failed.length === 0) missed.delete(id);
      yield { ...again, deleted: [], seen, state: stateNow() };
    }
    if (isEnd || cursor === undefined) return;
    refuseRepetition(cursor, known.size);
  }
}
