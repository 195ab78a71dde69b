// serve on a Unix socket: who may connect, whose address counts, and what becomes of its file.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';

import { newFolder } from '../support/world/artifacts.ts';
import { run, runProcess, startProcess, stop, waitFor } from '../support/world/program.ts';
import { createWorld, memory } from '../support/world/world.ts';

async function ask(socketPath: string, headers: Record<string, string> = {}) {
  const sent = get({ socketPath, path: '/v1/memories/one', headers, agent: false });
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  await buffer(response);
  return response.statusCode;
}

/** Creates a database and a path for a socket, and returns how to serve there. */
async function createPlace(t: TestContext) {
  const world = await createWorld(t);
  const key = world.addAccount('ana', [memory({ id: 'one' })]);
  const path = join(newFolder(), 'gateway.sock');
  const words = (host = `unix:${path}`) => ['serve', '--database', world.database, '--host', host];
  const serve = async (...args: string[]) => {
    const child = startProcess([...words(), ...args]);
    t.after(() => stop(child, 'SIGKILL'));
    const said = await waitFor(child, 'stdout', /"listening"/);
    assert.ok(said.includes(`"url":"unix:${path}"`), said);
    return child;
  };
  return { key, path, words, serve, port: world.port };
}

describe('serve on a Unix socket', { skip: process.platform === 'win32' }, () => {
  it('lets the user and the group connect, and removes the file at its end', async (t) => {
    const { key, path, serve } = await createPlace(t);
    const child = await serve();
    assert.equal(statSync(path).mode & 0o777, 0o660);
    assert.equal(await ask(path, { 'x-api-key': key }), 200);
    assert.equal(await stop(child), 0);
    assert.equal(existsSync(path), false);
  });

  it('takes the place of a dead process, and refuses that of a live one', async (t) => {
    const { key, path, words, serve } = await createPlace(t);
    await stop(await serve(), 'SIGKILL');
    assert.ok(existsSync(path), 'left behind');
    const child = await serve();
    const second = await runProcess(words());
    assert.deepEqual(
      [second.code, second.stderr],
      [
        1,
        `memory-gateway: A process listens on ${path}; stop it, or choose another path with --host.\n`,
      ],
    );
    assert.equal(await ask(path, { 'x-api-key': key }), 200);
    await stop(child);
  });

  it('refuses a path that is no socket, is relative or too long, and changes nothing there', async (t) => {
    const { path, words } = await createPlace(t);
    writeFileSync(path, 'text');
    const file = await runProcess(words());
    assert.equal(file.code, 1);
    assert.match(file.stderr, /gateway\.sock is not a socket; remove it/);
    assert.equal(statSync(path).size, 4);
    for (const wrong of ['unix:gateway.sock', `unix:/${'x'.repeat(200)}`, 'unix:']) {
      const { code, stderr } = await run(words(wrong));
      assert.equal(code, 2, wrong);
      assert.match(stderr, /--host takes an absolute path of up to 103 bytes after unix:/);
    }
  });

  it('counts wrong keys by the address that the proxy names, with --proxy unix', async (t) => {
    const { key, path, serve } = await createPlace(t);
    await serve('--throttle', '2', '--proxy', 'unix');
    const from = (address: string, apiKey: string) =>
      ask(path, { 'x-forwarded-for': address, 'x-api-key': apiKey });
    for (const status of [401, 401, 429]) assert.equal(await from('203.0.113.7', 'x'), status);
    assert.equal(await from('203.0.113.7', key), 429);
    assert.equal(await from('203.0.113.8', key), 200);
    assert.equal(await from('198.51.100.1, 203.0.113.7', key), 429, 'the last entry counts');
    for (let i = 0; i < 4; i++) assert.equal(await ask(path, { 'x-api-key': 'x' }), 401, 'no name');
  });

  it('is needed for --proxy unix', async (t) => {
    const { words } = await createPlace(t);
    const args = ['--port', '0', '--throttle', '2', '--proxy', 'unix'];
    const { code, stderr } = await run([...words('127.0.0.1'), ...args]);
    assert.equal(code, 1);
    assert.match(stderr, /--proxy unix trusts everybody who connects to a Unix socket/);
  });
});
