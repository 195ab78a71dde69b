// Handlers of connected clients: the owner looks at a client's request, allows or denies it, and revokes grants.

import { Failure } from '../../../contract/failure.ts';
import { DAY_MS, toJsonRecord } from '../../../lib/time.ts';
import { toGrant } from '../app-json.ts';
import { DONE, type AppHandlers } from '../call.ts';
import type { Connector } from '../connector.ts';
import { toStoredScope } from '../scope.ts';

const NO_GRANT = 'There is no connected client with this id in your account; reload the list.';

const OTHER_ACCOUNT =
  'Another account has signed in with this browser, so nothing was allowed; reload the page.';

/** The handlers of connected clients. Without a connector there are none, and nobody can allow one. */
export function createGrantHandlers(
  connector: Connector | undefined,
): Pick<AppHandlers, 'grants' | 'consents'> {
  const connected = () => {
    if (connector !== undefined) return connector;
    throw new Failure(404, 'This gateway connects no OAuth clients; start it with --connect.');
  };
  return {
    grants: {
      list: async ({ store, reader }) => ({
        output: (await store.grants.list(reader.account_id)).map(toGrant),
      }),
      revoke: async ({ store, reader, agent, input: { id } }) => {
        const { account_id } = reader;
        if (!(await store.grants.revoke({ account_id, id, agent })))
          throw new Failure(404, NO_GRANT);
        return DONE;
      },
      reads: async ({ store, reader, input: { id } }) => {
        await connected().flush();
        const found = await store.grants.reads({ account_id: reader.account_id, id });
        if (found === undefined) throw new Failure(404, NO_GRANT);
        return { output: found.map(toJsonRecord) };
      },
    },
    consents: {
      look: async ({ input: { query } }) => {
        const looked = await connected().look(query);
        if ('client' in looked) return { output: { ...looked, problem: null, back: null } };
        return { output: { client: null, ...looked } };
      },
      allow: async ({ app, reader, agent, input }) => {
        const { query, account, days, ...scope } = input;
        if (account !== reader.account_id) throw new Failure(409, OTHER_ACCOUNT);
        const location = await connected().decide(query, {
          account_id: reader.account_id,
          scope: toStoredScope(scope),
          expires_at: app.gateway.now() + days * DAY_MS,
          agent,
        });
        return { output: { location } };
      },
      deny: async ({ input: { query } }) => ({
        output: { location: await connected().decide(query, null) },
      }),
    },
  };
}
