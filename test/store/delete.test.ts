// memories delete: deleted memories are gone from the API and from the file.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import Database from 'better-sqlite3';

import type { Writer } from '../../src/store/engine.ts';
import { engineOf } from '../../src/store/engines.ts';
import { engine, onlyFiles, onlyPostgres } from '../support/engines/engine.ts';
import { send } from '../support/wire/wire.ts';
import { run } from '../support/world/program.ts';
import { createWorld, memories, memory } from '../support/world/world.ts';

async function createMira(t: TestContext) {
  const world = await createWorld(t);
  const key = world.addAccount('mira', memories(5));
  const ask = async (path: string) => {
    const { status, text } = await send(world.port, { key, path });
    return { status, body: JSON.parse(text) };
  };
  const erase = (...args: string[]) =>
    run(['memories', 'delete', ...args, '--database', world.database]);
  return { world, ask, erase };
}

/** PostgreSQL cannot promise erased bytes. */
const KEPT =
  'No response contains the deleted words any more. The files of PostgreSQL contain them until VACUUM has run and other rows overwrite them. Its log (WAL), replicas and backups contain them for as long as you keep those.\n';

/** Reads all bytes that a database has on disk. */
function filesOf(database: string): string {
  return ['', '-wal'].map((end) => readFileSync(database + end, 'latin1')).join('');
}

describe('memories delete', () => {
  it('removes memories from every response from the next request, and leaves their ids in the feed', async (t) => {
    const { world, ask, erase } = await createMira(t);
    const said = { quick_summary: 'Of quokkas.', key_takeaways: [] };
    world.writer.memories.put('mira', memory({ id: 'quokka', summary: said }));
    const { next } = await world.gateway.as('mira').changes.page();
    assert.equal((await ask('/v1/memories?q=quokkas')).body.length, 1);

    const { code, stdout, stderr } = await erase('quokka', '--account', 'mira');
    assert.deepEqual([code, stderr], [0, onlyFiles ? KEPT : '']);
    assert.equal(stdout, 'Memory quokka of account mira is deleted.\n');
    assert.equal((await ask('/v1/memories/quokka')).status, 404);
    assert.equal((await ask('/v1/memories')).body.length, 5);
    assert.deepEqual(await ask('/v1/memories?q=quokkas'), { status: 200, body: [] });
    const [change, ...more] = (await ask(`/v1/changes?since=${next}`)).body;
    assert.deepEqual([change.memory_id, change.change, more], ['quokka', 'delete', []]);

    const two = await erase('m000', 'm001', 'm000', '--account', 'mira', '--json');
    assert.deepEqual(
      [two.code, JSON.parse(two.stdout)],
      [0, { account_id: 'mira', deleted: ['m000', 'm001'], erased: !onlyFiles }],
    );
    assert.equal(
      (await erase('m002', 'm003', '--account', 'mira')).stdout,
      '2 memories of account mira are deleted.\n',
    );
    assert.deepEqual(
      (await ask('/v1/memories')).body.map(({ id }: { id: string }) => id),
      ['m004'],
    );
  });

  it(
    'waits for an import of the same memory, and so do all who erase',
    { skip: onlyPostgres },
    async (t) => {
      const { world } = await createMira(t);
      const own = engineOf(world.database);
      const of = { account_id: 'mira', agent: 'test' };
      const ways: ((writer: Writer) => unknown)[] = [
        (writer) => writer.erase({ ...of, ids: ['m000'] }),
        (writer) => writer.bin.put({ ...of, ids: ['m001'] }),
        (writer) => writer.emptyBin(of),
        (writer) => writer.eraseAccount('mira'),
      ];
      for (const erase of ways)
        await own.withWriter(async ({ transaction, memories: write }) => {
          let erased: Promise<unknown> = Promise.resolve();
          await transaction(async () => {
            await write.put('mira', memory({ id: 'm004', name: `Before ${String(erase)}` }));
            erased = own.withWriter(erase);
            const isWaiting = `SELECT pid FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock'`;
            while (engine.edit(world.database, isWaiting).length === 0) await sleep(5);
            for (const id of ['m000', 'm001'])
              await write.put('mira', memory({ id, name: `During ${String(erase)}` }));
          });
          await erased;
        });
    },
  );

  it('deletes nothing if one of them does not exist or belongs to another account', async (t) => {
    const { world, ask, erase } = await createMira(t);
    world.addAccount('ana', [memory({ id: 'hers' })]);
    const before = (await ask('/v1/changes')).body;
    for (const [ids, says] of [
      [['m000', 'hers'], /There is no memory hers in account mira; nothing was deleted\./],
      [['x', 'm000', 'y', 'x'], /There are no memories x, y in account mira; nothing was deleted/],
      [Array.from({ length: 13 }, (_, i) => `x${i}`), /x9 and 3 more in account mira/],
    ] as const) {
      const { code, stdout, stderr } = await erase(...ids, '--account', 'mira');
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(stderr, says);
      assert.match(stderr, /^memory-gateway: [^\n]+\n$/);
    }
    const unknown = await erase('m000', '--account', 'bo');
    assert.deepEqual([unknown.code, unknown.stdout], [1, '']);
    assert.match(
      unknown.stderr,
      /^memory-gateway: There is no account "bo"; pass the id or the name of an account: /,
    );
    for (const [args, says] of [
      [['--account', 'mira'], /Give the ID of at least one memory\./],
      [['m000'], /Give --account ACCOUNT\./],
      [['m000', 'a b', '--account', 'mira'], /ID takes 1 to 128 letters.*, not "a b"\./],
      [['..', '--account', 'mira'], /ID takes .*, not "\.\."\./],
    ] as const) {
      const { code, stdout, stderr } = await erase(...args);
      assert.deepEqual([code, stdout], [2, '']);
      assert.match(stderr, says);
      assert.match(stderr, /^memory-gateway: [^\n]+\n$/);
    }
    assert.deepEqual((await ask('/v1/changes')).body, before);
  });

  it('deletes nothing if the log of the account cannot note it', async (t) => {
    const { world, ask, erase } = await createMira(t);
    engine.edit(world.database, 'ALTER TABLE account_events RENAME TO events_elsewhere');
    const { code, stdout } = await erase('m000', 'm001', '--account', 'mira');
    assert.deepEqual([code, stdout], [1, '']);
    assert.equal((await ask('/v1/memories')).body.length, 5);
  });

  it(
    'leaves none of their words in the file, not even in the pages of the index',
    { skip: onlyFiles },
    async (t) => {
      const { world, erase } = await createMira(t);
      // Many words in one row: where words are this dense, the index names its pages by whole
      // words.
      const lists = Array.from({ length: 40 }, (_list, i) =>
        Array.from({ length: 200 }, (_word, j) => `quokka${String(j * 40 + i).padStart(5, '0')}`),
      );
      const withWords = (words: readonly string[], i: number) =>
        memory({ id: `q${i}`, transcript: words.join(' ') });
      world.writer.memories.putAll('mira', lists.map(withWords));
      const gone = lists.flatMap((_, i) => (i % 4 === 1 ? [`q${i}`] : []));
      const wordsGone = lists.filter((_, i) => i % 4 === 1).flat();
      assert.ok(wordsGone.every((word) => filesOf(world.database).includes(word)));
      assert.equal((await erase(...gone, '--account', 'mira')).code, 0);
      const files = filesOf(world.database);
      assert.deepEqual(
        wordsGone.filter((word) => files.includes(word)),
        [],
      );
      const [kept = ''] = lists[0] ?? [];
      const found = await world.gateway.as('mira').memories.list({ q: kept });
      assert.deepEqual(
        found.map(({ id }) => id),
        ['q0'],
      );
    },
  );

  it(
    'warns while another program that reads keeps the words in the files',
    { timeout: 60_000, skip: onlyFiles },
    async (t) => {
      const { world, erase } = await createMira(t);
      world.writer.memories.put('mira', memory({ id: 'quokka', transcript: 'Mira: Quokkas.' }));
      const reader = new Database(world.database, { readonly: true });
      t.after(() => reader.close());
      reader.exec('BEGIN');
      reader.prepare('SELECT count(*) FROM memories').get();
      const { code, stdout, stderr } = await erase('quokka', '--account', 'mira');
      assert.deepEqual([code, stdout], [0, 'Memory quokka of account mira is deleted.\n']);
      assert.match(
        stderr,
        /^Another program is reading the database, so its files still contain the deleted words\./,
      );
      assert.ok(filesOf(world.database).includes('Quokkas'));
      reader.exec('COMMIT');
      await run(['accounts', 'list', '--database', world.database]);
      assert.ok(!filesOf(world.database).includes('Quokkas'));
    },
  );
});
