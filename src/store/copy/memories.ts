// The memories of one account: both sides are read in the order of ids, and what differs is sent or deleted.

import { damaged, disordered } from '../integrity.ts';
import type { Ready } from '../ready.ts';
import { checked } from './checked.ts';
import type { Notes } from './notes.ts';
import { PAGE } from './pages.ts';
import type { Side, Target } from './side.ts';

/** So many bytes of memories are sent in one transaction, unless one has more. */
const BATCH_BYTES = 4 * 1024 * 1024;

/** The two sides of a copy, and what has been done. */
export interface Run {
  readonly source: Side;
  readonly target: Target;
  readonly notes: Notes;
  /** Hears of memories that are done, and how many of them had to be sent. */
  readonly to: (done: { readonly memories: number; readonly sent: number }) => void;
}

interface Place {
  readonly id: string;
  readonly body_sha256: string;
  readonly bytes: number;
}

/** Makes the memories of an account in the target those of the source. Fails with `Refusal` where one is not as it was written. */
export async function sendMemories(run: Run, account_id: string): Promise<void> {
  const { source, target, notes, to } = run;
  for (let after: string | undefined = ''; after !== undefined;) {
    const wanted: readonly Place[] = await source.reads.places(account_id, after);
    const there: readonly Place[] = await target.reads.places(account_id, after);
    const end = endOf(wanted, there);
    const isNear = ({ id }: Place) => end === undefined || id <= end;
    const known = new Map(there.filter(isNear).map(({ id, body_sha256 }) => [id, body_sha256]));
    const near = wanted.filter(isNear);
    let sent = 0;
    for (const some of batches(near, ({ id, body_sha256 }) => known.get(id) !== body_sha256)) {
      const [first, last] = [some[0] as Place, some.at(-1) as Place];
      const rows = await source.reads.memories(account_id, first.id, last.id);
      if (rows.length !== some.length) throw disordered(source.name, account_id);
      const memories = rows.map((row) => checkedOf(source, row));
      await target.connection.transaction(async () => {
        await notes.claim(account_id);
        await target.put(memories);
      });
      sent += some.length;
    }
    for (const { id } of near) known.delete(id);
    if (known.size > 0) await deleteAll(run, account_id, [...known.keys()]);
    to({ memories: near.length, sent });
    after = end;
  }
}

function checkedOf({ name }: Side, row: Parameters<typeof checked>[0]): Ready {
  const ready = checked(row);
  if (ready === undefined) throw damaged(name, { account_id: row.account_id, id: row.id });
  return ready;
}

async function deleteAll({ target, notes }: Run, account_id: string, ids: readonly string[]) {
  await target.connection.transaction(async () => {
    await notes.claim(account_id);
    for (const id of ids) await target.delete(account_id, id);
  });
}

/** As far as both pages tell what there is; undefined where that is to the end. An id is ASCII, so its order is that of both engines. */
function endOf(...pages: readonly (readonly Place[])[]): string | undefined {
  const ends = pages.filter((page) => page.length === PAGE).map((page) => page.at(-1)?.id ?? '');
  return ends.toSorted((a, b) => (a < b ? -1 : 1))[0];
}

/** Cuts out what is to be sent: of each batch, all memories from its first to its last. */
function* batches(
  places: readonly Place[],
  isSent: (place: Place) => boolean,
): Generator<readonly Place[]> {
  let [some, bytes]: [Place[], number] = [[], 0];
  for (const place of places) {
    const isIn = isSent(place);
    if (some.length > 0 && (!isIn || bytes + place.bytes > BATCH_BYTES)) {
      yield some;
      [some, bytes] = [[], 0];
    }
    if (!isIn) continue;
    some.push(place);
    bytes += place.bytes;
  }
  if (some.length > 0) yield some;
}
