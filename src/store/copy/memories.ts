// Copies the memories of one account: compares both sides page by page, sends differences, deletes leftovers.

import type { Awaitable } from '../../lib/async.ts';
import { memoryOf } from '../check/memories.ts';
import { damagedMemory, matchesHash } from '../check/on-read.ts';
import { toMemoryRow, type PreparedMemory } from '../import/memory-row.ts';
import { build, query, type Slot } from '../sql/query.ts';
import { comparableFacts, FACT_COLUMNS } from './digest.ts';
import type { Journal } from './journal.ts';
import { find, PAGE_ROWS, pages, type CopySide, type CopyTarget } from './tables.ts';

/** The most bytes of memories per transaction, and one memory more. */
const BATCH_BYTES = 4 * 1024 * 1024;

/** After all ids, which are printable ASCII, so that both engines sort them alike. */
const LAST_ID = '\u007F';

/** One run of a copy. */
export interface CopyRun {
  readonly source: CopySide;
  readonly target: CopyTarget;
  readonly journal: Journal;
  /** Is called with the number of memories done, and how many of them had to be sent. */
  readonly onProgress: (done: { readonly memories: number; readonly sent: number }) => void;
}

/** Reads ids and hashes of the memories after an id, up to another. */
function hashesOf(side: CopySide, account_id: string, last = LAST_ID) {
  return ({ id }: { readonly id: string }) =>
    find(
      side,
      build
        .selectFrom('memories')
        .select(['id', 'body_sha256'])
        .where('account_id', '=', account_id)
        .where('id', '>', id)
        .where('id', '<=', last)
        .orderBy('id')
        .limit(PAGE_ROWS),
    );
}

const memory = query((slot: Slot<{ account_id: string; id: string }>) =>
  build
    .selectFrom('memories')
    .select([...FACT_COLUMNS, 'body'])
    .where('account_id', '=', slot('account_id'))
    .where('id', '=', slot('id')),
);

/** Makes the target's memories of an account equal to the source's. Rejects with `Refusal` if a source memory is damaged. */
export async function sendMemories(run: CopyRun, account_id: string): Promise<void> {
  const { source, target, journal, onProgress } = run;
  const write = (work: () => Awaitable<unknown>) =>
    target.connection.transaction(async () => {
      await journal.claim(account_id);
      await work();
    });
  for (let [id, last] = ['', '']; last !== LAST_ID; id = last) {
    const page = await hashesOf(source, account_id)({ id });
    last = page.length < PAGE_ROWS ? LAST_ID : (page.at(-1)?.id ?? LAST_ID);
    const known = new Map<string, string>();
    for await (const some of pages(hashesOf(target, account_id, last), { id }))
      for (const found of some) known.set(found.id, found.body_sha256);
    const changed = page.filter((each) => known.get(each.id) !== each.body_sha256);
    for await (const batch of batches(source, account_id, changed))
      await write(() => target.put(batch));
    for (const each of page) known.delete(each.id);
    if (known.size > 0)
      await write(async () => {
        for (const gone of known.keys()) await target.delete(account_id, gone);
      });
    onProgress({ memories: page.length, sent: changed.length });
  }
}

/** Reads memories in batches. Throws `Refusal` if bytes, hash and columns of one do not belong together. */
async function* batches(
  { name, connection }: CopySide,
  account_id: string,
  ids: readonly { readonly id: string }[],
): AsyncGenerator<readonly PreparedMemory[], void, undefined> {
  const read = connection.prepare(memory);
  let [batch, bytes]: [PreparedMemory[], number] = [[], 0];
  for (const { id } of ids) {
    const row = await read.get({ account_id, id });
    const parsed = row && matchesHash(row.body, row.body_sha256) ? memoryOf(row) : undefined;
    if (row === undefined || parsed?.user_id !== account_id)
      throw damagedMemory(name, { account_id, id });
    const made = toMemoryRow(account_id, parsed);
    if (JSON.stringify(comparableFacts(made)) !== JSON.stringify(comparableFacts(row)))
      throw damagedMemory(name, { account_id, id });
    batch.push({ row: made, memory: parsed });
    bytes += made.body.length;
    if (bytes < BATCH_BYTES) continue;
    yield batch;
    [batch, bytes] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}
