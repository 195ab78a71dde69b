// Removes grants with their tokens: one grant, or those of an account that can be of no more use.

import type { Connection } from '../../sql/query.ts';
import { build, query, type Slot } from '../../sql/query.ts';
import { deleteRows } from '../../sql/row-queries.ts';

/** How long a grant may be without a token: its code is on the way, within the same request. */
const WAITS_MS = 60_000;

const tokensOf = deleteRows('grant_tokens', ['grant_id']);

const grant = deleteRows('grants', ['id']);

type Ended = { account_id: string; now: number };

const expiredTokens = query((slot: Slot<Ended>) =>
  build
    .deleteFrom('grant_tokens')
    .where('account_id', '=', slot('account_id'))
    .where((eb) =>
      eb.or([
        eb('expires_at', '<=', slot('now')),
        eb('grant_id', 'in', (of) =>
          of
            .selectFrom('grants')
            .select('id')
            .where('account_id', '=', slot('account_id'))
            .where('expires_at', '<=', slot('now')),
        ),
      ]),
    ),
);

const deadGrants = query((slot: Slot<Ended & { since: number }>) =>
  build
    .deleteFrom('grants')
    .where('account_id', '=', slot('account_id'))
    .where((eb) =>
      eb.or([eb('expires_at', '<=', slot('now')), eb('created_at', '<', slot('since'))]),
    )
    .where('id', 'not in', (of) =>
      of.selectFrom('grant_tokens').select('grant_id').where('account_id', '=', slot('account_id')),
    ),
);

/** Creates the function that removes a grant and its tokens, in the transaction of the connection. */
export function createRemoveGrant({ prepare }: Connection): (id: string) => Promise<void> {
  return async (id) => {
    await prepare(tokensOf).run({ grant_id: id });
    await prepare(grant).run({ id });
  };
}

/** Removes the expired tokens of an account, and its grants that have expired or that no token can use. */
export async function removeExpired({ prepare }: Connection, ended: Ended): Promise<void> {
  await prepare(expiredTokens).run(ended);
  await prepare(deadGrants).run({ ...ended, since: ended.now - WAITS_MS });
}
