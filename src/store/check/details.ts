// Checks of details and originals: their bytes, and what belongs to them.

import { prepareDeleted } from '../bin/bin.ts';
import { readOriginal } from '../details/original.ts';
import { readUncorrected } from '../details/uncorrected.ts';
import { ofSameMemory, originalOfDetails } from '../sql/joins.ts';
import { build, query, type Slot } from '../sql/query.ts';
import { selectRows } from '../sql/row-queries.ts';
import type { DetailTables } from '../sql/tables/detail-tables.ts';
import { checkEach, REBUILD, RESTORE, show, type RowCheck } from './findings.ts';
import { matchesHash } from './on-read.ts';

/** The remedy for a document that only an import can make again. */
const IMPORT = 'import the memory again, or restore a backup';

const documents = selectRows('details', {});
const originals = selectRows('originals', {});

const deleted = selectRows('deleted_memories', {});

const withoutMemory = query((_: Slot<object>) =>
  build
    .selectFrom('details')
    .leftJoin('memories', ofSameMemory('memories', 'details'))
    .select(['details.account_id', 'details.memory_id'])
    .where('memories.id', 'is', null),
);

const withoutOriginal = query((_: Slot<object>) =>
  build
    .selectFrom('details')
    .leftJoin('originals', originalOfDetails)
    .select(['details.account_id', 'details.memory_id'])
    .where('details.original_sha256', 'is not', null)
    .where('originals.sha256', 'is', null),
);

const otherStart = query((_: Slot<object>) =>
  build
    .selectFrom('facets')
    .innerJoin('memories', ofSameMemory('memories', 'facets'))
    .select(['facets.account_id', 'facets.memory_id'])
    .distinct()
    .whereRef('facets.started_at', '!=', 'memories.started_at'),
);

const wrongTotals = query((_: Slot<object>) =>
  build
    .selectFrom('facet_totals as t')
    .select(['t.account_id', 't.kind', 't.folded'])
    .where((eb) =>
      eb(
        't.memories',
        '!=',
        eb
          .selectFrom('facets as f')
          .select((one) => one.fn.countAll<number>().as('n'))
          .whereRef('f.account_id', '=', 't.account_id')
          .whereRef('f.kind', '=', 't.kind')
          .whereRef('f.folded', '=', 't.folded')
          .whereRef('f.labels', '=', 't.labels'),
      ),
    ),
);

const uncorrected = selectRows('uncorrected', {});

/** The checks of details and originals. */
export const detailChecks: readonly RowCheck[] = [
  checkEach(documents, (row) =>
    matchesHash(row.body, row.body_sha256)
      ? undefined
      : `${detailsOf(row)} are damaged: their bytes have changed since they were written; ${IMPORT}.`,
  ),
  checkEach(originals, (row) =>
    readOriginal(row) === undefined
      ? `Original ${show(row.sha256)} of account ${show(row.account_id)} is damaged: its bytes have changed since it was written; ${IMPORT}.`
      : undefined,
  ),
  checkEach(deleted, (row) =>
    prepareDeleted(row) === undefined ||
    !matchesHash(row.slim, row.slim_sha256) ||
    (row.details !== null && !matchesHash(row.details, row.details_sha256))
      ? `Memory ${show(row.memory_id)} in the bin of account ${show(row.account_id)} is damaged: its bytes have changed since it was deleted; ${RESTORE}.`
      : undefined,
  ),
  checkEach(uncorrected, (row) =>
    readUncorrected(row) === undefined
      ? `Memory ${show(row.memory_id)} of account ${show(row.account_id)} is intact, but not what it was before its edits; ${IMPORT}.`
      : undefined,
  ),
  checkEach(
    withoutMemory,
    (row) => `${detailsOf(row)} are there, but the memory is not; ${REBUILD}.`,
  ),
  checkEach(
    withoutOriginal,
    (row) => `${detailsOf(row)} name an original that is missing; ${RESTORE}.`,
  ),
  checkEach(otherStart, (row) => `${detailsOf(row)} have another start than it has; ${REBUILD}.`),
  checkEach(
    wrongTotals,
    ({ account_id, kind, folded }) =>
      `The total of ${kind} ${show(folded)} of account ${show(account_id)} does not match its memories; ${REBUILD}.`,
  ),
];

type OfMemory = Pick<DetailTables['details'], 'account_id' | 'memory_id'>;

function detailsOf({ account_id, memory_id }: OfMemory): string {
  return `The details of memory ${show(memory_id)} of account ${show(account_id)}`;
}
