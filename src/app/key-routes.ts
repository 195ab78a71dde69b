// The app's own endpoints about API keys as data.

import * as v from 'valibot';

import { Label } from '../contract/label.ts';
import { Key, NewKey, Reads, RecordId, Time } from './records.ts';
import type { AppRoute } from './route.ts';

/** The endpoints about API keys. */
export const keyRoutes = {
  keys: {
    list: {
      method: 'GET',
      path: '/app/v1/keys',
      summary: 'List the API keys of the account, latest first',
      input: v.strictObject({}),
      output: v.array(Key),
      failures: [401],
    },
    create: {
      method: 'POST',
      path: '/app/v1/keys',
      summary: 'Create an API key',
      /** `expires_at` null: never. */
      input: v.strictObject({
        label: Label,
        expires_at: Time,
        reads: v.optional(Reads, 'all'),
        started_after: v.optional(Time, null),
        started_before: v.optional(Time, null),
      }),
      output: NewKey,
      failures: [401, 409, 422],
    },
    rotate: {
      method: 'POST',
      path: '/app/v1/keys/{id}/rotate',
      summary: 'Create a successor of a key, and end the key after a grace period',
      input: v.strictObject({
        id: RecordId,
        /** For how many seconds the old key still works. 0: it ends at once. */
        grace: v.pipe(
          v.number(),
          v.integer(),
          v.minValue(0),
          v.maxValue(2_592_000),
          v.description('seconds, from 0 to 2592000'),
        ),
      }),
      output: NewKey,
      failures: [401, 404, 409, 422],
    },
    revoke: {
      method: 'DELETE',
      path: '/app/v1/keys/{id}',
      summary: 'Revoke a key',
      input: v.strictObject({ id: RecordId }),
      output: v.null(),
      failures: [401, 404],
    },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, AppRoute>>>>;
