// Grants: what an account lets an OAuth client read, found by the hash of an access token, and ended.

import { v7 as uuid } from 'uuid';

import { andThen } from '../../../lib/async.ts';
import { SCOPE_COLUMNS, scopeOf, toScopeColumns } from '../../scope.ts';
import { build, query, type Slot } from '../../sql/query.ts';
import { insertRow } from '../../sql/row-queries.ts';
import type { AppRow } from '../../sql/tables/app-tables.ts';
import { requireAccount, type AppAccess } from '../access.ts';
import { requireRoom } from '../caps.ts';
import { credentialUse } from '../credential-use.ts';
import { addEvent } from '../log.ts';
import type { GrantRecord, GrantStore } from './connect-store.ts';
import { createRemoveGrant, removeExpired } from './grant-removal.ts';

const COLUMNS = [
  'grants.id',
  'grants.account_id',
  'grants.client_id',
  'grants.client_name',
  'grants.redirect_host',
  'grants.resource',
  ...SCOPE_COLUMNS,
  'grants.created_at',
  'grants.expires_at',
  'grants.last_used_at',
] as const;

const byToken = query((slot: Slot<{ token_sha256: string; now: number }>) =>
  build
    .selectFrom('grant_tokens')
    .innerJoin('grants', 'grants.id', 'grant_tokens.grant_id')
    .innerJoin('accounts', 'accounts.id', 'grants.account_id')
    .select(COLUMNS)
    .where('grant_tokens.token_sha256', '=', slot('token_sha256'))
    .where('grant_tokens.kind', '=', 'access')
    .where('grant_tokens.expires_at', '>', slot('now'))
    .where('grants.expires_at', '>', slot('now'))
    .where('accounts.disabled_at', 'is', null),
);

const byId = query((slot: Slot<{ id: string }>) =>
  build.selectFrom('grants').select(COLUMNS).where('grants.id', '=', slot('id')),
);

/** A grant whose code was never redeemed has no token left, and is of no more use to anybody. */
const listOf = query((slot: Slot<{ account_id: string; now: number }>) =>
  build
    .selectFrom('grants')
    .select(COLUMNS)
    .where('account_id', '=', slot('account_id'))
    .where('expires_at', '>', slot('now'))
    .where('id', 'in', (of) =>
      of
        .selectFrom('grant_tokens')
        .select('grant_id')
        .where('account_id', '=', slot('account_id'))
        .where('expires_at', '>', slot('now')),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc'),
);

const insert = insertRow('grants', { leftOut: ['last_used_at'] });

/** A registered client is kept as long as a grant to it. */
const keepClient = query((slot: Slot<{ id: string; until: number }>) =>
  build
    .updateTable('oauth_clients')
    .set({ kept_until: slot('until') })
    .where('id', '=', slot('id'))
    .where('kept_until', '<', slot('until')),
);

/** Creates the reads and writes of grants. */
export function grantStore(access: AppAccess): GrantStore {
  const { read, write } = access;
  return {
    ...credentialUse('grants', access),
    findByToken: (token_sha256) =>
      read({ secret: token_sha256 }, ({ prepare }) =>
        andThen(prepare(byToken).get({ token_sha256, now: Date.now() }), (row) =>
          row === undefined ? undefined : toRecord(row),
        ),
      ),
    get: (id) =>
      read({ secret: id }, ({ prepare }) =>
        andThen(prepare(byId).get({ id }), (row) =>
          row === undefined ? undefined : toRecord(row),
        ),
      ),
    list: (account_id) =>
      read({ account_id }, ({ prepare }) =>
        andThen(prepare(listOf).all({ account_id, now: Date.now() }), (rows) => rows.map(toRecord)),
      ),
    create: ({ agent, scope, ...grant }) =>
      write({ account_id: grant.account_id }, async (on) => {
        const { account_id, client_id, client_name, expires_at } = grant;
        const now = Date.now();
        await requireAccount(on, account_id);
        await removeExpired(on, { account_id, now });
        await requireRoom(on, 'grants', account_id);
        const row = { ...grant, ...toScopeColumns(scope), id: uuid(), created_at: now };
        await on.prepare(insert).run(row);
        await on.prepare(keepClient).run({ id: client_id, until: expires_at });
        await addEvent(on, { account_id, kind: 'grant-allowed', subject: client_name, agent });
        return toRecord({ ...row, last_used_at: null });
      }),
    revoke: ({ account_id, id, agent }) =>
      write({ account_id }, async (on) => {
        const found = await on.prepare(byId).get({ id });
        if (found?.account_id !== account_id) return false;
        await createRemoveGrant(on)(id);
        const subject = found.client_name;
        await addEvent(on, { account_id, kind: 'grant-revoked', subject, agent });
        return true;
      }),
    end: async (id) => {
      const found = await read({ secret: id }, ({ prepare }) => prepare(byId).get({ id }));
      // Within the account, so that no token is added meanwhile.
      if (found !== undefined)
        await write({ account_id: found.account_id }, async (on) => createRemoveGrant(on)(id));
    },
  };
}

function toRecord(row: AppRow<'grants'>): GrantRecord {
  const { reads, started_after, started_before, source, tags, ...grant } = row;
  return { ...grant, scope: scopeOf({ reads, started_after, started_before, source, tags }) };
}
