// Verifies a PostgreSQL database: every memory with its words, the feed and the schema, in one snapshot.

import { hash } from 'node:crypto';

import { WEEK_MS } from '../../../lib/time.ts';
import {
  type CheckPart,
  type RowCheck,
  collectFindings,
  RESTORE,
  memoryName,
  REBUILD,
  type Verified,
} from '../../check/findings.ts';
import { countRows } from '../../check/links.ts';
import { memoryOf, rowFaults } from '../../check/memories.ts';
import { accountParts, createFeedParts } from '../../check/rows.ts';
import { MEMORY_COLUMNS } from '../../import/memory-row.ts';
import type { Stage } from '../../progress.ts';
import { query, type Slot } from '../../sql/query.ts';
import { asStored } from '../batches.ts';
import { errorCode } from '../errors.ts';
import { schemaFaults } from '../schema.ts';
import { wordsOfMemory } from '../search/search.ts';
import type { Client } from '../servers/connection.ts';
import { rowsOf, inSnapshot } from '../snapshot.ts';
import { postgresQuery as build } from '../statements.ts';

/** Memories between two progress reports. */
const STEP = 100;

/** Memories per fetch. Each may be long. */
const AT_ONCE = 16;

/** Queries all memories, and whether the search index has their words. */
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
    .select(MEMORY_COLUMNS.map((column) => `memories.${column}` as const))
    .select((eb) => [
      // Their text may be longer than a string can be.
      eb
        .fn<Uint8Array>('sha256', [eb.fn('convert_to', ['memories.words', eb.val('UTF8')])])
        .as('words_hash'),
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

function isHashOf(found: Uint8Array, words: Uint8Array): boolean {
  return Buffer.compare(found, hash('sha256', words, 'buffer')) === 0;
}

/** Yields the faults of all memories, and reports progress. */
export async function* memoryFaults(
  client: Client,
  to: (done: number) => void,
): AsyncGenerator<string> {
  let done = 0;
  for await (const { words_hash, is_found, ...row } of rowsOf(client, kept, AT_ONCE)) {
    if (++done % STEP === 0) to(done);
    const memory = memoryOf(row);
    yield* rowFaults(row, memory, asStored);
    if (memory !== undefined && (!is_found || !isHashOf(words_hash, wordsOfMemory(memory))))
      yield `${memoryName(row)} has other words in the search index than in its text; ${REBUILD}.`;
  }
  to(done);
}

/** Verifies a database without writing to it. Rejects with `Refusal` if it is unreachable or this user cannot see all rows. */
export function verifyPostgres(address: string, stage: Stage): Promise<Verified> {
  return inSnapshot(address, async (client) => {
    const at = Date.now();
    // With row security off, PostgreSQL refuses a user who would see only some of the rows.
    await client.query('SET LOCAL row_security = off');
    const { memories, accounts } = await count(client);
    return stage({ total: memories, unit: 'memories' }, async (to) => {
      const found = await collectFindings(findAll(client, to));
      return { at, memories, accounts, ...found };
    });
  });
}

async function count(client: Client): Promise<{ memories: number; accounts: number }> {
  let found = { memories: 0, accounts: 0 }; // a missing table is reported below
  const faults: RowCheck['faults'] = (row) => {
    found = row as typeof found;
    return [];
  };
  const look = faultsIn(client, [{ rows: countRows, faults }]);
  for await (const _ of untilDamaged(client, 'The tables', look));
  return found;
}

async function* findAll(client: Client, to: (done: number) => void): AsyncGenerator<string> {
  const rowParts = (parts: readonly CheckPart[]) =>
    parts.map(([what, checks]) => [what, faultsIn(client, checks)] as const);
  const parts: readonly (readonly [what: string, faults: AsyncIterable<string>])[] = [
    ['The schema', schemaFaults(client)],
    ...rowParts(accountParts),
    ['The table of memories', memoryFaults(client, to)],
    ...rowParts(createFeedParts()),
  ];
  for (const [what, faults] of parts) yield* untilDamaged(client, what, faults);
}

/** Error codes of missing, damaged or invalid data. Other codes mean that the check itself failed. */
const DAMAGE = /^(22|42P01|42703|42883|58|XX)/;

/** Yields faults until damage stops the check, then rolls back to a savepoint so that the next check can run. */
async function* untilDamaged(
  client: Client,
  what: string,
  faults: AsyncIterable<string>,
): AsyncGenerator<string> {
  await client.query('SAVEPOINT part');
  try {
    yield* faults;
  } catch (error) {
    const code = errorCode(error);
    if (!DAMAGE.test(code)) throw error;
    await client.query('ROLLBACK TO SAVEPOINT part');
    yield `${what} cannot be read to the end (${code}); ${RESTORE}.`;
  }
}

async function* faultsIn(client: Client, checks: CheckPart[1]): AsyncGenerator<string> {
  for (const { rows, faults } of checks)
    for await (const row of rowsOf(client, rows)) yield* faults(row);
}
