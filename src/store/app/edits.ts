// Edits and imports as the app reads them: the names and starts that were put right, the ones before, and the sources of memories.

import * as v from 'valibot';

import { fromJson, type Json } from '../../contract/json.ts';
import { Details } from '../../contract/schemas/details.ts';
import { matchesHash } from '../check/on-read.ts';
import { ofAccount } from '../sql/corrections.ts';
import { bySlot, document } from '../sql/details.ts';
import { ofSameMemory } from '../sql/joins.ts';
import { build, query, type Slot } from '../sql/query.ts';
import type { AppAccess } from './access.ts';
import type { EditStore } from './owner-stores.ts';

const details = query(document(bySlot));
const Applied = v.pick(Details, ['corrections']);

const sources = query((slot: Slot<{ account_id: string; from: number; to: number }>) =>
  build
    .selectFrom('changes')
    .innerJoin('facets', ofSameMemory('facets', 'changes'))
    .select((eb) => [eb.fn.max('facets.name').as('name'), eb.fn.countAll<number>().as('memories')])
    .where('changes.account_id', '=', slot('account_id'))
    .where('changes.changed_at', '>=', slot('from'))
    .where('changes.changed_at', '<=', slot('to'))
    .where('facets.kind', '=', 'source')
    .groupBy('facets.folded')
    .orderBy('memories', 'desc')
    .orderBy('facets.folded'),
);

/** Creates the reads of edits and imports. */
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
    sources: (written) =>
      read({ account_id: written.account_id }, ({ prepare }) => prepare(sources).all(written)),
  };
}
