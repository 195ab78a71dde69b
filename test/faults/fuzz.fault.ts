// The fuzz test finds planted faults of a gateway, with the request that shows them.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

import { send } from '../fuzz/connection.ts';
import { fuzz } from '../fuzz/fuzz.ts';
import { faults } from '../fuzz/planted-faults.ts';
import { tell } from '../support/damage/trial.ts';
import { newFolder } from '../support/world/artifacts.ts';
import { isShort } from '../support/world/thorough.ts';

const FAULTY = fileURLToPath(new URL('../fuzz/planted-faults.ts', import.meta.url));

/** A server that closes each connection with a response at once. It goes on while the test's thread stands still. */
const HASTY = `
  const { parentPort } = require('node:worker_threads');
  const server = require('node:net').createServer((socket) => {
    socket.on('error', () => {});
    socket.end('HTTP/1.1 408 Request Timeout\\r\\n\\r\\n', () => socket.destroy());
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

describe('The fuzz test', () => {
  it('reads the response of a server that has given up before the client could send', async (t) => {
    const server = new Worker(HASTY, { eval: true });
    t.after(() => server.terminate());
    const [port] = (await once(server, 'message')) as [number];
    const came = send(port, { parts: [{ bytes: 'GET / HTTP' }], cuts: [3, 5, 7], ending: 'close' });
    await turn(); // connects, but does not yet hear of it
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
    assert.match((await came).bytes.toString(), /^HTTP\/1\.1 408 /);
  });

  for (const { name, found } of isShort ? faults.slice(0, 3) : faults)
    it(`finds a gateway that ${name}`, async (t) => {
      const { figures, findings, server } = await fuzz({
        seed: 1,
        minutes: 1,
        most: 1,
        database: join(newFolder(), 'fuzz.db'),
        program: [FAULTY, name],
      });
      const [finding] = findings;
      tell(t, {
        requests: figures.requests,
        found: finding?.kind ?? String(server),
        with: JSON.stringify(finding?.script.parts.map(({ bytes }) => bytes).join('') ?? ''),
      });
      const said = [finding?.kind, server].filter((each) => each !== undefined);
      assert.ok(
        said.some((each) => found.test(each)),
        said.join(),
      );
    });
});
