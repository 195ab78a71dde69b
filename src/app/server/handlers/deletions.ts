// Handlers of deletions: they check that the memories are there, and let the program delete or restore them.

import { Failure } from '../../../contract/failure.ts';
import { toJsonRecord } from '../../../lib/time.ts';
import { requireWriting, type AppContext } from '../app-parts.ts';
import { DONE, type AppCall, type GroupOf } from '../call.ts';
import type { Changes } from '../changes.ts';
import type { Reader } from '../sign-in/reader.ts';

const NOT_THERE =
  'This account has no memory with one of these ids, so nothing was deleted; reload the list.';
const NOT_IN_BIN =
  'A memory with one of these ids is not in the bin, so nothing was changed; reload the bin.';

/** The handlers of deletions. */
export const deletionHandlers: GroupOf<'deletions'> = {
  create: async (call) => {
    const { store, reader, input } = call;
    const ids = [...new Set(input.ids)];
    const shared = await store.shares.listMemories(reader.account_id);
    await change(call, { does: 'delete', ids, where: 'memories' });
    const deleted = new Set(ids);
    const bin = await store.bin.list(reader.account_id);
    const output = bin
      .filter(({ id }) => deleted.has(id))
      .map((each) => {
        const closed_links = shared.filter(({ memory_id }) => memory_id === each.id).length;
        return { ...toJsonRecord(each), closed_links };
      });
    return { output };
  },
  list: async ({ app, store, reader }) => {
    changesOf(app);
    return { output: (await store.bin.list(reader.account_id)).map(toJsonRecord) };
  },
  get: async ({ app, store, reader: { account_id }, input: { id } }) => {
    changesOf(app);
    const found = await store.bin.get({ account_id, memory_id: id });
    if (found === undefined) throw new Failure(404, NOT_IN_BIN);
    return { output: found };
  },
  undo: async (call) => {
    await change(call, { does: 'restore', ids: [...new Set(call.input.ids)], where: 'bin' });
    return DONE;
  },
  empty: async (call) => {
    const ids = [...new Set(call.input.ids)];
    changesOf(call.app);
    const isEmpty = (await call.store.bin.list(call.reader.account_id)).length === 0;
    if (ids.length > 0 || !isEmpty) await change(call, { does: 'empty', ids, where: 'bin' });
    return DONE;
  },
};

interface Wanted {
  readonly does: 'delete' | 'restore' | 'empty';
  readonly ids: readonly string[];
  readonly where: 'memories' | 'bin';
}

/** Makes a change to memories of the account. Rejects with a 404 if it does not have all of them. */
async function change(
  { app, store, reader: { account_id }, agent }: AppCall<unknown, Reader>,
  { does, ids, where }: Wanted,
): Promise<void> {
  const changes = changesOf(app);
  const requireAll = async () => {
    if (!(await store.bin.hasAll({ account_id, ids, where })))
      throw new Failure(404, where === 'bin' ? NOT_IN_BIN : NOT_THERE);
  };
  await changes.make({ account_id, agent, does, ids }, requireAll);
}

function changesOf(app: AppContext): Changes {
  return requireWriting(app, 'changes', 'memories delete');
}
