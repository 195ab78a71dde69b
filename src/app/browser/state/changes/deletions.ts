// Deletions: deletes memories, and restores them if that is undone.

import { counted, countedMemories } from '../../format.ts';
import { titleOf } from '../../parts/title.ts';
import { list, showNews } from '../list/list.ts';
import { app } from '../session.ts';
import { changeOwn } from './change-list.ts';
import { offer, undoable } from './undo.ts';

/** The most ids of a request, whose body has at most 8 kB. */
const AT_ONCE = 60;

/** Deletes memories. Rejects with `Failure`. */
export async function deleteMemories(ids: readonly string[]): Promise<void> {
  const kept: Awaited<ReturnType<typeof app.deletions.create>> = [];
  const before = undoable.peek(); // it still can be undone if nothing is deleted
  offer({ said: 'Deleting…' });
  try {
    await changeOwn(async () => {
      for (const some of partsOf(ids)) kept.push(...(await app.deletions.create({ ids: some })));
    });
  } finally {
    const closed = kept.reduce((sum, { closed_links }) => sum + closed_links, 0);
    offer(
      kept.length > 0
        ? {
            said: `${namedOrCounted(kept)} moved to the bin.${closed > 0 ? ` ${counted(closed, 'shared link')} closed.` : ''}`,
            undo: () => restore(kept.map(({ id }) => id)),
          }
        : before,
    );
  }
}

/** Returns the name of a single memory, or how many there are. */
export function namedOrCounted(memories: readonly { readonly name: string }[]): string {
  const [one, other] = memories;
  return one && !other ? `“${titleOf(one.name)}”` : countedMemories(memories.length);
}

/** Brings memories back from the bin. Rejects with `Failure`. */
export async function restore(ids: readonly string[]): Promise<void> {
  await changeOwn(async () => {
    for (const some of partsOf(ids)) await app.deletions.undo({ ids: some });
  });
  if (list.peek().opened !== undefined) await showNews();
}

function* partsOf(ids: readonly string[]): Generator<string[]> {
  for (let from = 0; from < ids.length; from += AT_ONCE) yield ids.slice(from, from + AT_ONCE);
}
