// An import into PostgreSQL: each batch one transaction of a few statements, whatever its size.

import { fromJson } from '../../contract/json.ts';
import type { Memory } from '../../contract/memory.ts';
import { accountWrites } from '../accounts.ts';
import { incoming, merge, sift, type Incoming, type Known } from '../arrivals.ts';
import type { Connection } from '../connection.ts';
import type { How, Import } from '../imports.ts';
import { readSql } from '../migrations.ts';
import { query, type Slot } from '../query.ts';
import type { Row } from '../rows.ts';
import type { Client } from './asking.ts';
import { buildPostgres as build } from './build.ts';
import { nameOf } from './cuts.ts';
import { connect } from './driver.ts';
import * as many from './many.ts';
import { idsOf, memoryWrites } from './memories.ts';
import { requireSchema } from './schema.ts';
import { connectionTo } from './writer.ts';

/** As long as a writer of a file waits for others. */
const LOCK_MS = 10_000;

/** Finds the memory of an id, unless it began at the same time, or is the same. */
const old = query((slot: Slot<Pick<Row, 'account_id' | 'id' | 'started_at' | 'body_sha256'>>) =>
  build
    .selectFrom('memories')
    .select('body')
    .where('account_id', '=', slot('account_id'))
    .where('id', '=', slot('id'))
    .where('started_at', '!=', slot('started_at'))
    .where('body_sha256', '!=', slot('body_sha256')),
);

/** Opens a database for an import, and closes it whatever comes. Fails with `Refusal`. */
export async function withPostgresImport<T>(
  address: string,
  how: How,
  work: (into: Import) => Promise<T>,
): Promise<T> {
  // Without a deadline: an import that is one transaction waits within it for what is still to come.
  const connections = await connect(address, { connections: 2, statementMs: 0, lockMs: LOCK_MS });
  try {
    await requireSchema(connections);
    return await connections.withClient(async (client) => {
      await client.query(readSql('postgres', 'temporary/imported.sql'));
      if (how.isWhole) await client.query('BEGIN'); // which ends with the connection, unless it is committed
      return work(importOn(client, how));
    });
  } finally {
    await connections.close();
  }
}

function importOn(client: Client, { isDry, isWhole }: How): Import {
  const connection = connectionTo(client);
  const transaction: Connection['transaction'] = isWhole
    ? (work) => work()
    : connection.transaction;
  const accounts = accountWrites(connection);
  const memories = memoryWrites(client, { ...connection, transaction });
  const held = {
    imported: connection.hold(many.imported),
    remember: connection.hold(many.remember),
    old: connection.hold(old),
  };

  return {
    accounts: async () => (await accounts.list()).map(({ id }) => id),
    require: (id) => accounts.require(id),
    put: async (arrivals) =>
      transaction(async () => {
        const all = arrivals.map(incoming);
        const { known, noted } = await look(all);
        const kept = all.map((each) => sift(each, known));
        await held.remember.run({ ...idsOf(noted), hashes: noted.map(hashOf).join(' ') });
        const fresh = all.filter((_, i) => kept[i] === undefined);
        return merge(kept, await (isDry ? memories.compare(fresh) : memories.putReady(fresh)));
      }),
    async commit() {
      if (isWhole) await client.query('COMMIT');
    },
  };

  /** What is known of all that has come; what is noted of it is not remembered yet. */
  async function look(all: readonly Incoming[]) {
    const noted: Incoming[] = [];
    const before = await held.imported.all(idsOf(all));
    const hashes = new Map(
      before.map((each) => [`${each.account_id} ${each.id}`, each.body_sha256]),
    );
    const others = await othersOf(all.filter(({ arrival }) => arrival.idIs));
    const known: Known = {
      first: (each) => hashes.get(nameOf(each)),
      old: (each) => others.get(each),
      note(each) {
        noted.push(each);
        hashes.set(nameOf(each), hashOf(each));
      },
    };
    return { known, noted };
  }

  /** The memories that are there of ids that may be of others, one by one: most have the start of what comes, and are not read. */
  async function othersOf(all: readonly Incoming[]): Promise<ReadonlyMap<Incoming, Memory>> {
    const others = new Map<Incoming, Memory>();
    for (const each of all) {
      const { account_id, id, started_at, body_sha256 } = each.row;
      const found = await held.old.get({ account_id, id, started_at, body_sha256 });
      if (found) others.set(each, fromJson(found.body));
    }
    return others;
  }
}

function hashOf({ row }: Incoming): string {
  return row.body_sha256;
}
