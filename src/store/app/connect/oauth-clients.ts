// The OAuth clients that have registered themselves. Everybody can register one, so unused ones are deleted.

import { andThen } from '../../../lib/async.ts';
import { DAY_MS } from '../../../lib/time.ts';
import { Refusal } from '../../refusal.ts';
import { build, query, type Slot } from '../../sql/query.ts';
import { insertRow } from '../../sql/row-queries.ts';
import type { AppAccess } from '../access.ts';
import type { OAuthClientStore } from './connect-store.ts';

/** How many clients there are at most. */
const MAX_CLIENTS = 1000;

/** How long a client is certain to be kept until its owner has decided. */
const SAFE_MS = DAY_MS / 24;

const insert = insertRow('oauth_clients');

const byId = query((slot: Slot<{ id: string; now: number }>) =>
  build
    .selectFrom('oauth_clients')
    .select(['id', 'metadata', 'created_at'])
    .where('id', '=', slot('id'))
    .where('kept_until', '>', slot('now')),
);

const removeUnused = query((slot: Slot<{ now: number }>) =>
  build.deleteFrom('oauth_clients').where('kept_until', '<=', slot('now')),
);

const count = query((_: Slot<object>) =>
  build.selectFrom('oauth_clients').select((eb) => eb.fn.countAll<number>().as('count')),
);

/** Of the clients without a grant, those that have waited for longest. Their time has not been moved. */
const removeWaiting = query((slot: Slot<{ since: number; lifetime: number }>) =>
  build
    .deleteFrom('oauth_clients')
    .where('created_at', '<', slot('since'))
    .where((eb) => eb('kept_until', '<=', eb('created_at', '+', slot('lifetime')))),
);

/** Creates the reads and writes of registered clients. */
export function oauthClientStore({ read, write }: AppAccess): OAuthClientStore {
  return {
    create: ({ id, metadata }) =>
      write({}, async ({ prepare }) => {
        const now = Date.now();
        const hasRoom = async () => ((await prepare(count).get({}))?.count ?? 0) < MAX_CLIENTS;
        await prepare(removeUnused).run({ now });
        if (!(await hasRoom()))
          await prepare(removeWaiting).run({ since: now - SAFE_MS, lifetime: DAY_MS });
        if (!(await hasRoom()))
          throw new Refusal(
            `There are ${MAX_CLIENTS} registered clients; try again in an hour, when unused ones are deleted.`,
            { code: 'too-many' },
          );
        await prepare(insert).run({ id, metadata, created_at: now, kept_until: now + DAY_MS });
      }),
    find: (id) =>
      read({}, ({ prepare }) =>
        andThen(prepare(byId).get({ id, now: Date.now() }), (found) => found),
      ),
  };
}
