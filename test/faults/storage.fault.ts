// Storage: full disks, read-only folders, killed writers, and several servers of one file.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import Database from 'better-sqlite3';

import { verifyFile } from '../../src/store/sqlite/check/verify.ts';
import { createDatabase, openWriter } from '../../src/store/sqlite/writer.ts';
import { createDisk, fill, lock, NO_MOUNT, NO_READ_ONLY } from '../support/damage/full-disk.ts';
import { tell } from '../support/damage/trial.ts';
import { serveAlone } from '../support/processes/serve-process.ts';
import { send } from '../support/wire/wire.ts';
import { issued, newFolder } from '../support/world/artifacts.ts';
import { runProcess, startProcess, stop, waitFor } from '../support/world/program.ts';
import { sized } from '../support/world/thorough.ts';
import { memories, memory } from '../support/world/world.ts';

const MB = 1e6;

/** How long a server has to notice what happened to its disk. It checks every second. */
const PATIENCE_MS = 60_000;

/** Creates a database with some memories. Returns a key for them. */
function create(database: string): string {
  let made = '';
  createDatabase(database, (writer) => {
    writer.accounts.create({ id: 'ana', name: 'Ana', created_by: 'command line' });
    writer.memories.putAll('ana', memories(20, 4000));
    ({ key: made } = writer.keys.create({ account_id: 'ana', label: 'test', expires_at: null }));
  });
  return issued(made);
}

/** Serves a database in a process of its own. */
async function serve(t: TestContext, database: string) {
  const { child, port } = await serveAlone(t, database);
  const statusOf = async (path: string, key?: string) => (await send(port, { path, key })).status;
  const until = async (path: string, status: number, key?: string): Promise<void> => {
    const ends = performance.now() + PATIENCE_MS;
    for (let is = 0; (is = await statusOf(path, key)) !== status; await sleep(50))
      assert.ok(performance.now() < ends, `${path} is still ${is} instead of ${status}`);
  };
  return { child, port, statusOf, until };
}

/** Asserts that `serve` refuses a database: exit code 1, and one sentence on standard error. */
async function assertRefused(database: string, says: RegExp): Promise<void> {
  const { code, stdout, stderr } = await runProcess([
    'serve',
    '--port',
    '0',
    '--database',
    database,
  ]);
  assert.equal(code, 1, `${database}: ${stderr}`);
  assert.equal(stdout, '');
  assert.match(stderr, /^memory-gateway: [^\n]+\n$/);
  assert.match(stderr, says);
}

describe('serve', () => {
  it('does not start on a file that is not a memory database, and says why in one sentence', async () => {
    const folder = newFolder();
    const at = (name: string) => join(folder, name);
    writeFileSync(at('empty.db'), '');
    writeFileSync(at('text.db'), 'Dear diary, '.repeat(500));
    mkdirSync(at('folder.db'));
    create(at('older.db'));
    create(at('newer.db'));
    for (const [name, version] of [
      ['older.db', 1],
      ['newer.db', 99],
    ] as const) {
      const db = new Database(at(name));
      db.pragma(`user_version = ${version}`);
      db.close();
    }
    const cases: [name: string, says: RegExp][] = [
      ['none.db', /There is no database at .*none\.db; create one with: memory-gateway migrate/],
      ['no-folder/none.db', /There is no database at/],
      ['empty.db', /is not a Memory Gateway database/],
      ['text.db', /is not a Memory Gateway database/],
      ['folder.db', /is not a file; name a database file/],
      ['older.db', /has schema version 1, but this program needs \d+; run: memory-gateway migrate/],
      [
        'newer.db',
        /has schema version 99, but this program knows only \d+; use a newer version of the program/,
      ],
    ];
    await Promise.all(cases.map(([name, says]) => assertRefused(at(name), says)));
  });

  it(
    'does not start on a full disk without room for -shm, and starts when there is room',
    { skip: NO_MOUNT },
    async (t) => {
      const folder = createDisk(t, 2 * MB);
      const database = join(folder, 'memories.db');
      const key = create(database);
      const free = fill(folder);
      await assertRefused(database, /cannot be written, the disk is full; free some space/);
      free();
      const { child, statusOf } = await serve(t, database);
      assert.equal(await statusOf('/v1/memories', key), 200);
      await stop(child);
    },
  );

  it(
    'does not start in a read-only folder, says what it needs, and starts when the folder is writable',
    { skip: NO_READ_ONLY },
    async (t) => {
      const folder = newFolder();
      const database = join(folder, 'memories.db');
      const key = create(database);
      const unlock = lock(t, folder);
      await assertRefused(database, /needs permission to use it and to write in its folder/);
      unlock();
      const { child, statusOf } = await serve(t, database);
      assert.equal(await statusOf('/v1/memories', key), 200);
      await stop(child);
    },
  );
});

describe('A server', () => {
  it(
    'keeps serving while its disk is full, and opens a new file when there is room for its -shm',
    { skip: NO_MOUNT },
    async (t) => {
      const folder = createDisk(t, 3 * MB);
      const database = join(folder, 'memories.db');
      const key = create(database);
      copyFileSync(database, join(folder, 'copy.db'));
      const { child, statusOf, until } = await serve(t, database);
      const free = fill(folder);
      const importing = await runProcess([
        'memories',
        'delete',
        'm000',
        '--account',
        'ana',
        '--database',
        database,
      ]);
      assert.equal(importing.code, 1);
      assert.match(importing.stderr, /the disk is full/);
      assert.equal(await statusOf('/v1/memories/m000', key), 200);
      for (const end of ['', '-wal', '-shm']) renameSync(database + end, `${folder}/old.db${end}`);
      // What the import left free is filled before the new file gets the name: the server may open it at any time.
      const freeTheRest = fill(folder, 0, 'rest');
      renameSync(join(folder, 'copy.db'), database);
      await until('/readyz', 503);
      assert.equal(await statusOf('/v1/memories/m000', key), 500);
      assert.equal(await statusOf('/healthz'), 200);
      free();
      freeTheRest();
      await until('/readyz', 200);
      assert.equal(await statusOf('/v1/memories/m000', key), 200);
      await stop(child);
    },
  );

  it('keeps serving in a folder that became read-only', { skip: NO_READ_ONLY }, async (t) => {
    const folder = newFolder();
    const database = join(folder, 'memories.db');
    const key = create(database);
    const { statusOf } = await serve(t, database);
    assert.equal(await statusOf('/v1/memories', key), 200);
    lock(t, folder);
    await sleep(1500); // so that it has checked the file
    assert.equal(await statusOf('/v1/memories', key), 200);
    assert.equal(await statusOf('/readyz'), 200);
  });

  const KILLS = sized(30, 3);

  it(`reads only committed states beside writers that are killed, ${KILLS} times, and starts on the files that they leave`, async (t) => {
    const database = join(newFolder(), 'memories.db');
    const key = create(database);
    const first = await serve(t, database);
    let asked = 0;
    for (let i = 0; i < KILLS; i++) {
      const writer = startProcess([database, 'ana'], {
        script: 'test/support/processes/known-states-program.ts',
      });
      t.after(() => writer.kill('SIGKILL'));
      await waitFor(writer, 'stdout', /^3$/m);
      await sleep((i * 7) % 50);
      writer.kill('SIGKILL');
      await once(writer, 'close');
      const { status, text } = await send(first.port, { path: '/v1/memories?order=asc', key });
      assert.equal(status, 200, text);
      const found = (JSON.parse(text) as { id: string; name: string }[]).filter(
        ({ id }) => !id.startsWith('m'),
      );
      const state = Number(found.find(({ id }) => id === 'state')?.name);
      assert.ok(
        found.some(({ id }) => id === `n${state}`),
        'one state',
      );
      asked++;
    }
    const logged = statSync(`${database}-wal`).size;
    const second = await serve(t, database);
    const [one, other] = await Promise.all(
      [first, second].map(({ port }) => send(port, { path: '/v1/memories', key })),
    );
    assert.equal(one?.text, other?.text);
    tell(t, { kills: KILLS, answers: asked, 'bytes in the write-ahead log': logged });
    await Promise.all([first, second].map(({ child }) => stop(child)));
    assert.deepEqual((await verifyFile(database)).findings, []);
  });

  it('gives the same responses as another server on the same file, while an import writes', async (t) => {
    const folder = newFolder();
    const database = join(folder, 'memories.db');
    const key = create(database);
    const servers = await Promise.all([serve(t, database), serve(t, database)]);
    const file = join(folder, 'more.jsonl');
    writeFileSync(
      file,
      memories(sized(5000, 1500), 1500)
        .map((each) => `${JSON.stringify({ ...each, id: `x${each.id}` })}\n`)
        .join(''),
    );
    const importing = runProcess(['import', file, '--account', 'ana', '--database', database]);
    let asked = 0;
    const ending = importing.then(() => true);
    while (!(await Promise.race([ending, sleep(10, false)]))) {
      for (const { statusOf } of servers)
        assert.equal(await statusOf('/v1/memories?limit=5', key), 200);
      asked += servers.length;
    }
    assert.equal((await importing).code, 0);
    const [one, other] = await Promise.all(
      servers.map(({ port }) => send(port, { path: '/v1/memories', key })),
    );
    assert.equal(one?.text, other?.text);
    tell(t, { answers: asked, memories: (JSON.parse(one?.text ?? '[]') as unknown[]).length });
  });

  const TIMES = sized(30, 4);

  it(
    `closes every replaced file, ${TIMES} times over`,
    { skip: process.platform !== 'linux' && 'needs /proc' },
    async (t) => {
      const folder = newFolder();
      const [database, copy] = [join(folder, 'memories.db'), join(folder, 'copy.db')];
      const key = create(database);
      const { child, port, until } = await serve(t, database);
      const openFiles = () => readdirSync(`/proc/${child.pid}/fd`).length;
      await until('/v1/memories', 200, key);
      // The app opens the file when it is first needed, and follows its name with each request.
      const useApp = async () =>
        assert.equal((await send(port, { path: '/app/v1/ways' })).status, 200);
      await useApp();
      const before = openFiles();
      const memoryOf = () =>
        Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]);
      const rss = memoryOf();
      for (let i = 0; i < TIMES; i++) {
        copyFileSync(database, copy);
        const writer = openWriter(copy);
        writer.memories.put('ana', memory({ id: 'm000', name: `Time ${i}` }));
        writer.close();
        for (const end of ['-wal', '-shm']) rmSync(`${database}${end}`, { force: true });
        renameSync(copy, database);
        for (let name = ''; name !== `Time ${i}`;) {
          const { text } = await send(port, { path: '/v1/memories/m000?fields=name', key });
          ({ name = '' } = JSON.parse(text) as { name?: string });
          await sleep(20);
        }
        await useApp();
      }
      tell(t, {
        replaced: TIMES,
        'files before': before,
        'files after': openFiles(),
        'kB before': rss,
        'kB after': memoryOf(),
      });
      assert.ok(openFiles() <= before, `${openFiles()} files, before ${before}`);
    },
  );
});
