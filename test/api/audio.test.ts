// Recordings: files of a folder that the operator has named, whole or in part, and never a file from elsewhere.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, renameSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';

import { NAMED_STATUSES } from '../../src/contract/statuses.ts';
import { prepareMemory } from '../../src/store/import/memory-row.ts';
import { engine } from '../support/engines/engine.ts';
import { assertAlways, assertFailure } from '../support/wire/response-shape.ts';
import { send } from '../support/wire/wire.ts';
import { newFolder } from '../support/world/artifacts.ts';
import { fullDetails } from '../support/world/details.ts';
import { createWorld, memory } from '../support/world/world.ts';

/** More than is read at a time, with a pattern that no shifted part repeats. */
const SOUND = Buffer.from(Array.from({ length: 300_001 }, (_, i) => (i * 7 + (i >> 8)) % 256));

const NOT_SERVED = /not in a folder that this gateway serves/;

/** Creates a world with a recording of Ana in her folder, and one of Bo beside it. */
async function createRecordings(t: TestContext) {
  const root = newFolder();
  const folders = { ana: join(root, 'ana'), bo: join(root, 'bo') };
  for (const folder of Object.values(folders))
    mkdirSync(join(folder, 'talks'), { recursive: true });
  writeFileSync(join(folders.ana, 'talks/one.m4a'), SOUND);
  writeFileSync(join(folders.bo, 'secret.mp3'), 'Bo');
  const audio = (id: string) => (id === 'ana' || id === 'bo' ? folders[id] : undefined);
  const world = await createWorld(t, { audio });
  const [ana, bo] = [world.addAccount('ana', []), world.addAccount('bo', [])];
  const put = (account: string, id: string, path: string | null) =>
    world.writer.memories.putReady([
      prepareMemory(account, memory({ id }), fullDetails({ audio: path })),
    ]);
  put('ana', 'talk', 'talks/one.m4a');
  put('bo', 'his', 'secret.mp3');
  const get = (id: string, headers: Record<string, string> = {}, more: object = {}) =>
    send(world.port, { path: `/v1/memories/${id}/audio`, key: ana, headers, ...more });
  return { ...world, root, folders, ana, bo, put, get };
}

describe('A recording', () => {
  it('is the file as it lies in the folder, with its media type', async (t) => {
    const { get } = await createRecordings(t);
    const answer = await get('talk', { 'accept-encoding': 'gzip' });
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.body, SOUND);
    assertAlways(answer);
    const { headers } = answer;
    assert.deepEqual(
      ['content-type', 'content-length', 'accept-ranges', 'content-encoding'].map(
        (h) => headers[h],
      ),
      ['audio/mp4', String(SOUND.length), 'bytes', undefined],
    );
    assert.equal(headers['content-security-policy'], 'sandbox');
    const head = await get('talk', {}, { method: 'HEAD' });
    assert.deepEqual(
      [head.status, head.body.length, head.headers['content-length'], head.headers['etag']],
      [200, 0, String(SOUND.length), headers['etag']],
    );
  });

  it('is served in part to a request for a range', async (t) => {
    const { get } = await createRecordings(t);
    const { length } = SOUND;
    for (const [range, start, end] of [
      ['bytes=0-0', 0, 1],
      ['bytes=5-', 5, length],
      ['bytes=131000-262200', 131_000, 262_201],
      ['bytes=-7', length - 7, length],
      [`bytes=-${length + 9}`, 0, length],
      [`Bytes=${length - 1}-999999999`, length - 1, length],
    ] as const) {
      const { status, headers, body } = await get('talk', { range });
      assert.equal(status, 206, range);
      assert.deepEqual(body, SOUND.subarray(start, end), range);
      assert.equal(headers['content-range'], `bytes ${start}-${end - 1}/${length}`);
      assert.equal(headers['content-length'], String(end - start));
    }
  });

  it('is the same through fetch', async (t) => {
    const { gateway, ana } = await createRecordings(t);
    const headers = { authorization: `Bearer ${ana}`, range: 'bytes=150000-' };
    const url = 'http://a.example/v1/memories/talk/audio';
    const response = await gateway.fetch(new Request(url, { headers }));
    assert.equal(response.status, 206);
    assert.deepEqual(Buffer.from(await response.arrayBuffer()), SOUND.subarray(150_000));
  });

  it('is a 416 with its size for a range beyond its end', async (t) => {
    const { get } = await createRecordings(t);
    for (const range of [`bytes=${SOUND.length}-`, 'bytes=-0', 'bytes=99999999999999999999-']) {
      const answer = await get('talk', { range });
      assert.match(assertFailure(answer, 416), /The file has 300001 bytes/);
      assert.equal(answer.headers['content-range'], `bytes */${SOUND.length}`);
    }
  });

  it('is served whole if the range is no single range of bytes, or not for GET', async (t) => {
    const { get } = await createRecordings(t);
    for (const range of ['bytes=0-1,4-5', 'bytes=9-2', 'bytes=-', 'bytes=a-b', 'lines=0-1', ''])
      assert.deepEqual([range, (await get('talk', { range })).status], [range, 200]);
    const head = await get('talk', { range: 'bytes=0-1' }, { method: 'HEAD' });
    assert.deepEqual([head.status, head.headers['content-length']], [200, String(SOUND.length)]);
  });

  it('has an ETag that changes with the file, leads to 304, and guards ranges', async (t) => {
    const { get, folders } = await createRecordings(t);
    const etag = String((await get('talk')).headers['etag']);
    assert.equal((await get('talk', { 'if-none-match': etag })).status, 304);
    const range = 'bytes=0-3';
    assert.equal((await get('talk', { range, 'if-range': etag })).status, 206);
    for (const old of ['"another"', `W/${etag}`, 'Wed, 21 Oct 2015 07:28:00 GMT'])
      assert.equal((await get('talk', { range, 'if-range': old })).status, 200, old);
    writeFileSync(join(folders.ana, 'talks/new.m4a'), 'other');
    renameSync(join(folders.ana, 'talks/new.m4a'), join(folders.ana, 'talks/one.m4a'));
    const changed = await get('talk', { 'if-none-match': etag });
    assert.deepEqual([changed.status, changed.text], [200, 'other']);
  });

  it('that becomes shorter while it is sent breaks off, and is never a shorter whole', async (t) => {
    const { folders, put, port, ana } = await createRecordings(t);
    const path = join(folders.ana, 'long.wav');
    writeFileSync(path, '');
    truncateSync(path, 512 * 1024 * 1024); // it takes no room on the disk
    put('ana', 'long', 'long.wav');
    const url = `http://127.0.0.1:${port}/v1/memories/long/audio`;
    const response = await fetch(url, { headers: { authorization: `Bearer ${ana}` } });
    assert.equal(response.status, 200);
    truncateSync(path, 1);
    await assert.rejects(response.arrayBuffer());
  });

  it('that is missing is a 404 that says why', async (t) => {
    const { get, put } = await createRecordings(t);
    put('ana', 'none', null);
    put('ana', 'link', 'https://a.example/one.mp3');
    put('ana', 'gone', 'talks/gone.mp3');
    assert.match(assertFailure(await get('none'), 404), /^No recording of this memory is known/);
    assert.match(assertFailure(await get('link'), 404), /is the link to it/);
    assert.match(assertFailure(await get('gone'), 404), NOT_SERVED);
    for (const id of ['nowhere', 'his'])
      assert.equal(assertFailure(await get(id), 404), NAMED_STATUSES[404].detail);
  });
});

describe('The path of a recording', () => {
  it('never leaves the folder of its account, also not through links', async (t) => {
    const { root, folders, get, put } = await createRecordings(t);
    writeFileSync(join(root, 'outside.mp3'), 'outside');
    symlinkSync(join(root, 'outside.mp3'), join(folders.ana, 'link.mp3'));
    symlinkSync(folders.bo, join(folders.ana, 'folder'));
    symlinkSync('/proc/self/cwd', join(folders.ana, 'cwd'));
    mkdirSync(join(folders.ana, 'dir.mp3'));
    const paths = [
      '../outside.mp3',
      'talks/../../bo/secret.mp3',
      'talks\\..\\..\\bo\\secret.mp3',
      './talks/one.m4a',
      join(root, 'outside.mp3'),
      'C:/outside.mp3',
      'link.mp3',
      'folder/secret.mp3',
      'cwd/talk.mp3',
      'dir.mp3',
      'talks//one.m4a',
      'talks/one.m4a/',
      '',
      'a\0.mp3',
      `${'x'.repeat(5000)}.mp3`,
    ];
    for (const [i, path] of paths.entries()) {
      put('ana', `p${i}`, path);
      assert.match(assertFailure(await get(`p${i}`), 404), NOT_SERVED, path);
    }
  });

  it('never leads to a file that is no recording', async (t) => {
    const { folders, get, put } = await createRecordings(t);
    for (const name of ['keys.txt', 'page.html', 'mp3', 'x.mp3.key', '.env']) {
      writeFileSync(join(folders.ana, name), 'secret');
      put('ana', 'named', name);
      assert.match(assertFailure(await get('named'), 404), NOT_SERVED, name);
    }
  });

  it('never leads to a pipe or a socket, which have no end', async (t) => {
    const { folders, get, put } = await createRecordings(t);
    execFileSync('mkfifo', [join(folders.ana, 'pipe.mp3')]);
    const server = createServer().listen(join(folders.ana, 'socket.mp3'));
    t.after(() => server.close());
    await once(server, 'listening');
    for (const name of ['pipe.mp3', 'socket.mp3']) {
      put('ana', 'named', name);
      assert.match(assertFailure(await get('named'), 404), NOT_SERVED, name);
    }
  });

  it('leads nowhere if no folder is named for the account', async (t) => {
    const { put, get, ...world } = await createRecordings(t);
    const key = world.addAccount('cy', []);
    put('cy', 'talk', 'talks/one.m4a');
    assert.match(assertFailure(await get('talk', {}, { key }), 404), NOT_SERVED);
  });
});

describe('A key with a scope', () => {
  it('for summaries gets no recording, and is not told whether there is one', async (t) => {
    const { get, ...world } = await createRecordings(t);
    const { key } = world.addKey('ana', null, { reads: 'summaries' });
    for (const id of ['talk', 'nowhere'])
      assert.equal(assertFailure(await get(id, {}, { key }), 403), NAMED_STATUSES[403].detail);
  });
});

describe('A key for other memories', () => {
  it('gets no recording, and is not told whether there is one', async (t) => {
    const { get, ...world } = await createRecordings(t);
    for (const [scope, status] of [
      [{ started_after: Date.UTC(2500, 0) }, 404],
      [{ source: 'omi' }, 404],
      [{ tags: ['Work', 'nowhere'] }, 404],
      [{ source: 'limitless', tags: ['work'] }, 206],
    ] as const) {
      const { key } = world.addKey('ana', null, scope);
      const answer = await get('talk', { range: 'bytes=0-' }, { key });
      assert.equal(answer.status, status, JSON.stringify(scope));
      if (status === 404) assert.equal(assertFailure(answer, 404), NAMED_STATUSES[404].detail);
    }
  });
});

describe('Damaged details', () => {
  it('are a 500 for the recording', async (t) => {
    const { get, database } = await createRecordings(t);
    const wrong = `UPDATE details SET body_sha256 = '${'0'.repeat(64)}' WHERE memory_id = 'talk'`;
    engine.edit(database, wrong);
    assertFailure(await get('talk'), 500);
  });
});
