// Verifies a PostgreSQL database: every memory with its words, the feed and the schema, in one snapshot.

import { accountFaults, changeFaults, entries, epochFaults, keyFaults } from '../entries.ts';
import { RESTORE } from '../finding.ts';
import { counts, feedFaults, orphanFaults, type Fault } from '../linked.ts';
import type { Stage } from '../stage.ts';
import type { Verified } from '../verify.ts';
import type { Client } from './asking.ts';
import { rowsOf } from './cursor.ts';
import { codeOf } from './errors.ts';
import { memoryFaults } from './kept.ts';
import { schemaFaults } from './parts.ts';
import { inSnapshot } from './snapshot.ts';

const SHOWN = 100;
/** Verifies a database without writing to it. Fails with `Refusal` where it cannot be reached, or this user may not see all of it. */
export function verifyPostgres(address: string, stage: Stage): Promise<Verified> {
  return inSnapshot(address, async (client) => {
    const at = Date.now();
    // Who sees a part of the rows is refused, and not told that all is well.
    await client.query('SET LOCAL row_security = off');
    const { memories, accounts } = await count(client);
    return stage({ total: memories, unit: 'memories' }, async (to) => {
      const findings: string[] = [];
      let more = 0;
      for await (const finding of findAll(client, to)) {
        if (findings.length < SHOWN) findings.push(finding);
        else more++;
      }
      return { at, memories, accounts, findings, more };
    });
  });
}

async function count(client: Client): Promise<{ memories: number; accounts: number }> {
  let found = { memories: 0, accounts: 0 }; // what is missing there is found below
  const look = faultsOf(rowsOf(client, counts), (row) => {
    found = row;
    return [];
  });
  for await (const _ of untilDamaged(client, 'The tables', look));
  return found;
}

async function* findAll(client: Client, to: (done: number) => void): AsyncGenerator<string> {
  const feed = changeFaults();
  const parts: readonly (readonly [what: string, faults: AsyncIterable<string>])[] = [
    ['The schema', schemaFaults(client)],
    ['The table of accounts', linkFaults(client, orphanFaults)],
    ['The table of accounts', faultsOf(rowsOf(client, entries.accounts), accountFaults)],
    ['The table of keys', faultsOf(rowsOf(client, entries.keys), keyFaults)],
    ['The table of memories', memoryFaults(client, to)],
    ['The feed of changes', linkFaults(client, feedFaults)],
    ['The table of the feed', faultsOf(rowsOf(client, entries.changes), feed)],
    ['The table of the feed', faultsOf(rowsOf(client, entries.epochs), epochFaults)],
  ];
  for (const [what, faults] of parts) yield* untilDamaged(client, what, faults);
}

/** Codes of what is missing, damaged or no value of its type; by others the work has failed, not the database. */
const DAMAGE = /^(22|42P01|42703|42883|58|XX)/;

/** Finds what there is to find up to where something is damaged; a transaction goes on from where it began. */
async function* untilDamaged(
  client: Client,
  what: string,
  faults: AsyncIterable<string>,
): AsyncGenerator<string> {
  await client.query('SAVEPOINT part');
  try {
    yield* faults;
  } catch (error) {
    const code = codeOf(error);
    if (!DAMAGE.test(code)) throw error;
    await client.query('ROLLBACK TO SAVEPOINT part');
    yield `${what} cannot be read to the end (${code}); ${RESTORE}.`;
  }
}

async function* faultsOf<Row>(
  rows: AsyncIterable<Row>,
  faults: (row: Row) => Iterable<string>,
): AsyncGenerator<string> {
  for await (const row of rows) yield* faults(row);
}

async function* linkFaults(client: Client, all: readonly Fault[]): AsyncGenerator<string> {
  for (const { rows, say } of all) for await (const row of rowsOf(client, rows)) yield say(row);
}
