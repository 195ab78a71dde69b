// Keys: which requests are accepted, and that all others get the same 401, byte for byte.

import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, it, type TestContext } from 'node:test';

import { createApiKey } from '../../src/store/accounts/api-key.ts';
import { assertFailure, comparable } from '../support/wire/response-shape.ts';
import { readAnswers, exchange, send, sendRaw } from '../support/wire/wire.ts';
import { run } from '../support/world/program.ts';
import { createWorld, memory, type World } from '../support/world/world.ts';

const PATHS = ['/v1/memories', '/v1/memories/one', '/v1/changes', '/v1/nothing', '/v1', '/v1/'];

async function createKeys(t: TestContext) {
  const world = await createWorld(t);
  const good = world.addAccount('ana', [memory({ id: 'one' })]);
  const other = world.addAccount('bo', [memory({ id: 'two' })]);
  const revoked = world.addKey('ana');
  world.writer.keys.revoke(revoked.id);
  const expired = world.addKey('ana', Date.now());
  const disabled = world.addAccount('cy');
  world.writer.accounts.setDisabled('cy', true);
  return { world, good, other, revoked: revoked.key, expired: expired.key, disabled };
}

function get(world: World, headers: string, path = '/v1/memories/one') {
  return sendRaw(
    world.port,
    `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`,
  );
}

describe('A key gives access to its account', () => {
  it('in every form that the specification allows', async (t) => {
    const { world, good } = await createKeys(t);
    const forms = [
      `Authorization: Bearer ${good}\r\n`,
      `authorization: bearer ${good}\r\n`,
      `AUTHORIZATION: BEARER ${good}\r\n`,
      `Authorization: Bearer   ${good}\r\n`,
      `Authorization: \t Bearer ${good} \t \r\n`,
      `X-API-Key: ${good}\r\n`,
      `x-api-key:${good}\r\n`,
      `X-API-Key: ${good}\r\nAuthorization: Bearer ${good}\r\n`,
      `Authorization: Basic YTpi\r\nX-API-Key: ${good}\r\n`,
      `Authorization: Digest\r\nX-API-Key: ${good}\r\n`,
      `Connection: x-api-key\r\nX-API-Key: ${good}\r\n`,
      `__proto__: x\r\nconstructor: y\r\nX-User-Id: bo\r\nX-Forwarded-User: bo\r\nX-API-Key: ${good}\r\n`,
    ];
    for (const form of forms) assert.equal((await get(world, form)).status, 200, form.slice(0, 30));
  });

  it('until the moment it expires', async (t) => {
    const { world } = await createKeys(t);
    const soon = world.addKey('ana', Date.now() + 30_000);
    assert.equal((await send(world.port, { key: soon.key })).status, 200);
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 30_001 });
    assert.equal((await send(world.port, { key: soon.key })).status, 401);
    t.mock.timers.setTime(Date.now() - 3_600_000);
    assert.equal(
      (await send(world.port, { key: soon.key })).status,
      401,
      'revived by a clock set back',
    );
  });

  it('until it is revoked, whatever the clock says later', async (t) => {
    const { world, revoked } = await createKeys(t);
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() - 3_600_000 });
    assert.equal((await send(world.port, { key: revoked })).status, 401);
  });
});

describe('Every other credential gets the same 401', () => {
  it('byte for byte, on every path, with WWW-Authenticate and without a reason', async (t) => {
    const { world, good, other, revoked, expired, disabled } = await createKeys(t);
    const unknown = createApiKey();
    const flip = (key: string, at: number) => {
      const char = key[at] === 'a' ? 'b' : 'a';
      return `${key.slice(0, at)}${char}${key.slice(at + 1)}`;
    };
    const swapCase = (key: string) =>
      key.replace(/[a-z](?=.{0,40}$)/, (char) => char.toUpperCase());
    const bearer = (value: string) => `Authorization: Bearer ${value}\r\n`;
    const cases: Record<string, string> = {
      'no credential': '',
      unknown: bearer(unknown),
      revoked: bearer(revoked),
      expired: bearer(expired),
      'of a disabled account': bearer(disabled),
      'revoked as X-API-Key': `X-API-Key: ${revoked}\r\n`,
      'one character changed': bearer(flip(good, 20)),
      'checksum changed': bearer(flip(good, 52)),
      'prefix changed': bearer(flip(good, 0)),
      'case changed': bearer(swapCase(good)),
      cut: bearer(good.slice(0, -1)),
      extended: bearer(`${good}0`),
      'percent-encoded': bearer(good.replace('mem_', 'mem%5F')),
      'bare prefix': bearer('mem_'),
      '15 kB': bearer('mem_'.padEnd(15_000, 'a')),
      'Bearer and tab': `Authorization: Bearer\t${good}\r\n`,
      'Bearer and comma': `Authorization: Bearer,${good}\r\n`,
      'Bearer and more': bearer(`${good} extra`),
      quoted: bearer(`"${good}"`),
      'in angle brackets': bearer(`<${good}>`),
      'without scheme': `Authorization: ${good}\r\n`,
      'empty Authorization': 'Authorization:\r\n',
      'Bearer alone': 'Authorization: Bearer\r\n',
      'Bearer and space': 'Authorization: Bearer \r\n',
      'empty X-API-Key': 'X-API-Key:\r\n',
      Basic: `Authorization: Basic ${Buffer.from(`:${good}`).toString('base64')}\r\n`,
      'two Authorization lines': bearer(good) + bearer(good),
      'two X-API-Key lines': `X-API-Key: ${good}\r\nX-API-Key: ${good}\r\n`,
      'two keys in one line': `X-API-Key: ${good}, ${good}\r\n`,
      'different keys, both good': `${bearer(good)}X-API-Key: ${other}\r\n`,
      'malformed Bearer, good X-API-Key': `Authorization: Bearer\r\nX-API-Key: ${good}\r\n`,
      'empty Authorization, good X-API-Key': `Authorization:\r\nX-API-Key: ${good}\r\n`,
      'good Bearer, malformed X-API-Key': `${bearer(good)}X-API-Key: nonsense\r\n`,
      'good Bearer, empty X-API-Key': `${bearer(good)}X-API-Key:\r\n`,
      'latin-1': bearer('mem_\xe9'.padEnd(53, 'a')),
      'UTF-8': bearer(Buffer.from('mem_☃').toString('latin1')),
      cookie: `Cookie: api_key=${good}\r\n`,
      underscores: `X_API_Key: ${good}\r\n`,
      'another header': `X-API-Token: ${good}\r\nProxy-Authorization: Bearer ${good}\r\n`,
    };
    const first = await get(world, '');
    assertFailure(first, 401);
    assert.match(first.text, /Invalid API key/);
    assert.equal(first.headers['www-authenticate'], 'Bearer');
    for (const path of PATHS) {
      for (const [name, headers] of Object.entries(cases)) {
        const answer = await get(world, headers, path);
        assert.deepEqual(comparable(answer), comparable(first), `${name} on ${path}`);
      }
    }
  });

  it('if the key is in the query, the path, a body or a trailer', async (t) => {
    const { world, good } = await createKeys(t);
    for (const name of ['api_key', 'access_token', 'key', 'token']) {
      assertFailure(await send(world.port, { path: `/v1/memories?${name}=${good}` }), 401, name);
    }
    assertFailure(await send(world.port, { path: `/v1/memories/${good}` }), 401);
    const chunked = `GET /v1/memories HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nTrailer: X-API-Key\r\n\r\n`;
    assertFailure(
      await sendRaw(world.port, `${chunked}0\r\nX-API-Key: ${good}\r\n\r\n`),
      401,
      'trailer',
    );
    const body = `api_key=${good}`;
    const post = `POST /v1/memories HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    assertFailure(await sendRaw(world.port, post), 401, 'body');
  });

  it('for every method, before the path and the method are checked', async (t) => {
    const { world } = await createKeys(t);
    for (const method of [
      'POST',
      'PUT',
      'PATCH',
      'DELETE',
      'OPTIONS',
      'TRACE',
      'PROPFIND',
      'QUERY',
    ]) {
      assertFailure(await send(world.port, { method }), 401, method);
      assertFailure(await send(world.port, { method, path: '/v1/nothing' }), 401, method);
    }
    const head = await send(world.port, { method: 'HEAD' });
    assert.equal(head.status, 401);
    assert.equal(head.body.length, 0);
    assert.ok(Number(head.headers['content-length']) > 0);
  });

  it('without a lookup if the form or the checksum of the key is wrong', async (t) => {
    let lookUps = 0;
    const world = await createWorld(t, {
      wrap: (store) => ({
        ...store,
        apiKey: (hash) => {
          lookUps++;
          return store.apiKey(hash);
        },
      }),
    });
    const good = world.addAccount('ana');
    const last = good.endsWith('0') ? '1' : '0';
    await send(world.port, { key: `${good.slice(0, -1)}${last}` });
    await send(world.port, { key: 'nonsense' });
    await send(world.port, {});
    assert.equal(lookUps, 0);
    await send(world.port, { key: createApiKey() });
    await send(world.port, { key: good });
    assert.equal(lookUps, 2, 'one lookup each, whether the key exists or not');
  });

  it('from the next request after another process revoked the key, also on an open connection', async (t) => {
    const { world } = await createKeys(t);
    const { id, key } = world.addKey('ana');
    const request = (connection: string) =>
      `GET /v1/memories/one HTTP/1.1\r\nHost: x\r\nConnection: ${connection}\r\nX-API-Key: ${key}\r\n\r\n`;
    const socket = connect(world.port, '127.0.0.1');
    const seen: string[] = [];
    socket.on('data', (part: Buffer) => seen.push(part.toString()));
    socket.write(request('keep-alive'));
    while (!seen.join('').includes('Memory one'))
      await new Promise((resolve) => setTimeout(resolve, 5));
    const elsewhere = await run(['keys', 'revoke', id, '--database', world.database]);
    assert.equal(elsewhere.code, 0);
    socket.write(request('close'));
    await new Promise((resolve) => socket.once('close', resolve));
    const statuses = Array.from(
      seen.join('').matchAll(/HTTP\/1\.1 (\d+)/g),
      ([, status]) => status,
    );
    assert.deepEqual(statuses, ['200', '401']);
  });

  it('for one pipelined request without affecting the others', async (t) => {
    const { world, good, other, revoked } = await createKeys(t);
    const keys = Array.from({ length: 60 }, (_, i) => [good, revoked, other][i % 3] as string);
    const bytes = keys
      .map((key) => `GET /v1/memories/one HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\n`)
      .map((head, i) => `${head}${i === keys.length - 1 ? 'Connection: close\r\n' : ''}\r\n`);
    const answers = readAnswers(await exchange(world.port, bytes.join('')), bytes.join(''));
    assert.deepEqual(
      answers.map(({ status }) => status),
      keys.map((key) => ({ [good]: 200, [revoked]: 401, [other]: 404 })[key]),
    );
  });
});
