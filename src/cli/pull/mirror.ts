// Finds what was deleted at a source: items that it added, and that the source no longer has.

import { isGone } from '../../sources/items.ts';
import type { PulledPage } from '../../sources/page.ts';
import { listIds } from '../../sources/pages.ts';
import type { ProductTarget } from '../../sources/product-request.ts';
import { Refusal } from '../../store/refusal.ts';
import type { Pulling } from './apply.ts';

/**
 * Returns the items of this source that were deleted there. A feed lists deletions. An item that is
 * missing in a list, or in a feed that was read again, must be confirmed: items move between pages
 * while they are read, and a broken product can lose a part of its list. Throws `Refusal` if the list
 * is empty, and `SourceFailure` if a confirmation fails.
 */
export async function findGone(
  pulling: Pulling,
  page: PulledPage,
  target: ProductTarget,
): Promise<string[]> {
  const gone = [...page.deleted];
  if (page.complete === undefined) return gone;
  const missing = await missingItems(pulling, page.complete);
  if (missing.length === 0) return gone;
  if (page.complete.size === 0)
    throw new Refusal(
      `${target.source.name} lists nothing at all, so nothing was deleted. If that is right, delete the memories with "memories delete".`,
    );
  return [...gone, ...(await confirmed(target, missing))];
}

async function missingItems(
  { engine, key }: Pulling,
  complete: ReadonlySet<string>,
): Promise<string[]> {
  return engine.withWriter(async ({ sourceMemories }) => {
    const missing = new Set<string>();
    for (let after = ''; ;) {
      const notes = await sourceMemories.page(key, after);
      for (const { item_id } of notes) if (!complete.has(item_id)) missing.add(item_id);
      const last = notes.at(-1);
      if (last === undefined) return [...missing];
      after = last.memory_id;
    }
  });
}

async function confirmed(target: ProductTarget, missing: readonly string[]): Promise<string[]> {
  const { one } = target.source;
  if (one === undefined) {
    const again = await listIds(target);
    return missing.filter((id) => !again.has(id));
  }
  const gone: string[] = [];
  for (const id of missing) if (await isGone(target, one(id))) gone.push(id);
  return gone;
}
