// The codes and tokens of grants, found by their hash. A code or refresh token is used once.

import { andThen } from '../../../lib/async.ts';
import { build, query, type Slot } from '../../sql/query.ts';
import { deleteRows, insertRow, selectRows } from '../../sql/row-queries.ts';
import { hashSecret, type AppAccess } from '../access.ts';
import type { GrantTokenStore } from './connect-store.ts';
import { removeExpired } from './grant-removal.ts';

/** How many tokens a grant has at most, used ones included. A client that needs a new one each hour is far below. */
const MAX_TOKENS = 1000;

const insert = insertRow('grant_tokens', { leftOut: ['used_at'] });

const grantOf = selectRows('grants', { columns: ['id'], by: ['id'] });

/** Leaves room for one more token: the oldest end. */
const makeRoom = query((slot: Slot<{ grant_id: string }>) =>
  build
    .deleteFrom('grant_tokens')
    .where('grant_id', '=', slot('grant_id'))
    .where('token_sha256', 'not in', (eb) =>
      eb
        .selectFrom('grant_tokens')
        .select('token_sha256')
        .where('grant_id', '=', slot('grant_id'))
        .orderBy('created_at', 'desc')
        .orderBy('token_sha256')
        .limit(eb.lit(MAX_TOKENS - 1)),
    ),
);

const byHash = selectRows('grant_tokens', {
  columns: ['grant_id', 'account_id', 'kind', 'payload', 'expires_at', 'used_at'],
  by: ['token_sha256'],
});

/** Of two transactions, one alone changes the row. */
const noteUse = query((slot: Slot<{ token_sha256: string; at: number }>) =>
  build
    .updateTable('grant_tokens')
    .set({ used_at: slot('at') })
    .where('token_sha256', '=', slot('token_sha256'))
    .where('used_at', 'is', null),
);

const removeOne = deleteRows('grant_tokens', ['token_sha256']);

/** Creates the reads and writes of tokens. */
export function grantTokenStore({ read, write }: AppAccess): GrantTokenStore {
  return {
    add: ({ token, ...row }) =>
      write({ account_id: row.account_id }, async (on) => {
        const { account_id, grant_id } = row;
        const created_at = Date.now();
        await removeExpired(on, { account_id, now: created_at });
        if ((await on.prepare(grantOf).get({ id: grant_id })) === undefined) return false;
        await on.prepare(makeRoom).run({ grant_id });
        await on.prepare(insert).run({ ...row, token_sha256: hashSecret(token), created_at });
        return true;
      }),
    find: (token) => {
      const token_sha256 = hashSecret(token);
      return read({ secret: token_sha256 }, ({ prepare }) =>
        andThen(prepare(byHash).get({ token_sha256 }), (found) => found),
      );
    },
    use: (token) => {
      const token_sha256 = hashSecret(token);
      const at = Date.now();
      return write(
        { secret: token_sha256 },
        async ({ prepare }) => (await prepare(noteUse).run({ token_sha256, at })) === 1,
      );
    },
    remove: (token) => {
      const token_sha256 = hashSecret(token);
      return write({ secret: token_sha256 }, async ({ prepare }) => {
        await prepare(removeOne).run({ token_sha256 });
      });
    },
  };
}
