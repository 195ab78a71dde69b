// Exhaustion: no file descriptors left, and little memory for many long responses.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { NO_LIMIT, withFewFiles } from '../support/damage/full-disk.ts';
import { tell } from '../support/damage/trial.ts';
import { megabytes, noGauges, sizesOf } from '../support/processes/process-usage.ts';
import { serveAlone } from '../support/processes/serve-process.ts';
import { openLine } from '../support/wire/open-connection.ts';
import { send } from '../support/wire/wire.ts';
import { stop } from '../support/world/program.ts';
import { sized } from '../support/world/thorough.ts';
import { until } from '../support/world/until.ts';
import { createWorld, memories } from '../support/world/world.ts';

describe('If no more files can be opened', { skip: noGauges || NO_LIMIT }, () => {
  const FILES = 60;
  const CLIENTS = 120;

  it('open connections are served, new ones are refused, and all are served afterwards', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana', memories(50, 20_000));
    const options = { under: withFewFiles(FILES) };
    const { child, port, lines } = await serveAlone(t, world.database, ['--cache', '0'], options);
    const list = (await send(port, { key })).text;
    const one = (await send(port, { key, path: '/v1/memories/m001' })).text;
    const line = await openLine(port);
    t.after(() => line.end());
    const before = sizesOf(child.pid).fds;
    const warnings = () => lines().filter(({ msg }) => String(msg).startsWith('No more files'));
    let served = 0;
    let most = 0;
    for (let round = 0; round < sized(20, 5); round++) {
      const crowd = Array.from({ length: CLIENTS }, () => connect(port, '127.0.0.1'));
      const answered = crowd.map(async (socket) => {
        socket.on('error', () => {});
        socket.write(`GET /v1/memories/m001 HTTP/1.1\r\nhost: a\r\nx-api-key: ${key}\r\n\r\n`);
        let said = '';
        socket.setEncoding('latin1').on('data', (part: string) => (said += part));
        await Promise.race([sleep(500), new Promise((resolve) => socket.once('close', resolve))]);
        if (said === '') return; // refused, or still in the queue
        assert.equal(said.slice(said.indexOf('\r\n\r\n') + 4), one);
        served++;
      });
      const { status, body } = await line.ask(key, '/v1/memories/m001');
      assert.deepEqual([status, body], [200, one], 'on a connection opened before');
      await Promise.all(answered);
      most = Math.max(most, sizesOf(child.pid).fds);
      // The server looks once a second, so the first crowd stays until it has noticed.
      if (round === 0) await until(() => warnings().length > 0, 3000);
      for (const socket of crowd) socket.destroy();
      await untilClosed(child.pid, before); // the rest of the crowd in the queue comes first
      for (const path of ['/v1/memories', '/v1/memories/m001', '/readyz']) {
        const answer = await send(port, { key, path });
        assert.equal(answer.status, 200, `${path} afterwards`);
        if (path === '/v1/memories') assert.equal(answer.text, list);
      }
    }
    assert.ok(most >= FILES, `all descriptors are used: ${most} were open`);
    tell(t, {
      files: FILES,
      clients: CLIENTS * sized(20, 5),
      served,
      'files after': sizesOf(child.pid).fds,
      'log entries': lines().length,
    });
    const { length } = warnings();
    assert.ok(length >= 1 && length <= 3, `${length} warnings`);
    line.end();
    assert.equal(await stop(child), 0);
  });
});

/** Waits until a process has at most `most` files open. */
async function untilClosed(pid: number | undefined, files: number): Promise<void> {
  for (let tries = 0; sizesOf(pid).fds > files; tries++) {
    assert.ok(tries < 100, `${sizesOf(pid).fds} files are still open`);
    await sleep(50);
  }
}

describe('With little memory', { skip: noGauges }, () => {
  const LISTS = sized(200, 20);
  /** How many lists an account may have at a time. */
  const STREAMS = 64;
  const HEAP_MB = 256;

  it('searches of two accounts with memories of 200,000 lines are answered', async (t) => {
    const world = await createWorld(t);
    // Each line is a piece that a search holds while it ranks.
    const transcript = `${'zed ab\n'.repeat(20_000)}${'ab ab\n'.repeat(180_000)}`;
    const long = memories(16).map((each) => ({ ...each, transcript }));
    const keys = ['ana', 'bo'].map((account) => world.addAccount(account, long));
    const env = { NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}` };
    const { child, port } = await serveAlone(t, world.database, [], { env });
    const found = await Promise.all(
      keys.map((key) => send(port, { key, path: '/v1/search?q=zed&limit=50' })),
    );
    for (const { status, text } of found) {
      assert.equal(status, 200);
      assert.equal(JSON.parse(text).passages.length, 50);
    }
    tell(t, { 'memory at most': megabytes(peakOf(child.pid)) });
    assert.equal(await stop(child), 0);
  });

  it('many lists of a thousand long memories are complete when sent in parallel, or refused with 429', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana', memories(1000, 22_000));
    const env = { NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}` };
    const { child, port, lines } = await serveAlone(t, world.database, [], { env });
    const before = sizesOf(child.pid).rss;
    const ask = async (coding: string) => {
      const headers = { 'x-api-key': key, 'accept-encoding': coding };
      const options = { port, host: '127.0.0.1', path: '/v1/memories', headers, agent: false };
      const [response] = (await once(get(options), 'response')) as [IncomingMessage];
      const hash = createHash('sha256');
      let bytes = 0;
      for await (const part of response as AsyncIterable<Buffer>) {
        hash.update(part);
        bytes += part.length;
      }
      return { status: response.statusCode, bytes, sha256: hash.digest('hex') };
    };
    const [plain, packed] = [await ask('identity'), await ask('gzip')];
    assert.equal(plain.status, 200);
    const found = await Promise.all(
      Array.from({ length: LISTS }, (_, i) => ask(i % 4 === 3 ? 'gzip' : 'identity')),
    );
    // Only a few lists of an account are compressed at a time.
    const isPacked = (each: typeof plain) => each.sha256 === packed.sha256;
    const isRefused = (each: typeof plain) => each.status === 429;
    for (const [i, each] of found.entries())
      if (!isRefused(each)) assert.deepEqual(each, i % 4 === 3 && isPacked(each) ? packed : plain);
    assert.ok(found.some(isPacked));
    const refused = found.filter(isRefused).length;
    assert.ok(LISTS - refused >= Math.min(LISTS, STREAMS), `${refused} were refused`);
    const peak = peakOf(child.pid);
    tell(t, {
      lists: LISTS,
      refused,
      sent: megabytes(found.reduce((sum, { bytes }) => sum + bytes, 0)),
      'memory before': megabytes(before),
      'at most': megabytes(peak),
    });
    assert.ok(peak < 700e6, `it took ${megabytes(peak)}`);
    assert.equal(lines().length, 1);
    assert.equal(await stop(child), 0);
  });

  /** Returns the peak memory of a process so far. */
  function peakOf(pid: number | undefined): number {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
  }
});
