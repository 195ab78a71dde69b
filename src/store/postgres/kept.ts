// Rows of memories in PostgreSQL, verified with the words by which they are found.

import { named, REBUILD } from '../finding.ts';
import { memoryOf, rowFaults } from '../kept.ts';
import { query, type Slot } from '../query.ts';
import { COLUMNS } from '../rows.ts';
import type { Client } from './asking.ts';
import { buildPostgres as build } from './build.ts';
import { rowsOf } from './cursor.ts';
import { asKept } from './rows.ts';
import { wordsOfMemory } from './search.ts';

const STEP = 100;

/** So many memories are read at once: each may be long. */
const AT_ONCE = 16;

const WEEK_MS = 604_800_000;

/** All memories, and whether each is looked up by the words that it has. */
const kept = query((_: Slot<object>) =>
  build
    .selectFrom('memories')
    .leftJoin('search_weeks', (join) =>
      join
        .onRef('search_weeks.account_id', '=', 'memories.account_id')
        .on((eb) =>
          eb(
            'search_weeks.week',
            '=',
            eb.cast<number>(
              eb.fn('floor', [eb(eb.cast('started_at', 'numeric'), '/', eb.lit(WEEK_MS))]),
              'bigint',
            ),
          ),
        ),
    )
    .select(COLUMNS.map((column) => `memories.${column}` as const))
    .select((eb) => [
      'memories.words',
      eb
        .case()
        .when('search_weeks.label', 'is', null)
        .then(eb.lit(false))
        .else(
          eb(
            'memories.lexemes',
            'is not distinct from',
            eb.fn<string>('memory_gateway.lexemes_of', ['search_weeks.label', 'memories.words']),
          ),
        )
        .end()
        .as('is_found'),
    ]),
);

/** Finds what is wrong with memories, and tells how many it has looked at. */
export async function* memoryFaults(
  client: Client,
  to: (done: number) => void,
): AsyncGenerator<string> {
  let done = 0;
  for await (const { words, is_found, ...row } of rowsOf(client, kept, AT_ONCE)) {
    if (++done % STEP === 0) to(done);
    const memory = memoryOf(row);
    yield* rowFaults(row, memory, asKept);
    if (memory !== undefined && (!is_found || words !== wordsOfMemory(memory)))
      yield `${named(row)} is in the search index by other words than its own; ${REBUILD}.`;
  }
  to(done);
}
