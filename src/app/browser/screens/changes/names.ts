// The names of changed memories, which the feed does not have: one page of the list, single reads for the rest, and the bin.

import { signal } from '@preact/signals';

import type { Change, Memory } from '../../../../contract/schemas/memory.ts';
import { canChange } from '../../parts/deleting.tsx';
import { api, app, toFailure } from '../../state/session.ts';

/** What a row shows of a memory. */
export type NamedChange = Pick<Memory, 'id' | 'name' | 'started_at'>;

/** The memories as they were at their changes, by `keyOf`. `undefined`: the gateway cannot read it. */
export const names = signal<ReadonlyMap<string, NamedChange | undefined>>(new Map());

/** Returns the key of a change in `names`. */
export function keyOf({ memory_id, changed_at }: Change): string {
  return `${memory_id} ${changed_at}`;
}

const FIELDS = ['name', 'started_at'] as const;
const AT_ONCE = 4;
const MOST_KEPT = 2000;

/** Reads the names that are missing. What cannot be read stays without a name, as what has left the bin. */
export async function readNames(changes: readonly Change[]): Promise<void> {
  const missing = (kind: Change['change']) =>
    changes.filter((each) => each.change === kind && !names.peek().has(keyOf(each)));
  if (missing('delete').length > 0 && canChange())
    await readFrom(missing('delete'), app.deletions.list);
  // What changed last is most often among the newest memories.
  const upserts = missing('upsert');
  if (upserts.length > 0)
    await readFrom(upserts, async () => {
      const { items } = await api.memories.page({ limit: 2 * upserts.length, fields: FIELDS });
      return items;
    });
  const rest = missing('upsert').values();
  const work = async () => {
    for (const change of rest) await readOne(change);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/** Reads a list, and keeps the names that are in it. */
async function readFrom(
  changes: readonly Change[],
  list: () => Promise<readonly NamedChange[]>,
): Promise<void> {
  try {
    const byId = new Map((await list()).map((item) => [item.id, item]));
    keep(
      changes.flatMap((change) => {
        const found = byId.get(change.memory_id);
        return found === undefined ? [] : [[keyOf(change), found]];
      }),
    );
  } catch (error) {
    toFailure(error); // names are missing then, and those of memories are read one by one
  }
}

async function readOne(change: Change): Promise<void> {
  try {
    const found = await api.memories.get({ memory_id: change.memory_id, fields: FIELDS });
    keep([[keyOf(change), found]]);
  } catch (error) {
    // Without a connection it stays missing, and is read when the connection is back.
    if (toFailure(error).status !== 0) keep([[keyOf(change), undefined]]);
  }
}

function keep(found: readonly (readonly [string, NamedChange | undefined])[]): void {
  const old = names.peek().size > MOST_KEPT ? [] : names.peek();
  names.value = new Map([...old, ...found]);
}
