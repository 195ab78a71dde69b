// The pulls of an account as its owner sets them up, and what the last runs of all its sources did.

import { randomUUID } from 'node:crypto';

import { andThen } from '../../lib/async.ts';
import { findPull } from '../sources/pulls.ts';
import { ofSource, type SourceRecord } from '../sources/runs.ts';
import { unreadFiles } from '../sources/watched-files.ts';
import { build, query, type Slot } from '../sql/query.ts';
import { deleteRows, insertRow, selectRows, updateRows } from '../sql/row-queries.ts';
import { ANY_ACCOUNT, requireAccount, type AppAccess } from './access.ts';
import { requireRoom } from './caps.ts';
import { addEvent } from './log.ts';
import type { PullStore } from './owner-stores.ts';

const any = query((_: Slot<object>) =>
  build
    .selectFrom('pulls')
    .select('id')
    .limit((eb) => eb.lit(1)),
);

const listOf = selectRows('pulls', { by: ['account_id'], order: ['name'] });

const runsOf = selectRows('sources', { by: ['account_id'], order: ['name'] });

const insert = insertRow('pulls');

const update = updateRows('pulls', {
  set: ['interval_ms', 'sealed_key', 'due_at'],
  by: ['account_id', 'id'],
});

const setDue = updateRows('pulls', { set: ['due_at'], by: ['account_id', 'id'] });

const removeOne = deleteRows('pulls', ['account_id', 'id'], ['name']);

/** Creates the reads and writes of pulls. */
export function pullStore({ read, write }: AppAccess): PullStore {
  return {
    isUsed: () =>
      read({ account_id: ANY_ACCOUNT }, ({ prepare }) =>
        andThen(prepare(any).get({}), (found) => found !== undefined),
      ),
    list: (account_id) =>
      read({ account_id }, ({ prepare }) => prepare(listOf).all({ account_id })),
    runs: (account_id) =>
      read({ account_id }, ({ prepare }) => prepare(runsOf).all({ account_id }) as SourceRecord[]),
    unread: (source, since) =>
      read(source, ({ prepare }) => prepare(unreadFiles).all({ ...ofSource(source), since })),
    save: ({ agent, ...given }) =>
      write({ account_id: given.account_id }, async (on) => {
        const { account_id, name } = given;
        await requireAccount(on, account_id);
        const now = on.now();
        const known = await on.prepare(findPull).get({ account_id, name });
        if (known === undefined) await requireRoom(on, 'pulls', account_id);
        const { sealed_key = known?.sealed_key ?? null, ...rest } = given;
        const made = {
          id: randomUUID(),
          created_at: now,
          ...known,
          ...rest,
          sealed_key,
          due_at: now,
        };
        if (known === undefined) await on.prepare(insert).run(made);
        else await on.prepare(update).run(made);
        const kind = known === undefined ? 'source-added' : 'source-changed';
        await addEvent(on, { account_id, kind, subject: name, agent });
        return made;
      }),
    setDue: ({ account_id, id }) =>
      write({ account_id }, async ({ prepare, now }) => {
        const changed = await prepare(setDue).run({ account_id, id, due_at: now() });
        return changed === 1;
      }),
    remove: ({ account_id, id, agent }) =>
      write({ account_id }, async (on) => {
        const removed = await on.prepare(removeOne).get({ account_id, id });
        if (removed === undefined) return false;
        await addEvent(on, { account_id, kind: 'source-removed', subject: removed.name, agent });
        return true;
      }),
  };
}
