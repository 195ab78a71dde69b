// Vectors on SQLite: the sign bits of an account in the order of its ids, and the vectors of single memories.

import type { Database } from 'better-sqlite3';

import { facetValues, hasFacets, OF_SIGNS, perCount } from '../../sql/facets.ts';
import { ofSameMemory } from '../../sql/joins.ts';
import { build, query, type Slot } from '../../sql/query.ts';
import type { SyncStore } from '../../store.ts';
import { SIGN_ROWS, toSignBatch, type VectorKind } from '../../vectors/vectors.ts';
import { prepareOn } from '../statements.ts';

interface SignValues extends VectorKind {
  readonly account_id: string;
  readonly after: string;
}

const signsWith = (count: number) =>
  query((slot: Slot<SignValues>) =>
    build
      .selectFrom('vector_signs')
      .select(['memory_id', 'started_at', 'is_processing', 'signs'])
      .$if(count > 0, (all) => all.select(hasFacets(OF_SIGNS, { slot, count }).as('has_facets')))
      .where('account_id', '=', slot('account_id'))
      .where('memory_id', '>', slot('after'))
      .where('model', '=', slot('model'))
      .where('cut', '=', slot('cut'))
      .orderBy('memory_id')
      .limit((eb) => eb.lit(SIGN_ROWS)),
  );

const vectors = query((slot: Slot<VectorKind & { account_id: string; id: string }>) =>
  build
    .selectFrom('vector_signs')
    .innerJoin('vector_values', ofSameMemory('vector_values', 'vector_signs'))
    .select([
      'vector_signs.memory_id',
      'vector_signs.body_sha256',
      'vector_signs.signs',
      'vector_values.numbers',
    ])
    .where('vector_signs.account_id', '=', slot('account_id'))
    .where('vector_signs.memory_id', '=', slot('id'))
    .where('vector_signs.model', '=', slot('model'))
    .where('vector_signs.cut', '=', slot('cut')),
);

/** Creates the reads of vectors on a connection. */
export function vectorReads(db: Database): Pick<SyncStore, 'signs' | 'vectors'> {
  const held = {
    signs: perCount((count) => prepareOn(db, signsWith(count))),
    vectors: prepareOn(db, vectors),
  };
  return {
    signs(range) {
      const { facets = [] } = range;
      const values = { ...range, after: range.after ?? '', ...facetValues(facets) };
      return toSignBatch(held.signs(facets.length).all(values), range);
    },
    vectors: ({ ids, ...kind }) => ids.flatMap((id) => held.vectors.get({ ...kind, id }) ?? []),
  };
}
