// Edits as the app reads them: what was put right, and what it was before.

import * as v from 'valibot';

import { fromJson, type Json } from '../../contract/json.ts';
import { Details } from '../../contract/schemas/details.ts';
import { matchesHash } from '../check/on-read.ts';
import { ofAccount } from '../sql/corrections.ts';
import { bySlot, document } from '../sql/details.ts';
import { query } from '../sql/query.ts';
import type { AppAccess } from './access.ts';
import type { EditStore } from './owner-stores.ts';

const details = query(document(bySlot));
const Applied = v.pick(Details, ['corrections']);

/** Creates the reads of edits. */
export function editStore({ read }: AppAccess): EditStore {
  return {
    list: (account_id) =>
      read({ account_id }, ({ prepare }) => prepare(ofAccount).all({ account_id })),
    applied: ({ account_id, ids }) =>
      read({ account_id }, async ({ prepare }) => {
        const found = new Map<string, Details['corrections']>();
        for (const id of new Set(ids)) {
          const row = await prepare(details).get({ account_id, id });
          if (row === undefined || !matchesHash(row.body, row.body_sha256)) continue;
          const { corrections } = v.parse(Applied, fromJson(row.body as Json<Details>));
          found.set(id, corrections);
        }
        return found;
      }),
  };
}
