// Ends the sessions and sign-in links of an account.

import { andThen, type Awaitable } from '../../../lib/async.ts';
import type { Connection } from '../../sql/query.ts';
import { build, query, type Slot } from '../../sql/query.ts';
import { deleteRows } from '../../sql/row-queries.ts';

const removeSessions = query((slot: Slot<{ account_id: string; except: string }>) =>
  build
    .deleteFrom('sessions')
    .where('account_id', '=', slot('account_id'))
    .where('id', '!=', slot('except')),
);

const removeLinks = deleteRows('sign_in_links', ['account_id']);

/**
 * Ends the sessions of an account, but for one, and its sign-in links, in the transaction of the
 * connection. Returns how many sessions ended.
 */
export function endSessions(
  { prepare }: Connection,
  account_id: string,
  except = '', // no session has this id
): Awaitable<number> {
  return andThen(prepare(removeSessions).run({ account_id, except }), (ended) =>
    andThen(prepare(removeLinks).run({ account_id }), () => ended),
  );
}
