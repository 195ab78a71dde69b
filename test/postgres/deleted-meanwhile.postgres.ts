// Writers of one account at once on PostgreSQL: an import finds what is deleted while it waits.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { engineOf } from '../../src/store/engines.ts';
import { engine, onlyPostgres } from '../support/engines/engine.ts';
import { until } from '../support/world/until.ts';
import { memory } from '../support/world/world.ts';

const BY = { account_id: 'ana', agent: 'command line' };

describe('An import into PostgreSQL', { skip: onlyPostgres }, () => {
  it('leaves a memory in the bin that is deleted while it waits for that', async (t) => {
    const database = engine.create(t, '');
    const writer = engine.write(t, database);
    writer.accounts.create({ id: 'ana', name: 'Ana', created_by: 'command line' });
    const one = memory({ id: 'one' });
    writer.memories.put('ana', one);
    const arrivals = [{ account_id: 'ana', memory: { ...one, name: 'Again' } }];

    const waiting =
      "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    const results = await engineOf(database).withImport(
      { isDry: false, isAtomic: false },
      async (into) => {
        let pending: ReturnType<typeof into.put> | undefined;
        await engineOf(database).withWriter(({ transaction, bin }) =>
          transaction(async () => {
            await bin.put({ ...BY, ids: ['one'] });
            pending = into.put(arrivals);
            await until(() => engine.edit(database, waiting).length > 0);
          }),
        );
        return pending;
      },
    );
    assert.deepEqual(results, ['binned']);
    assert.equal(writer.memories.count('ana'), 0);
  });
});
