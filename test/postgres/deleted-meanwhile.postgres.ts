// Writers of one account at once on PostgreSQL: an import and a link to a memory that is deleted meanwhile.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { shareStore } from '../../src/store/app/shares.ts';
import { engineOf } from '../../src/store/engines.ts';
import { createAccess } from '../../src/store/postgres/app/open.ts';
import { connect } from '../../src/store/postgres/servers/connection.ts';
import { appAddress } from '../support/engines/database-addresses.ts';
import { engine, onlyPostgres } from '../support/engines/engine.ts';
import { until } from '../support/world/until.ts';
import { memory } from '../support/world/world.ts';

const WAITING =
  "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";

const BY = { account_id: 'ana', agent: 'command line' };

describe('An import into PostgreSQL', { skip: onlyPostgres }, () => {
  it('leaves a memory in the bin that is deleted while it waits for that', async (t) => {
    const database = engine.create(t, '');
    const writer = engine.write(t, database);
    writer.accounts.create({ id: 'ana', name: 'Ana', created_by: 'command line' });
    const one = memory({ id: 'one' });
    writer.memories.put('ana', one);
    const arrivals = [{ account_id: 'ana', memory: { ...one, name: 'Again' } }];

    const results = await engineOf(database).withImport(
      { isDry: false, isAtomic: false },
      async (into) => {
        let pending: ReturnType<typeof into.put> | undefined;
        await engineOf(database).withWriter(({ transaction, bin }) =>
          transaction(async () => {
            await bin.put({ ...BY, ids: ['one'] });
            pending = into.put(arrivals);
            await until(() => engine.edit(database, WAITING).length > 0);
          }),
        );
        return pending;
      },
    );
    assert.deepEqual(results, ['binned']);
    assert.equal(writer.memories.count('ana'), 0);
  });
});

describe('A link to a memory on PostgreSQL', { skip: onlyPostgres }, () => {
  it('goes with a memory that is erased while it is made', async (t) => {
    const database = engine.create(t, '');
    const writer = engine.write(t, database);
    writer.accounts.create({ id: 'ana', name: 'Ana', created_by: 'command line' });
    writer.memories.put('ana', memory({ id: 'one' }));
    const connections = await connect(appAddress(database), { connections: 1 });
    t.after(() => connections.close());
    const access = createAccess(connections);
    let erased: Promise<unknown> | undefined;
    let isErased = false;
    /** Erases the memory, until that is done or waits. */
    const erase = async () => {
      erased ??= engineOf(database)
        .withWriter((other) => other.erase({ account_id: 'ana', ids: ['one'] }))
        .then(() => (isErased = true));
      await until(() => isErased || engine.edit(database, WAITING).length > 0);
    };
    const shares = shareStore({
      ...access,
      write: (scope, work) =>
        access.write(scope, (on) =>
          work({
            ...on,
            prepare(wanted) {
              const prepared = on.prepare(wanted);
              const run = async (values: Parameters<typeof prepared.run>[0]) => {
                if ('secret_sha256' in Object(values)) await erase();
                return prepared.run(values);
              };
              return { ...prepared, run };
            },
          }),
        ),
    });
    const expires_at = Date.now() + 60_000;
    await shares.create({ ...BY, memory_id: 'one', content: '{}', expires_at });
    await erased;
    assert.deepEqual(engine.edit(database, 'SELECT memory_id FROM shares'), []);
  });
});
