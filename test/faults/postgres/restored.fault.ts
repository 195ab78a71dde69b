// A feed after pg_dump and pg_restore: a cursor from the middle of the feed gets 410, and the client starts again.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';

import { createClient } from '../../../src/client/index.ts';
import { connectGateway } from '../../../src/gateway/open.ts';
import { engineOf } from '../../../src/store/engines.ts';
import { asAdmin, noPostgres, startOwn } from '../../support/engines/own-server.ts';
import { newFolder } from '../../support/world/artifacts.ts';
import { memory } from '../../support/world/world.ts';

/** Creates a client of a gateway on a database. */
async function openClient(t: TestContext, database: string, apiKey: string) {
  const gateway = await connectGateway({ database });
  t.after(() => gateway.close());
  return createClient({
    baseUrl: 'http://gateway',
    apiKey,
    fetch: (request) => gateway.fetch(request),
  });
}

for (const edit of ['change', 'delete'] as const)
  describe(`A cursor of the feed on PostgreSQL after a ${edit}`, { skip: noPostgres }, () => {
    it('is undone by pg_restore if a page has passed the memory that moved', async (t) => {
      const { primary, database, written } = await startOwn(t);
      const put = (id: string, name: string) =>
        engineOf(database).withWriter(({ memories }) => memories.put('bo', memory({ id, name })));
      for (let i = 1; i <= 9; i++) await put(`m${i}`, 'first');
      const dump = join(newFolder(), 'memories.dump');
      execFileSync('pg_dump', ['--format=custom', '--file', dump, database]);
      if (edit === 'change') await put('m3', 'changed');
      else await engineOf(database).withWriter(({ memories }) => memories.delete('bo', 'm3'));
      const api = await openClient(t, database, written);
      const { items, next } = await api.changes.page({ limit: 6 });
      const ids = items.map(({ memory_id }) => memory_id);
      assert.deepEqual(ids, ['m1', 'm2', 'm4', 'm5', 'm6', 'm7']);

      await asAdmin(primary, (admin) => admin.query('CREATE DATABASE restored'));
      const restored = primary.address('restored');
      execFileSync('pg_restore', ['--dbname', restored, dump]);
      const later = await openClient(t, restored, written);
      await assert.rejects(later.changes.page({ since: next }), { status: 410 });
      const seen: string[] = [];
      for await (const page of later.changes.follow({ since: next, limit: 6 })) {
        assert.equal(page.reset, seen.length === 0 ? true : undefined);
        seen.push(...page.items.map(({ memory_id }) => memory_id));
        if (seen.length >= 9) break;
      }
      assert.deepEqual(seen, ['m1', 'm2', 'm3', 'm4', 'm5', 'm6', 'm7', 'm8', 'm9']);
    });
  });
