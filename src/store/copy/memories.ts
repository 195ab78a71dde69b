// Copies the memories of one account: reads both sides in id order, sends differences, deletes leftovers.

import { damagedMemory, brokenOrder } from '../check/on-read.ts';
import type { PreparedMemory } from '../memory-row.ts';
import type { Journal } from './journal.ts';
import { toCheckedMemory, PAGE_ROWS } from './queries.ts';
import type { CopySide, CopyTarget } from './side.ts';

/** The most bytes of memories per transaction, unless a single memory is larger. */
const MAX_BATCH_BYTES = 4 * 1024 * 1024;

/** One run of a copy. */
export interface CopyRun {
  readonly source: CopySide;
  readonly target: CopyTarget;
  readonly journal: Journal;
  /** Is called with the number of memories done, and how many of them had to be sent. */
  readonly onProgress: (done: { readonly memories: number; readonly sent: number }) => void;
}

interface MemoryKey {
  readonly id: string;
  readonly body_sha256: string;
  readonly bytes: number;
}

/** Makes the target's memories of an account equal to the source's. Rejects with `Refusal` if a source memory is damaged. */
export async function sendMemories(run: CopyRun, account_id: string): Promise<void> {
  const { source, target, journal, onProgress } = run;
  for (let after: string | undefined = ''; after !== undefined;) {
    const wanted: readonly MemoryKey[] = await source.reads.places(account_id, after);
    const there: readonly MemoryKey[] = await target.reads.places(account_id, after);
    const end = commonEnd(wanted, there);
    const isNear = ({ id }: MemoryKey) => end === undefined || id <= end;
    const known = new Map(there.filter(isNear).map(({ id, body_sha256 }) => [id, body_sha256]));
    const near = wanted.filter(isNear);
    let sent = 0;
    for (const some of batches(near, ({ id, body_sha256 }) => known.get(id) !== body_sha256)) {
      const [first, last] = [some[0] as MemoryKey, some.at(-1) as MemoryKey];
      const rows = await source.reads.memories(account_id, first.id, last.id);
      if (rows.length !== some.length) throw brokenOrder(source.name, account_id);
      const memories = rows.map((row) => checkedOf(source, row));
      await target.connection.transaction(async () => {
        await journal.claim(account_id);
        await target.put(memories);
      });
      sent += some.length;
    }
    for (const { id } of near) known.delete(id);
    if (known.size > 0) await deleteAll(run, account_id, [...known.keys()]);
    onProgress({ memories: near.length, sent });
    after = end;
  }
}

function checkedOf({ name }: CopySide, row: Parameters<typeof toCheckedMemory>[0]): PreparedMemory {
  const ready = toCheckedMemory(row);
  if (ready === undefined) throw damagedMemory(name, { account_id: row.account_id, id: row.id });
  return ready;
}

async function deleteAll({ target, journal }: CopyRun, account_id: string, ids: readonly string[]) {
  await target.connection.transaction(async () => {
    await journal.claim(account_id);
    for (const id of ids) await target.delete(account_id, id);
  });
}

/** Returns the last id that both pages cover, or undefined if both reach the end. Ids are ASCII, so both engines sort them alike. */
function commonEnd(...pages: readonly (readonly MemoryKey[])[]): string | undefined {
  const ends = pages
    .filter((page) => page.length === PAGE_ROWS)
    .map((page) => page.at(-1)?.id ?? '');
  return ends.toSorted((a, b) => (a < b ? -1 : 1))[0];
}

/** Groups the memories to send into batches of consecutive ids, so that a batch is one range query. */
function* batches(
  places: readonly MemoryKey[],
  isSent: (place: MemoryKey) => boolean,
): Generator<readonly MemoryKey[]> {
  let [some, bytes]: [MemoryKey[], number] = [[], 0];
  for (const place of places) {
    const isIn = isSent(place);
    if (some.length > 0 && (!isIn || bytes + place.bytes > MAX_BATCH_BYTES)) {
      yield some;
      [some, bytes] = [[], 0];
    }
    if (!isIn) continue;
    some.push(place);
    bytes += place.bytes;
  }
  if (some.length > 0) yield some;
}
