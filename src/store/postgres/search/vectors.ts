// Vectors on PostgreSQL: the sign bits of an account in the order of its ids, and the vectors of some memories.

import type { RevisionResult } from '../../positions.ts';
import { facetValues, hasFacets, OF_SIGNS, perCount } from '../../sql/facets.ts';
import { ofSameMemory } from '../../sql/joins.ts';
import { query, type Slot } from '../../sql/query.ts';
import {
  SIGN_ROWS,
  toSignBatch,
  type MemoryVectors,
  type VectorKind,
  type VectorQuery,
} from '../../vectors/vectors.ts';
import { ACCOUNT, within, type ServerRead } from '../reads.ts';
import type { ConnectionPool } from '../servers/connection.ts';
import { postgresQuery as build, prepare } from '../statements.ts';

interface SignValues extends VectorKind {
  readonly account_id: string;
  readonly after: string;
}

const signsWith = perCount((count) =>
  prepare(
    query((slot: Slot<SignValues>) => {
      const found = build
        .selectFrom('vector_signs')
        .select(['memory_id', 'started_at', 'is_processing', 'signs'])
        .select((eb) =>
          (count > 0 ? hasFacets(OF_SIGNS, { slot, count }) : eb.lit(true)).as('has_facets'),
        )
        .whereRef('vector_signs.account_id', '=', ACCOUNT)
        .where('memory_id', '>', slot('after'))
        .where('model', '=', slot('model'))
        .where('cut', '=', slot('cut'))
        .orderBy('memory_id')
        .limit((eb) => eb.lit(SIGN_ROWS));
      return within(slot)
        .leftJoinLateral(found.as('found'), (join) => join.onTrue())
        .select([
          ...(['accounts.revision', 'found.memory_id', 'found.started_at'] as const),
          ...(['found.is_processing', 'found.signs', 'found.has_facets'] as const),
        ])
        .orderBy('found.memory_id');
    }),
  ),
);

const vectors = prepare(
  query((slot: Slot<VectorKind & { account_id: string; ids: readonly string[] }>) => {
    const found = build
      .selectFrom('vector_signs')
      .innerJoin('vector_values', ofSameMemory('vector_values', 'vector_signs'))
      .select([
        'vector_signs.memory_id',
        'vector_signs.body_sha256',
        'vector_signs.signs',
        'vector_values.numbers',
      ])
      .whereRef('vector_signs.account_id', '=', ACCOUNT)
      .where((eb) => eb('vector_signs.memory_id', '=', eb.fn<string>('any', [eb.val(slot('ids'))])))
      .where('vector_signs.model', '=', slot('model'))
      .where('vector_signs.cut', '=', slot('cut'));
    return within(slot)
      .leftJoinLateral(found.as('found'), (join) => join.onTrue())
      .select([
        ...(['accounts.revision', 'found.memory_id', 'found.body_sha256'] as const),
        ...(['found.signs', 'found.numbers'] as const),
      ]);
  }),
);

/** The reads of vectors on one server. */
export interface VectorReads extends ServerRead<'signs'> {
  vectors(wanted: VectorQuery): Promise<RevisionResult & { readonly found: MemoryVectors[] }>;
}

/** Creates the reads of vectors on a server. */
export function vectorReadsOf(run: ConnectionPool['query']): VectorReads {
  return {
    async signs(range) {
      const { facets = [] } = range;
      const values = { ...range, after: range.after ?? '', ...facetValues(facets) };
      const rows = await run(signsWith(facets.length)(), values);
      const found = rows.flatMap(({ memory_id, started_at, is_processing, signs, has_facets }) =>
        memory_id === null || started_at === null || is_processing === null || signs === null
          ? []
          : [{ memory_id, started_at, is_processing, signs, has_facets }],
      );
      return { ...toSignBatch(found, range), revision: rows[0]?.revision };
    },
    async vectors(wanted) {
      const rows = await run(vectors(), wanted);
      const found = rows.flatMap(({ memory_id, body_sha256, signs, numbers }) =>
        memory_id === null || body_sha256 === null || signs === null || numbers === null
          ? []
          : [{ memory_id, body_sha256, signs, numbers }],
      );
      return { revision: rows[0]?.revision, found };
    },
  };
}
