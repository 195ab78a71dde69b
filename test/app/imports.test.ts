// Imports in the app: uploads, the dry run, the importer as a process of its own, and attacks on all of them.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { createImports } from '../../src/cli/serve/imports/imports.ts';
import { createAppWorld, jsonOf, listOf, NO_STORE } from '../support/app/app-world.ts';
import {
  begin,
  createImporting,
  ended,
  put,
  SAMPLE,
  serveProgram,
  type Sent,
} from '../support/app/imports-world.ts';
import { startEndpoint } from '../support/embeddings/endpoint.ts';
import { appAddress } from '../support/engines/database-addresses.ts';
import { engine, onlyPostgres } from '../support/engines/engine.ts';
import { assertFailure } from '../support/wire/response-shape.ts';
import { newFolder } from '../support/world/artifacts.ts';
import { PROGRAM_WORDS, startProcess, stop, waitFor } from '../support/world/program.ts';

const COUNT = 'SELECT count(*) AS n FROM memories';

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** The kind of an import in the log of an account. */
const NOTED = 'memories-imported';

describe('An import in the app', () => {
  it('says what it would do, then does it, and leaves no file', async (t) => {
    const { signIn, port, uploads } = await createImporting(t);
    const browser = await signIn('ana');
    const id = await begin(browser);
    const half = Math.floor(SAMPLE.length / 2);
    const parts = [SAMPLE.subarray(0, half), SAMPLE.subarray(half)] as const;
    const of = { total: SAMPLE.length };
    assert.equal(
      (await put(browser, port, `${id}/files/0`, { ...of, bytes: parts[0] })).status,
      204,
    );
    // The response may have been lost, so the same part comes again.
    assert.equal(
      (await put(browser, port, `${id}/files/0`, { ...of, bytes: parts[0] })).status,
      204,
    );
    const early = await browser.post(`/imports/${id}/check`, {});
    assertFailure(early, 409, '', NO_STORE);
    const rest = { ...of, bytes: parts[1], from: half };
    assert.equal((await put(browser, port, `${id}/files/0`, rest)).status, 204);
    assert.equal(statSync(uploads()).mode & 0o077, 0, 'for this user alone');

    assertFailure(await browser.post(`/imports/${id}/run`, {}), 409, '', NO_STORE);
    await browser.post(`/imports/${id}/check`, { timezone: 'Europe/Berlin' });
    const checked = await ended(browser, id);
    assert.equal(checked.state, 'checked', String(checked.problem));
    assert.deepEqual([checked.report?.added, checked.report?.rejected], [3, 0]);
    assert.deepEqual(checked.report?.formats, [{ name: 'Limitless lifelogs', count: 3 }]);
    assert.equal((JSON.parse((await browser.get('/memories')).text) as object[]).length, 1);

    await browser.post(`/imports/${id}/run`, {});
    const done = await ended(browser, id);
    assert.deepEqual([done.state, done.report?.added], ['done', 3]);
    assert.equal((JSON.parse((await browser.get('/memories')).text) as object[]).length, 4);
    assert.deepEqual(readdirSync(uploads()), []);
    const logged = listOf(await browser.get('/events')).filter(({ kind }) => kind === NOTED);
    assert.deepEqual(
      logged.map(({ agent, subject }) => [agent, subject]),
      [['A browser', '3']],
      'once, with the browser and how many there were, and not for the dry run',
    );

    const again = await begin(browser);
    await put(browser, port, `${again}/files/0`);
    await browser.post(`/imports/${again}/check`, {});
    const known = await ended(browser, again);
    assert.deepEqual([known.report?.added, known.report?.unchanged], [0, 3]);
  });

  it('of the same file from two devices at once is made twice, one after the other: nothing is lost, and no memory is there twice', async (t) => {
    const { signIn, port, uploads } = await createImporting(t);
    const [one, other] = [await signIn('ana'), await signIn('ana')];
    const imports = await Promise.all(
      [one, other].map(async (browser) => ({ browser, id: await begin(browser) })),
    );
    const half = Math.floor(SAMPLE.length / 2);
    for (const from of [0, half])
      await Promise.all(
        imports.map(async ({ browser, id }) => {
          const bytes = from === 0 ? SAMPLE.subarray(0, half) : SAMPLE.subarray(half);
          const part = { bytes, from, total: SAMPLE.length };
          assert.equal((await put(browser, port, `${id}/files/0`, part)).status, 204);
        }),
      );
    const both = (action: string) =>
      Promise.all(
        imports.map(async ({ browser, id }) => {
          assert.equal((await browser.post(`/imports/${id}/${action}`, {})).status, 200, action);
          return ended(browser, id);
        }),
      );
    for (const { state, report } of await both('check'))
      assert.deepEqual([state, report?.added], ['checked', 3]);
    const done = await both('run');
    for (const { state, report } of done)
      assert.deepEqual([state, (report?.added ?? 0) + (report?.unchanged ?? 0)], ['done', 3]);
    assert.equal((done[0]?.report?.added ?? 0) + (done[1]?.report?.added ?? 0), 3);
    assert.equal((JSON.parse((await one.get('/memories')).text) as object[]).length, 4);
    assert.deepEqual(readdirSync(uploads()), []);
  });

  it('can go on in another tab, and runs once if both tabs run it', async (t) => {
    const { signIn, port } = await createImporting(t);
    const [closed, next] = [await signIn('ana'), await signIn('ana')];
    const id = await begin(closed);
    const half = SAMPLE.subarray(0, 100);
    await put(closed, port, `${id}/files/0`, { bytes: half, total: SAMPLE.length });
    assert.equal((await put(next, port, `${id}/files/0`)).status, 204);
    const both = async (action: string) => {
      const started = [closed, next].map((tab) => tab.post(`/imports/${id}/${action}`, {}));
      for (const { status } of await Promise.all(started)) assert.equal(status, 200, action);
      return ended(next, id);
    };
    assert.equal((await both('check')).state, 'checked');
    const done = await both('run');
    assert.deepEqual([done.state, done.report?.added], ['done', 3]);
    // A response that was lost is as good as one that came.
    assert.equal((await next.post(`/imports/${id}/run`, {})).status, 200);
    const logged = listOf(await next.get('/events')).filter(({ kind }) => kind === NOTED);
    assert.equal(logged.length, 1);
  });

  it('that waits for another one can be left, and the others go on', async (t) => {
    const { signIn, port, uploads } = await createImporting(t);
    const browser = await signIn('ana');
    const ids = [await begin(browser), await begin(browser), await begin(browser)] as const;
    for (const id of ids) {
      await put(browser, port, `${id}/files/0`);
      assert.equal((await browser.post(`/imports/${id}/check`, {})).status, 200);
    }
    assert.equal((await browser.delete(`/imports/${ids[1]}`)).status, 204);
    assertFailure(await browser.get(`/imports/${ids[1]}`), 404, '', NO_STORE);
    for (const id of [ids[0], ids[2]]) assert.equal((await ended(browser, id)).state, 'checked');
    assert.deepEqual(readdirSync(uploads()).toSorted(), [ids[0], ids[2]].toSorted());
  });

  it('ends before its vectors are made, with the endpoint of the server however it was named', async (t) => {
    const { database, link, writer } = await createAppWorld(t);
    const gate = Promise.withResolvers<void>();
    const endpoint = await startEndpoint({ held: gate.promise });
    t.after(() => endpoint.close());
    const how = ['--embeddings', endpoint.url, '--embeddings-model', 'test'];
    const { port, signIn } = await serveProgram(t, database, how);
    const browser = await signIn(await link('ana'));
    const id = await begin(browser);
    await put(browser, port, `${id}/files/0`);
    await browser.post(`/imports/${id}/check`, {});
    await ended(browser, id);
    await browser.post(`/imports/${id}/run`, {});
    assert.equal((await ended(browser, id)).state, 'done');
    const embedded = () =>
      writer.vectors.coverage({ account_id: 'ana', model: 'test', cut: 1 }).embedded;
    assert.equal(embedded(), 0);
    gate.resolve();
    while (embedded() < 4) await sleep(20);
    // An edit changes the texts that vectors are made of.
    endpoint.received.length = 0;
    await browser.post('/edits', { memory_id: 'one', name: 'A heron' });
    while (embedded() < 4) await sleep(20);
    assert.match(JSON.stringify(endpoint.received.map(({ body }) => body.input)), /A heron/);
  });

  it('says in the log of the server why vectors are missing', async (t) => {
    const { database, link } = await createAppWorld(t);
    const endpoint = await startEndpoint({ status: 401 });
    t.after(() => endpoint.close());
    const how = ['--embeddings', endpoint.url, '--embeddings-model', 'test'];
    const { signIn, server } = await serveProgram(t, database, how);
    const browser = await signIn(await link('ana'));
    await browser.post('/edits', { memory_id: 'one', name: 'A heron' });
    await waitFor(server, 'stdout', /status 401; put its key into MEMORY_GATEWAY_EMBEDDINGS_KEY/);
  });

  it('goes to the account of the session, and no other account sees it', async (t) => {
    const { signIn, port } = await createImporting(t);
    const [ana, bo] = [await signIn('ana'), await signIn('bo')];
    const id = await begin(ana);
    assertFailure(await put(bo, port, `${id}/files/0`), 404, '', NO_STORE);
    assertFailure(await bo.get(`/imports/${id}`), 404, '', NO_STORE);
    assertFailure(await bo.post(`/imports/${id}/run`, {}), 404, '', NO_STORE);
    assertFailure(await bo.delete(`/imports/${id}`), 404, '', NO_STORE);
    const own =
      '{"id":"x","user_id":"bo","name":"A","started_at":"2026-11-18T09:00:00Z","transcript":"B"}';
    await put(ana, port, `${id}/files/0`, { name: 'own.json', bytes: Buffer.from(own) });
    await ana.post(`/imports/${id}/check`, {});
    const { report } = await ended(ana, id);
    await ana.post(`/imports/${id}/run`, {});
    await ended(ana, id);
    assert.equal(
      (JSON.parse((await bo.get('/memories')).text) as object[]).length,
      1,
      String(report?.added),
    );
  });

  it('keeps every file below its own folder, whatever its name is', async (t) => {
    const { signIn, port, uploads } = await createImporting(t);
    const browser = await signIn('ana');
    const id = await begin(browser);
    const names = [
      '../../etc/passwd',
      '/etc/passwd',
      'C:\\Users\\a.txt',
      '..\\..\\up.txt',
      'a/../../b.txt',
      '....//c.txt',
      'x\0y.txt',
      'n'.repeat(4096),
      '\u202Egnp.exe',
      '\u{1F600}'.repeat(1000),
      `${'d/'.repeat(200)}deep.txt`,
      'same.txt',
      'same.txt',
      'same.txt/below',
      '.',
      '..',
    ];
    for (const [n, name] of names.entries()) {
      const { status, text } = await put(browser, port, `${id}/files/${n}`, {
        name,
        bytes: Buffer.from('x'),
      });
      assert.equal(status, 204, `${name} ${text}`);
    }
    const beside = readdirSync(join(uploads(), '../..')).filter((name) => name.includes('uploads'));
    assert.equal(beside.length, 1);
    assert.deepEqual(readdirSync(uploads()), [id]);
    const all = readdirSync(join(uploads(), id), { recursive: true, withFileTypes: true });
    assert.equal(all.filter((entry) => entry.isFile()).length, names.length);
    assert.equal((await browser.delete(`/imports/${id}`)).status, 204);
    assert.ok(!existsSync(join(uploads(), id)));
  });

  it('keeps the whole of a long name, and of a longer one the ends, which have its date', async (t) => {
    const { signIn, port } = await createImporting(t);
    const browser = await signIn('ana');
    const id = await begin(browser);
    const title = 'A talk of '.repeat(10).trim();
    const longer = 'Ein Gespräch über '.repeat(20).trim();
    for (const [n, name] of [title, longer].entries()) {
      const bytes = Buffer.from(`[00:00:00] Ann: Hello ${n}.\n[00:00:05] Ben: Indeed.\n`);
      const file = { name: `2025-03-18 0${n}.00 ${name}.txt`, bytes };
      assert.equal((await put(browser, port, `${id}/files/${n}`, file)).status, 204);
    }
    await browser.post(`/imports/${id}/check`, { timezone: 'UTC' });
    const { report } = await ended(browser, id);
    const found = report?.memories.toSorted((a, b) => (a.started_at < b.started_at ? -1 : 1));
    assert.deepEqual(
      found?.map(({ started_at }) => started_at),
      ['2025-03-18T00:00:00.000Z', '2025-03-18T01:00:00.000Z'],
    );
    assert.equal(found?.[0]?.name, title);
    assert.match(String(found?.[1]?.name), /^Ein G.*….*über$/);
  });

  it('refuses what is malformed, too large, out of order, or from elsewhere', async (t) => {
    const { signIn, port, browser } = await createImporting(t, 1000);
    const opened = await signIn('ana');
    const id = await begin(opened);
    const bytes = Buffer.from('0123456789');
    const at = `${id}/files/0`;
    const bad = async (sent: Sent, status: number, who = opened) =>
      assertFailure(await put(who, port, at, { bytes, ...sent }), status, '', NO_STORE);
    await bad({}, 401, browser());
    await bad({ total: 1001 }, 413);
    await bad({ from: 5, total: 20 }, 409);
    await bad({ total: 5 }, 422);
    for (const range of ['', 'bytes */10', 'bytes 0-8/10', 'bytes 9-0/10', 'bytes 0-9/*'])
      await bad({ headers: { 'content-range': range } }, 422);
    for (const name of ['', '%', '%FF']) await bad({ headers: { 'x-file-name': name } }, 422);
    await bad({ headers: { origin: 'http://evil.example' } }, 403);
    await bad({ headers: { 'sec-fetch-site': 'cross-site' } }, 403);
    await bad({ headers: { 'content-type': 'text/plain' } }, 415);
    assertFailure(await put(opened, port, `${id}/files/x`, { bytes }), 422, '', NO_STORE);
    const wrong = { 'content-type': 'application/octet-stream' };
    assertFailure(await opened.post('/imports', {}, wrong), 415, '', NO_STORE);
    assert.equal((await put(opened, port, at, { bytes, total: 20 })).status, 204);
    await bad({ total: 30 }, 422);
    await bad({ name: 'other.json', total: 20 }, 422);
  });

  it('says what is in the files before an import: months, lacks, what is not kept, and which memories', async (t) => {
    const { signIn, port } = await createImporting(t);
    const browser = await signIn('ana');
    const id = await begin(browser);
    const memories = [
      { id: 'one', name: 'Milk', started_at: '2026-10-31T12:00:00Z', transcript: 'Ana: Milk.' },
      {
        id: 'two',
        name: 'Bread',
        started_at: '2026-11-01T12:00:00Z',
        transcript: 'Bread.',
        mood: 1,
      },
      { id: 'three', name: 'Eggs', started_at: '2026-10-30T12:00:00Z', transcript: 'Ana: Eggs.' },
    ];
    const bytes = Buffer.from(JSON.stringify(memories));
    await put(browser, port, `${id}/files/0`, { name: 'all.json', bytes });
    await put(browser, port, `${id}/files/1`, { name: 'call.mp3', bytes: Buffer.from([0, 1, 2]) });
    await browser.post(`/imports/${id}/check`, {});
    const { report } = await ended(browser, id);
    assert.deepEqual(
      report?.memories.map((each) => [each.id, each.name, each.result]),
      [
        ['one', 'Milk', 'updated'], // the account has it already
        ['two', 'Bread', 'added'],
        ['three', 'Eggs', 'added'],
      ],
    );
    const { started_at, duration_seconds, lines } = report?.memories[0] ?? {};
    assert.deepEqual([started_at, duration_seconds, lines], ['2026-10-31T12:00:00.000Z', 0, 1]);
    assert.deepEqual(report?.not_kept, [
      { format: 'Memory Gateway memories', names: [{ name: 'mood', count: 1 }] },
    ]);
    assert.equal(report?.without_transcript, 0);
    assert.equal(report?.without_line_times, 3);
    assert.equal(report?.unnamed_speakers, 1);
    assert.deepEqual(report?.advice.length, 1);
    assert.match(report?.advice[0] ?? '', /^A sound file has no words/);
  });

  it('says once what is wrong with many rows, and where the first one is', async (t) => {
    const { signIn, port } = await createImporting(t);
    const browser = await signIn('ana');
    const id = await begin(browser);
    const rows = ['Talk', 'Walk', 'Call'].map((summary, at) => ({
      id: `row-${at}`,
      name: 'Row',
      started_at: '2026-11-01T12:00:00Z',
      ended_at: '2026-11-01T12:10:00Z',
      summary,
      transcript: 'Ana: Hello.',
    }));
    const bytes = Buffer.from(rows.map((row) => JSON.stringify(row)).join('\n'));
    await put(browser, port, `${id}/files/0`, { name: 'rows.jsonl', bytes });
    await browser.post(`/imports/${id}/check`, {});
    const { report } = await ended(browser, id);
    assert.equal(report?.rejected, 3);
    assert.deepEqual(report.rejects, [
      {
        file: 'rows.jsonl (3 items, the first in line 1)',
        reason: 'its "summary" must be an object, not "Talk"',
      },
    ]);
  });

  it('says that a file is empty, also if there is no other', async (t) => {
    const { signIn, port } = await createImporting(t);
    const browser = await signIn('ana');
    const id = await begin(browser);
    const empty = { name: 'Recording 3.txt', bytes: Buffer.of() };
    assert.equal((await put(browser, port, `${id}/files/0`, empty)).status, 204);
    assert.equal((await browser.post(`/imports/${id}/check`, {})).status, 200);
    const { state, report } = await ended(browser, id);
    assert.equal(state, 'checked');
    assert.deepEqual(report?.rejects, [
      { file: 'Recording 3.txt', reason: 'it is empty; copy it or export it again' },
    ]);
    const lost = { 'content-range': 'bytes */0' };
    const filled = await put(browser, port, `${await begin(browser)}/files/0`, { headers: lost });
    assertFailure(filled, 422, '', NO_STORE);
  });

  it('says that nothing in the files is a recording', async (t) => {
    const { signIn, port } = await createImporting(t);
    const browser = await signIn('ana');
    const id = await begin(browser);
    await put(browser, port, `${id}/files/0`, { name: 'a.bin', bytes: Buffer.from([0, 1, 2]) });
    await browser.post(`/imports/${id}/check`, {});
    const { state, report } = await ended(browser, id);
    assert.equal(state, 'checked');
    assert.equal((report?.added ?? 0) + (report?.rejected ?? 0), 0);
    assert.deepEqual([report?.files_skipped, report?.skipped_files], [1, ['a.bin']]);
  });

  it('fails if its importer cannot be started, and the server and the next import go on', async (t) => {
    const { database } = await createAppWorld(t);
    const program = ['no program has this name\0'];
    const imports = await createImports({ context: { env: {}, program }, database, maxBytes: 1e7 });
    t.after(() => imports.close());
    for (const _ of ['one', 'the next']) {
      const { id } = await imports.begin('ana');
      const of = { account_id: 'ana', id };
      const file = { n: 0, name: 'week.json', modified: undefined, from: 0, total: SAMPLE.length };
      await imports.write({ ...of, ...file, bytes: SAMPLE });
      await imports.start(of, { isDry: true, timezone: 'UTC', agent: 'test' });
      let now = await imports.get(of);
      while (now.state === 'checking') {
        await sleep(5);
        now = await imports.get(of);
      }
      assert.equal(now.state, 'failed');
      assert.match(String(now.problem), /^The importer has failed \(.+\); import again\.$/);
    }
  });

  it('ends with the server', async (t) => {
    const { imports, uploads } = await createImporting(t);
    await imports.begin('ana');
    const all = join(uploads(), '..');
    await imports.close();
    assert.ok(!existsSync(all));
  });

  it('stays if another server starts and ends beside it, which removes what killed servers have left', async (t) => {
    const { imports, uploads, database } = await createImporting(t);
    await imports.begin('ana');
    const own = basename(uploads());
    const all = join(uploads(), '..');
    const [, system, pid, start] = /^server\.(\w+)-(\d+)-(\d+)\./.exec(own) ?? [];
    const killed = `server.${system}-999999999-1.00000000.new`;
    const restarted = `server.${system}-${pid}-${Number(start) - 1}.00000000.new`;
    const elsewhere = 'server.00000000-1-1.00000000.new';
    for (const other of [killed, restarted, elsewhere])
      mkdirSync(join(all, other, 'upload'), { recursive: true });
    const context = { env: {}, program: PROGRAM_WORDS };
    const next = await createImports({ context, database, maxBytes: 1 });
    assert.deepEqual(readdirSync(all).toSorted(), [own, elsewhere].toSorted());
    await next.begin('ana');
    assert.equal(readdirSync(all).length, 3);
    await next.close();
    assert.deepEqual(readdirSync(all).toSorted(), [own, elsewhere].toSorted());
    assert.equal(readdirSync(join(all, own)).length, 1);
    rmSync(join(all, elsewhere), { recursive: true });
  });
});

describe('A command of the app', () => {
  it('ends when its server is killed', async (t) => {
    const { database } = await createAppWorld(t);
    const folder = newFolder();
    writeFileSync(join(folder, 'week.json'), SAMPLE);
    const count = () => Number(engine.edit(database, COUNT)[0]?.['n']);
    const before = count();
    const args = [database, 'watch', folder, '--account', 'ana'];
    const script = 'test/support/processes/command-parent-program.ts';
    const server = startProcess(args, { script });
    t.after(() => stop(server, 'SIGKILL'));
    const pid = Number(await waitFor(server, 'stdout', /\d+\n/));
    t.after(() => isRunning(pid) && process.kill(pid, 'SIGKILL'));
    while (count() === before) await sleep(20); // until it watches
    assert.ok(isRunning(pid));
    await stop(server, 'SIGKILL');
    const late = Date.now() + 30_000;
    while (isRunning(pid) && Date.now() < late) await sleep(20);
    assert.ok(!isRunning(pid), 'it watches on for ever');
  });
});

describe('The app without an importer', () => {
  it(
    'is that of a server whose user may not write memories, but it shares them',
    { skip: onlyPostgres },
    async (t) => {
      const { database, link } = await createAppWorld(t);
      const { signIn } = await serveProgram(t, appAddress(database));
      const browser = await signIn(await link('ana'));
      const me = jsonOf(await browser.get('/me'));
      assert.deepEqual([me['can_import'], me['bin_days'], me['can_share']], [false, null, true]);
      for (const answer of [
        await browser.post('/imports'),
        await browser.post('/deletions', { ids: ['one'] }),
        await browser.post('/sources', { product: 'limitless', every_minutes: 60, key: 'x' }),
      ])
        assert.match(
          assertFailure(answer, 403, '', NO_STORE),
          /^The app of this gateway is read-only; .* as a user of the database who may write memories\.$/,
        );
      assert.equal((await browser.get('/memories/one')).status, 200);
    },
  );
});
