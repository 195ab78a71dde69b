// Attacks on uploads through the browser: archives that would fill the disk, many files, a full disk, kills, two accounts at once.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { zipSync } from 'fflate';

import { engineOf } from '../../src/store/engines.ts';
import { createDatabase } from '../../src/store/sqlite/writer.ts';
import { createAppWorld, listOf, NO_STORE, type TestBrowser } from '../support/app/app-world.ts';
import {
  begin,
  createImporting,
  ended,
  put,
  serveProgram,
  uploadsOf,
} from '../support/app/imports-world.ts';
import { createDisk, fill, NO_MOUNT } from '../support/damage/full-disk.ts';
import { assertFailure } from '../support/wire/response-shape.ts';
import { issued } from '../support/world/artifacts.ts';
import { run } from '../support/world/program.ts';
import { sized } from '../support/world/thorough.ts';

const MB = 1e6;

/** A recording of a few lines, as JSON of our own. */
const recording = (n: number) =>
  Buffer.from(
    JSON.stringify({
      id: `r${n}`,
      name: `Recording ${n}`,
      started_at: new Date(Date.UTC(2026, 0, 1) + n * 60_000).toISOString(),
      transcript: `Mira: Number ${n}.`,
    }),
  );

const manyRecordings = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`r${n}.json`, recording(n)]));

interface Uploading {
  readonly browser: TestBrowser;
  readonly port: number;
}

/** Uploads one file and looks at it. */
async function check({ browser, port }: Uploading, name: string, bytes: Buffer) {
  const id = await begin(browser);
  for (let from = 0; from < bytes.length; from += MB) {
    const part = { name, from, total: bytes.length, bytes: bytes.subarray(from, from + MB) };
    assert.equal((await put(browser, port, `${id}/files/0`, part)).status, 204);
  }
  await browser.post(`/imports/${id}/check`, {});
  return { id, looked: await ended(browser, id) };
}

/** Creates a sign-in link, as the command does, and returns its secret. */
async function linkOf(database: string): Promise<string> {
  const store = await engineOf(database).openApp();
  try {
    return issued((await store.links.create('ana', 'command line')).secret);
  } finally {
    await store.close();
  }
}

/** Kills the processes that a process has started. */
function killChildrenOf(pid: number): void {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  for (const child of children.split(' ').filter(Boolean)) process.kill(Number(child), 'SIGKILL');
}

const memoriesOf = async (browser: TestBrowser) =>
  listOf(await browser.get('/memories')).map(({ id }) => String(id));

describe('An upload that attacks the gateway', () => {
  it('is an archive that would unpack to far more than its size: refused, and nothing is unpacked', async (t) => {
    const { signIn, port, uploads } = await createImporting(t);
    const browser = await signIn('ana');
    const bomb = Buffer.from(zipSync({ 'a.json': new Uint8Array(110 * MB) }, { level: 9 }));
    const nested = Buffer.from(zipSync({ 'inner.zip': bomb }, { level: 0 }));
    const { looked } = await check({ browser, port }, 'bomb.zip', bomb);
    assert.equal(looked.report?.added, 0);
    assert.match(
      String(looked.report?.rejects[0]?.reason),
      /would unpack to more than 100 times its size/,
    );
    const inner = await check({ browser, port }, 'nested.zip', nested);
    assert.equal(inner.looked.report?.added, 0, JSON.stringify(inner.looked));
    const files = readdirSync(uploads(), { recursive: true, encoding: 'utf8' });
    assert.ok(
      files.every((name) => !name.endsWith('.json')),
      String(files),
    );
  });

  it('is an archive of 10,000 recordings, or 10,000 files at once: all of them are imported', async (t) => {
    const { signIn, port } = await createImporting(t, 100 * MB);
    const count = sized(10_000, 300);
    const [ana, bo] = [await signIn('ana'), await signIn('bo')];
    const archive = Buffer.from(zipSync(manyRecordings(count), { level: 1 }));
    const { id, looked } = await check({ browser: ana, port }, 'many.zip', archive);
    assert.equal(looked.report?.added, count);
    const files = await begin(bo);
    for (let n = 0; n < count; n++) {
      const sent = { name: `r${n}.json`, bytes: recording(n) };
      assert.equal((await put(bo, port, `${files}/files/${n}`, sent)).status, 204);
    }
    await bo.post(`/imports/${files}/check`, {});
    assert.equal((await ended(bo, files)).report?.added, count);
    // Two accounts at once, with the same ids.
    await Promise.all([ana.post(`/imports/${id}/run`, {}), bo.post(`/imports/${files}/run`, {})]);
    const done = await Promise.all([ended(ana, id), ended(bo, files)]);
    assert.deepEqual(
      done.map(({ state, report }) => [state, report?.added]),
      [
        ['done', count],
        ['done', count],
      ],
    );
  });

  it(
    'fills the disk: one sentence, reads go on, and the space is free again',
    { skip: NO_MOUNT },
    async (t) => {
      const disk = createDisk(t, 24 * MB);
      const database = join(disk, 'memories.db');
      createDatabase(database, (writer) => {
        writer.accounts.create({ id: 'ana', name: 'Ana', created_by: 'command line' });
      });
      const { port, signIn } = await serveProgram(t, database);
      const browser = await signIn(await linkOf(database));
      const id = await begin(browser);
      const free = fill(disk, 3 * MB);
      const sent = { bytes: Buffer.alloc(2 * MB), total: 8 * MB };
      assert.equal((await put(browser, port, `${id}/files/0`, sent)).status, 204);
      const full = await put(browser, port, `${id}/files/0`, { ...sent, from: 2 * MB });
      assert.match(assertFailure(full, 503, '', NO_STORE), /^The disk of this gateway is full/);
      assert.equal((await browser.get('/memories')).status, 200);
      assert.equal((await browser.delete(`/imports/${id}`)).status, 204);
      assert.deepEqual(readdirSync(uploadsOf(database)), []);
      const { looked } = await check({ browser, port }, 'r1.json', recording(1));
      assert.equal(looked.report?.added, 1);
      free();
    },
  );

  it('is killed with its importer or its server at any moment: what is written is whole, and a second run adds the rest', async (t) => {
    const { database, link } = await createAppWorld(t);
    const count = sized(4000, 400);
    const archive = Buffer.from(zipSync(manyRecordings(count), { level: 1 }));
    const moments = sized(12, 4);
    for (let n = 0; n < moments; n++) {
      const { port, signIn, server } = await serveProgram(t, database);
      const browser = await signIn(await link('ana'));
      const { id } = await check({ browser, port }, 'many.zip', archive);
      await browser.post(`/imports/${id}/run`, {});
      await sleep(n * 150);
      if (n % 2 === 0) {
        killChildrenOf(Number(server.pid));
        const { state } = await ended(browser, id);
        assert.match(state, /^(failed|done)$/);
      }
      const gone = once(server, 'exit');
      server.kill('SIGKILL');
      await gone;
      const verified = await run(['verify', '--database', database]);
      assert.equal(verified.code, 0, verified.stderr);
    }
    const { port, signIn } = await serveProgram(t, database);
    assert.ok(
      !existsSync(`${database}.uploads`) || readdirSync(`${database}.uploads`).length === 0,
    );
    const browser = await signIn(await link('ana'));
    const { id } = await check({ browser, port }, 'many.zip', archive);
    await browser.post(`/imports/${id}/run`, {});
    assert.equal((await ended(browser, id)).state, 'done');
    assert.equal(new Set(await memoriesOf(browser)).size, count + 1);
  });
});
