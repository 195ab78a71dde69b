// The app's own endpoints about OAuth clients as data: the owner's decision, and the grants.

import * as v from 'valibot';

import { AccountId } from '../contract/memory.ts';
import { AskingClient, AuthorizationQuery, Grant, Reads, RecordId, Time } from './records.ts';
import type { AppRoute } from './route.ts';

/** The endpoints about OAuth clients. */
export const grantRoutes = {
  grants: {
    list: {
      method: 'GET',
      path: '/app/v1/grants',
      summary: 'List the OAuth clients that are connected to the account, latest first',
      input: v.strictObject({}),
      output: v.array(Grant),
      failures: [401],
    },
    revoke: {
      method: 'DELETE',
      path: '/app/v1/grants/{id}',
      summary: 'Revoke a grant: the client cannot read any more',
      input: v.strictObject({ id: RecordId }),
      output: v.null(),
      failures: [401, 404],
    },
  },
  consents: {
    look: {
      method: 'POST',
      path: '/app/v1/consents/look',
      summary: 'Look at the request of an OAuth client, without deciding',
      input: v.strictObject({ query: AuthorizationQuery }),
      output: AskingClient,
      failures: [401, 404, 422],
    },
    allow: {
      method: 'POST',
      path: '/app/v1/consents',
      summary: 'Allow the request of an OAuth client',
      input: v.strictObject({
        query: AuthorizationQuery,
        /** The account that the page shows. If another one has signed in since, nothing is allowed. */
        account: AccountId,
        reads: Reads,
        started_after: Time,
        started_before: Time,
        /** For how many days. */
        days: v.pipe(
          v.number(),
          v.integer(),
          v.minValue(1),
          v.maxValue(365),
          v.description('days, from 1 to 365'),
        ),
      }),
      /** Where the browser goes, with the code. */
      output: v.object({ location: v.string() }),
      failures: [401, 404, 409, 422],
    },
    deny: {
      method: 'POST',
      path: '/app/v1/consents/deny',
      summary: 'Deny the request of an OAuth client',
      input: v.strictObject({ query: AuthorizationQuery }),
      output: v.object({ location: v.string() }),
      failures: [401, 404, 422],
    },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, AppRoute>>>>;
