// Handlers of edits: they check that the memory or the edit is there, and let the program put memories right.

import { Failure } from '../../../contract/failure.ts';
import { toJsonRecord } from '../../../lib/time.ts';
import type { Correction } from '../../../store/details/corrections.ts';
import { facetKey } from '../../../store/details/facets.ts';
import type { NewEdit } from '../../contract/edit-input.ts';
import { requireWriting, type AppContext } from '../app-parts.ts';
import { DONE, type AppCall, type GroupOf } from '../call.ts';
import type { Changes } from '../changes.ts';
import type { Reader } from '../sign-in/reader.ts';

/** How many edits the list has at most. */
const MOST_LISTED = 1000;

const NO_MEMORY =
  'This account has no memory with this id, so nothing was changed; reload the page.';
const IN_BIN = 'This memory is in the bin, so nothing was changed; restore it first.';
const NO_EDIT =
  'This account has no edit with this id, so nothing was changed; if its memory is in the bin, restore it first, otherwise reload the page.';

type EditCall = AppCall<unknown, Reader>;

/** The handler of where changes come from. */
export const changeHandlers: GroupOf<'changes'> = {
  sources: async ({ store, reader: { account_id }, input: { from, to } }) => ({
    output: await store.edits.sources({ account_id, from: Date.parse(from), to: Date.parse(to) }),
  }),
};

/** The handlers of edits. */
export const editHandlers: GroupOf<'edits'> = {
  create: async (call) => {
    const { app, store, agent, input } = call;
    const { account_id } = call.reader;
    const changes = changesOf(app);
    const before = await store.edits.list(account_id);
    await changes.make({ account_id, agent, does: 'edit', edit: input }, () =>
      requireMemory(call, input.memory_id),
    );
    const after = await store.edits.list(account_id);
    const wanted = new Set(wantedOf(input).map(keyOf));
    const replaced = new Map(before.map((each) => [keyOf(each), each.new]));
    const made = after.filter((each) => wanted.has(keyOf(each)));
    const output = await toEdits(call, made);
    return {
      output: output.map((each, i) => ({
        ...each,
        replaced: replaced.get(keyOf(made[i] as Correction)) ?? null,
      })),
    };
  },
  list: async (call) => {
    changesOf(call.app);
    const all = await call.store.edits.list(call.reader.account_id);
    return { output: await toEdits(call, all.slice(-MOST_LISTED).toReversed()) };
  },
  undo: async (call) => {
    const { app, agent, input } = call;
    const { account_id } = call.reader;
    const changes = changesOf(app);
    await changes.make({ account_id, agent, does: 'undo', ids: [input.id] }, () =>
      requireEdit(call, input.id),
    );
    return DONE;
  },
};

async function requireMemory({ store, reader }: EditCall, id: string | undefined): Promise<void> {
  if (id === undefined) return;
  const { account_id } = reader;
  const isIn = (where: 'memories' | 'bin') => store.bin.hasAll({ account_id, ids: [id], where });
  if (await isIn('memories')) return;
  throw new Failure(404, (await isIn('bin')) ? IN_BIN : NO_MEMORY);
}

async function requireEdit({ store, reader }: EditCall, wanted: string): Promise<void> {
  const all = await store.edits.list(reader.account_id);
  if (!all.some(({ id }) => id === wanted)) throw new Failure(404, NO_EDIT);
}

type Place = Pick<Correction, 'memory_id' | 'field' | 'old'>;

/** Returns the places of the edits that a request makes. Each place has one edit. */
function wantedOf({ name, started_at, speakers = [], ...edit }: NewEdit): Place[] {
  const memory_id = edit.memory_id ?? null;
  return [
    ...(name === undefined ? [] : [{ memory_id, field: 'name', old: null } as const]),
    ...(started_at === undefined ? [] : [{ memory_id, field: 'started_at', old: null } as const]),
    ...speakers.map(({ from }) => ({ memory_id, field: 'speaker', old: from }) as const),
  ];
}

/** Returns the place of an edit as a text. */
function keyOf({ memory_id, field, old }: Place): string {
  return JSON.stringify([memory_id, field, facetKey(old ?? '')]);
}

function changesOf(app: AppContext): Changes {
  return requireWriting(app, 'changes', 'edit');
}

/** Returns edits with what was there before. Those of speakers know it, and the details of a memory do of its name and start. */
async function toEdits({ store, reader }: EditCall, edits: readonly Correction[]) {
  const ids = edits.flatMap(({ old, memory_id }) => (old === null && memory_id ? [memory_id] : []));
  const applied = await store.edits.applied({ account_id: reader.account_id, ids });
  return edits.map((edit) => {
    const { field, old, new: to, memory_id } = edit;
    const found = applied
      .get(memory_id ?? '')
      ?.findLast((each) => each.field === field && each.to === to);
    return { ...toJsonRecord(edit), from: old ?? found?.from ?? null, to };
  });
}
