// All statements by which PostgreSQL is read, with the values of a reader, for tests that look at how they run.

import { LIST_SHAPES } from '../../src/store/lists.ts';
import { prepare, type Prepared } from '../../src/store/postgres/build.ts';
import { listOf, placesOf } from '../../src/store/postgres/lists.ts';
import * as lookup from '../../src/store/postgres/lookup.ts';
import * as reads from '../../src/store/postgres/reads.ts';
import { readSought } from '../../src/store/postgres/search.ts';
import { account } from '../../src/store/reads.ts';

/** A statement as the store runs it. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** What is asked by the statements. */
export interface Asked {
  readonly account_id: string;
  readonly id: string;
  readonly q: string;
  readonly limit?: number;
  readonly maxBytes?: number;
  readonly since?: { readonly seq: number; readonly epoch: string };
}

/** All statements that read something of an account, each by its name. */
export function statementsOf(asked: Asked): Statement[] {
  const { account_id, id, q, limit = 50, maxBytes = 1 << 20 } = asked;
  const sought = readSought(q) ?? { match: '', phrases: [], unsure: [] };
  const bounds = { low_at: -9e15, low_id: '', high_at: 9e15, high_id: '' };
  const page = { account_id, is_processing: 0, ...bounds, ...sought, limit, maxBytes };
  const since = asked.since ?? { seq: 0, epoch: '' };
  return [
    statement('memory body', prepare(reads.memory.body)(), { account_id, id, known: '' }),
    statement('memory slim', prepare(reads.memory.slim)(), { account_id, id, known: '' }),
    statement('changes', prepare(reads.changes)(), { account_id, ...since, limit }),
    ...LIST_SHAPES.map(({ bytes, ...shape }) => {
      const { order, byState, bySearch } = shape;
      const name = `${bytes ?? 'places'} ${order}${byState ? ' by state' : ''}${bySearch ? ' by search' : ''}`;
      return bytes === undefined
        ? statement(name, prepare(placesOf({ ...shape, bytes }))(), page)
        : statement(name, prepare(listOf({ ...shape, bytes }))(), page);
    }),
  ];
}

/** The statements that read who asks. */
export function statementsOfKeys(id: string, key_sha256: string): Statement[] {
  return [
    statement('key', prepare(lookup.apiKey)(), { key_sha256 }),
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
