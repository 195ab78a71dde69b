// All statements that read from PostgreSQL, with example values, for tests of their plans and permissions.

import { dayTotals } from '../../../src/store/postgres/days.ts';
import { listOf, placesOf } from '../../../src/store/postgres/list-queries.ts';
import * as reads from '../../../src/store/postgres/reads.ts';
import { readSought } from '../../../src/store/postgres/search/search.ts';
import { prepare, type Prepared } from '../../../src/store/postgres/statements.ts';
import { account, apiKey } from '../../../src/store/sql/reads.ts';
import { LIST_SHAPES } from './list-shapes.ts';

/** A statement as the store runs it. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The values of a statement. */
export interface Asked {
  readonly account_id: string;
  readonly id: string;
  readonly q: string;
  readonly limit?: number;
  readonly maxBytes?: number;
  readonly since?: { readonly seq: number; readonly epoch: string };
}

/** All statements that read data of an account, by name. */
export function statementsOf(asked: Asked): Statement[] {
  const { account_id, id, q, limit = 50, maxBytes = 1 << 20 } = asked;
  const sought = readSought(q) ?? { match: '', phrases: [], unsure: [] };
  const bounds = { low_at: -9e15, low_id: '', high_at: 9e15, high_id: '' };
  const page = { account_id, is_processing: 0, ...bounds, ...sought, limit, maxBytes };
  const { seq, epoch } = asked.since ?? { seq: 0, epoch: '' };
  const since = { seq, epoch, latest_seq: seq, latest_epoch: epoch };
  const part = { starts: '0', ends: '9000000000000', shifts: '0' };
  return [
    statement('memory body', prepare(reads.memory.body)(), { account_id, id, known: '' }),
    statement('memory slim', prepare(reads.memory.slim)(), { account_id, id, known: '' }),
    statement('days', prepare(dayTotals(0))(), { account_id, ...part }),
    statement('changes desc', prepare(reads.changes.desc)(), { account_id, ...since, limit }),
    statement('changes', prepare(reads.changes.asc)(), { account_id, ...since, limit }),
    ...LIST_SHAPES.map(({ projection, ...shape }) => {
      const { order, byState, bySearch } = shape;
      const name = `${projection ?? 'places'} ${order}${byState ? ' by state' : ''}${bySearch ? ' by search' : ''}`;
      return projection === undefined
        ? statement(name, prepare(placesOf({ ...shape, projection }))(), page)
        : statement(name, prepare(listOf({ ...shape, projection }))(), page);
    }),
  ];
}

/** The statements that verify a key. */
export function statementsOfKeys(id: string, key_sha256: string): Statement[] {
  return [
    statement('key', prepare(apiKey)(), { key_sha256 }),
    statement('account', prepare(account)(), { id }),
    statement('schema', prepare(reads.schemaVersion)(), {}),
  ];
}

function statement<Values, Row>(
  name: string,
  { text, parameters }: Prepared<Values, Row>,
  values: Values,
): Statement {
  return { name, text, values: parameters(values) };
}
