// Cursors: the rows of a query, some at a time, in memory that does not grow with them.

import type { Query } from '../query.ts';
import type { Client } from './asking.ts';
import { prepare } from './build.ts';

/** Reads the rows of a query, so many at once; in a transaction, and before it reads any other. */
export async function* rowsOf<Row extends object>(
  client: Client,
  query: Query<object, Row>,
  atOnce = 1000,
): AsyncGenerator<Row> {
  const { text, parameters } = prepare(query)();
  await client.query(`DECLARE found NO SCROLL CURSOR FOR ${text}`, parameters({}));
  for (;;) {
    const { rows } = await client.query<Row>(`FETCH ${atOnce} FROM found`);
    yield* rows;
    if (rows.length < atOnce) break;
  }
  await client.query('CLOSE found');
}
