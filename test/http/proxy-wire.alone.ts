// Raw HTTP behind a reverse proxy: no case of the wire table opens a memory, hides a request or mixes up responses.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'node:tls';

import { createApiKey } from '../../src/store/accounts/api-key.ts';
import { lacks, proxies, startProxy, type Proxy } from '../support/wire/proxies.ts';
import { leave } from '../support/world/artifacts.ts';
import { createWorld, memory } from '../support/world/world.ts';
import { fill, head, type Keys, type WireCase } from './wire/case.ts';
import { WIRE_CASES } from './wire/cases.ts';

type ProxyName = (typeof proxies)[number];

const AT_ONCE = 8;
const CANARIES = 40;
const LAST = head('GET /healthz HTTP/1.1', 'Host: localhost', 'Connection: close');
/** Only in the memory that `<key>` opens, and only in that of `<other>`. */
const WORDS = { own: 'quokka', other: 'numbat' };
/** Requests that a proxy waits for the rest of: it closes their connections after 10 s. */
const PATIENCE_MS = 20_000;

async function createScene(t: TestContext, name: ProxyName) {
  const world = await createWorld(t);
  const canaries = Array.from({ length: CANARIES }, (_, i) => memory({ id: `canary-${i}` }));
  const one = memory({ id: 'one', transcript: WORDS.own });
  const key = world.addAccount('ana', [one, ...canaries]);
  const other = world.addAccount('bo', [memory({ id: 'two', transcript: WORDS.other })]);
  const disabled = world.addAccount('cy');
  world.writer.accounts.setDisabled('cy', true);
  const revoked = world.addKey('ana');
  world.writer.keys.revoke(revoked.id);
  const expired = world.addKey('ana', Date.now()).key;
  const keys: Keys = {
    key,
    other,
    disabled,
    revoked: revoked.key,
    expired,
    unknown: createApiKey(),
  };
  return { world, keys, proxy: await startProxy(t, name, world.port) };
}

/** Sends bytes over TLS and reads until the proxy closes the connection, or for as long as it is given. */
async function converse({ port, ca }: Proxy, bytes: string, ms: number): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', servername: 'localhost', ca });
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  let text = '';
  socket.on('data', (part: Buffer) => (text += part.toString('latin1')));
  socket.on('error', () => {}); // a refused request may end with a reset
  socket.on('close', () => resolve());
  socket.write(Buffer.from(bytes, 'latin1'));
  const late = new AbortController();
  await Promise.race([closed, sleep(ms, undefined, late).catch(() => {})]);
  late.abort();
  socket.destroy();
  leave(text);
  return text;
}

function count(text: string, wanted: RegExp): number {
  return Array.from(text.matchAll(wanted)).length;
}

/**
 * The most responses that a case may have with the request behind it. A proxy reads a body to its end, so
 * the connection goes on where the gateway would close it. What stands in a body is no request.
 */
function requestsOf({ name, bytes, statuses }: WireCase): number {
  const isBody = /looks like a request/.test(name);
  const lines = isBody ? statuses.length : count(bytes, /^ *[A-Za-z]+[ \t]+\S.*HTTP\/\S+/gm);
  return Math.max(statuses.length, lines) + 1;
}

/**
 * Whether a case has a good key, and the gateway refuses only its form. Proxies accept some forms, such as
 * a folded value, and send the request on in a form without doubt.
 */
function isUnclear({ bytes, statuses }: WireCase): boolean {
  return bytes.includes('<key>') && !statuses.some((status) => [401, 404, 405].includes(status));
}

/** Plays a case and another request on its connection, then a canary on a new one. */
async function play(
  proxy: Proxy,
  { keys, found, turn }: { keys: Keys; found: WireCase; turn: number },
) {
  const bytes = fill(found.bytes, keys).replaceAll('Host: x\r', 'Host: localhost\r');
  const text = await converse(proxy, bytes + LAST, PATIENCE_MS);
  const id = `canary-${turn % CANARIES}`;
  const canary = await converse(
    proxy,
    head(
      `GET /v1/memories/${id}?fields=name HTTP/1.1`,
      'Host: localhost',
      `X-API-Key: ${keys.key}`,
      'Connection: close',
    ),
    10 * PATIENCE_MS, // it always closes, on a busy machine later
  );
  assert.match(canary, /^HTTP\/1\.1 200 /, 'the next connection');
  assert.ok(canary.includes(`{"id":"${id}","name":"Memory ${id}"}`), `its own response: ${canary}`);
  return text;
}

for (const name of proxies)
  describe(`The wire table behind ${name}`, { skip: lacks(name) }, () => {
    it('opens no memory to a refused request, hides no request and mixes up no responses', async (t) => {
      const { world, keys, proxy } = await createScene(t, name);
      const waiting = Array.from(WIRE_CASES.entries());
      const faults: string[] = [];
      let repaired = 0;
      const lane = async () => {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
          const [turn, found] = next;
          const text = await play(proxy, { keys, found, turn });
          if (text.includes(WORDS.other)) faults.push(`${found.name}: of another account`);
          const right = found.statuses.filter((status) => status === 200).length;
          if (count(text, new RegExp(WORDS.own, 'g')) > right) {
            if (isUnclear(found)) repaired++;
            else faults.push(`${found.name}: opens a memory`);
          }
          const responses = count(text, /HTTP\/1\.[01] [2-5]\d\d /g);
          if (responses > requestsOf(found)) faults.push(`${found.name}: ${responses} responses`);
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, lane));
      assert.deepEqual(faults, []);
      t.diagnostic(`${WIRE_CASES.length} cases, ${repaired} of them repaired by the proxy`);
      const failed = world.log.filter(({ message }) => message === 'request failed');
      assert.deepEqual(failed, []);
    });
  });
