// The names of changed memories, which the feed does not have: one page of the list, and single reads for the rest.

import { signal } from '@preact/signals';

import type { Change, Memory } from '../../../../contract/schemas/memory.ts';
import { api, toFailure } from '../../state/session.ts';

/** What a row shows of a memory. */
export type NamedChange = Pick<Memory, 'id' | 'name' | 'started_at'>;

/** The memories as they were at their changes, by `keyOf`. `undefined`: the gateway cannot read it. */
export const names = signal<ReadonlyMap<string, NamedChange | undefined>>(new Map());

/** Returns the key of a change in `names`. */
export function keyOf({ memory_id, changed_at }: Change): string {
  return `${memory_id} ${changed_at}`;
}

const FIELDS = ['name', 'started_at'] as const;
const FEW = 4;
const AT_ONCE = 4;
const MOST_KEPT = 2000;

/** Reads the names that are missing. What cannot be read stays without a name. */
export async function readNames(changes: readonly Change[]): Promise<void> {
  const missing = () =>
    changes.filter((each) => each.change === 'upsert' && !names.peek().has(keyOf(each)));
  // What changed last is most often among the newest memories.
  if (missing().length > FEW) await readNewest(missing());
  const rest = missing().values();
  const work = async () => {
    for (const change of rest) await readOne(change);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

async function readNewest(changes: readonly Change[]): Promise<void> {
  try {
    const { items } = await api.memories.page({ limit: 2 * changes.length, fields: FIELDS });
    const byId = new Map(items.map((item) => [item.id, item]));
    keep(
      changes.flatMap((change) => {
        const found = byId.get(change.memory_id);
        return found === undefined ? [] : [[keyOf(change), found]];
      }),
    );
  } catch (error) {
    toFailure(error); // the reads of single memories follow
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
