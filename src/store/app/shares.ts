// Shares: links to memories, by the hash of their secret, with what their pages show.

import { randomUUID } from 'node:crypto';

import { isThere } from '../bin/bin-sql.ts';
import { build, query, type Slot } from '../sql/query.ts';
import { deleteRows, insertRow } from '../sql/row-queries.ts';
import { createSecret, hashSecret, requireAccount, type AppAccess } from './access.ts';
import { requireRoom } from './caps.ts';
import { addEvent } from './log.ts';
import type { ShareStore } from './owner-stores.ts';

type OfAccount = { account_id: string };

const COLUMNS = [
  'id',
  'account_id',
  'memory_id',
  'content',
  'created_at',
  'expires_at',
  'visits',
] as const;

const notEnded = (slot: Slot<OfAccount & { now: number }>) =>
  build
    .selectFrom('shares')
    .where('account_id', '=', slot('account_id'))
    .where('expires_at', '>', slot('now'));

const listOf = query((slot: Slot<OfAccount & { now: number }>) =>
  notEnded(slot)
    .select(COLUMNS)
    .select((eb) =>
      eb
        .not(
          eb.exists(
            eb
              .selectFrom('memories')
              .select('memories.id')
              .whereRef('memories.account_id', '=', 'shares.account_id')
              .whereRef('memories.id', '=', 'shares.memory_id'),
          ),
        )
        .as('in_bin'),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id'),
);

/** Without their content, which may be long. */
const memoriesOf = query((slot: Slot<OfAccount & { now: number }>) =>
  notEnded(slot).select('memory_id'),
);

const insert = insertRow('shares');

const removeExpired = query((slot: Slot<OfAccount & { now: number }>) =>
  build
    .deleteFrom('shares')
    .where('account_id', '=', slot('account_id'))
    .where('expires_at', '<=', slot('now')),
);

const removeOne = deleteRows('shares', ['account_id', 'id'], ['memory_id']);

const bySecret = query((slot: Slot<{ secret_sha256: string; now: number }>) =>
  build
    .selectFrom('shares')
    .innerJoin('accounts', 'accounts.id', 'shares.account_id')
    .select(['account_id', 'memory_id', 'content', 'expires_at'])
    .where('secret_sha256', '=', slot('secret_sha256'))
    .where('expires_at', '>', slot('now'))
    .where('accounts.disabled_at', 'is', null),
);

const countVisit = query((slot: Slot<{ secret_sha256: string }>) =>
  build
    .updateTable('shares')
    .set((eb) => ({ visits: eb('visits', '+', 1) }))
    .where('secret_sha256', '=', slot('secret_sha256')),
);

/** Creates the reads and writes of shares. */
export function shareStore({ now, read, write, tryWrite }: AppAccess): ShareStore {
  return {
    list: (account_id) =>
      read({ account_id }, async ({ prepare }) =>
        // SQLite has no booleans.
        (await prepare(listOf).all({ account_id, now: now() })).map((share) => ({
          ...share,
          in_bin: Boolean(share.in_bin),
        })),
      ),
    listMemories: (account_id) =>
      read({ account_id }, ({ prepare }) => prepare(memoriesOf).all({ account_id, now: now() })),
    create: ({ agent, ...share }) =>
      write({ account_id: share.account_id }, async (on) => {
        const { account_id, memory_id } = share;
        await requireAccount(on, account_id);
        // Deleted since its content was read.
        if ((await on.prepare(isThere).get({ account_id, memory_id })) === undefined)
          return undefined;
        const created_at = on.now();
        await on.prepare(removeExpired).run({ account_id, now: created_at });
        await requireRoom(on, 'shares', account_id);
        const secret = createSecret();
        const record = { ...share, id: randomUUID(), created_at, visits: 0 };
        await on.prepare(insert).run({ ...record, secret_sha256: hashSecret(secret) });
        await addEvent(on, { account_id, kind: 'share-created', subject: memory_id, agent });
        return { secret, record };
      }),
    remove: ({ account_id, id, agent }) =>
      write({ account_id }, async (on) => {
        const removed = await on.prepare(removeOne).get({ account_id, id });
        if (removed === undefined) return false;
        const subject = removed.memory_id;
        await addEvent(on, { account_id, kind: 'share-revoked', subject, agent });
        return true;
      }),
    find: async (secret) => {
      const secret_sha256 = hashSecret(secret);
      const share = await read({ secret: secret_sha256 }, ({ prepare }) =>
        prepare(bySecret).get({ secret_sha256, now: now() }),
      );
      if (share === undefined) return undefined;
      // A transaction that names a secret sees no memories.
      const { account_id, memory_id } = share;
      const memory = await read({ account_id }, ({ prepare }) =>
        prepare(isThere).get({ account_id, memory_id }),
      );
      return memory && share;
    },
    countVisit: (secret) => {
      const secret_sha256 = hashSecret(secret);
      return tryWrite({ secret: secret_sha256 }, async ({ prepare }) => {
        await prepare(countVisit).run({ secret_sha256 });
      });
    },
  };
}
