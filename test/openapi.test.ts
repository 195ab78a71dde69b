// The OpenAPI document: it is the contract, a linter finds nothing in it, and the gateway answers all it names.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import { toOpenApi } from '../src/contract/openapi.ts';
import { routes } from '../src/contract/routes.ts';
import { COMMON_STATUSES, NAMED_STATUSES, type Status } from '../src/contract/statuses.ts';
import { readExamples } from '../src/gateway/examples.ts';
import { document } from './support/documented.ts';
import { newFolder } from './support/left.ts';
import { lint } from './support/linter.ts';
import { assertFailure } from './support/shape.ts';
import { send, sendRaw } from './support/wire.ts';
import { createWorld, memory } from './support/world.ts';

const SENTENCES: Readonly<Record<number, Status>> = { ...NAMED_STATUSES, ...COMMON_STATUSES };

describe('The document', () => {
  it('has the operations of the contract and no other', () => {
    const said = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, { operationId }]) => [operationId, method, path]),
    );
    const meant = Object.entries(routes).flatMap(([group, members]) =>
      Object.entries(members).map(([name, { method, path }]) => [
        `${group}.${name}`,
        method.toLowerCase(),
        path,
      ]),
    );
    assert.deepEqual(said, meant);
  });

  it('has the parameters of the contract, with what they take', () => {
    const { parameters } = document.paths['/v1/memories']!.get;
    assert.deepEqual(parameters[0], {
      name: 'limit',
      in: 'query',
      required: false,
      description: 'How many memories a page holds at most: a whole number from 1 to 1000.',
      schema: { type: 'integer', minimum: 1, maximum: 1000 },
      example: 3,
    });
    const [id] = document.paths['/v1/memories/{memory_id}']!.get.parameters;
    assert.ok(id && 'in' in id);
    assert.deepEqual([id.name, id.in, id.required], ['memory_id', 'path', true]);
    for (const parameter of [...parameters, id])
      if ('description' in parameter) assert.doesNotMatch(parameter.description, /undefined/);
  });

  it('has a memory with all its fields and what is known of them', () => {
    const { Memory, Summary, Error: failed } = document.components.schemas;
    assert.deepEqual(Memory.required, Object.keys(Memory.properties ?? {}));
    assert.deepEqual(Memory.required, Object.keys(memory({ id: 'a' })), 'all of them, in order');
    assert.deepEqual(Object.keys(Summary.properties ?? {}), ['quick_summary', 'key_takeaways']);
    const { started_at, duration_seconds, summary } = Memory.properties as Record<string, object>;
    assert.partialDeepStrictEqual(started_at, { type: 'string', format: 'date-time' });
    assert.partialDeepStrictEqual(duration_seconds, { type: 'integer', minimum: 0 });
    assert.deepEqual(summary, { $ref: '#/components/schemas/Summary' });
    assert.deepEqual([failed.required, failed.additionalProperties], [['detail'], false]);
    for (const schema of [Memory, Summary, failed])
      for (const field of Object.values(schema.properties ?? {}))
        assert.ok('$ref' in Object(field) || 'description' in Object(field));
  });

  it('passes the linter of Redocly with all recommended rules, and that without the network', async () => {
    const file = join(newFolder(), 'openapi.json');
    const find = (value: unknown) => {
      writeFileSync(file, JSON.stringify(value));
      return lint(file);
    };
    for (const baseUrl of ['', '/memories', 'https://a.example/memories']) {
      const drawn = toOpenApi({ version: '1.2.3', baseUrl, examples: readExamples() });
      assert.equal(drawn.servers[0]?.url, baseUrl || '/');
      assert.deepEqual(await find(drawn), { errors: 0, warnings: 0, ignored: 0 });
    }
    const { license: _, ...info } = document.info;
    const { memories, changes } = readExamples();
    const examples = { changes, memories: { ...memories, get: { id: 1 } as never } };
    const wrong = toOpenApi({ version: '1.2.3', baseUrl: '', examples });
    assert.ok((await find({ ...wrong, info })).warnings > 1, 'and it does find what is wrong');
  });
});

describe('A status that the document names', () => {
  it('is answered on every path that names it, in the words of its example', async (t) => {
    let isBroken = false;
    const world = await createWorld(t, {
      wrap: (store) => ({
        ...store,
        apiKey(hash) {
          if (isBroken) throw new Error('disk on fire');
          return store.apiKey(hash);
        },
      }),
    });
    const key = world.addAccount('ana', [memory({ id: 'one' })]);
    const head = (path: string, more = `X-API-Key: ${key}\r\n`, version = '1.1') =>
      `GET ${path} HTTP/${version}\r\nHost: x\r\nConnection: close\r\n${more}\r\n`;
    const list = '/v1/memories';
    const get = '/v1/memories/one';
    const both = (make: (path: string) => string) => [list, get].map(make);

    // 408 takes ten seconds and stands among the tests of framing.
    const cases: Record<number, readonly string[]> = {
      400: both((path) => head(path, 'nonsense\r\n')),
      401: both((path) => head(path, '')),
      404: [head(`${get}s`)],
      414: both((path) => head(`${path}?${'x'.repeat(9000)}`)),
      417: both((path) => head(path, 'Expect: more\r\n')),
      422: [head(`${list}?limit=1&limit=2`)],
      431: both((path) => head(path, `X-A: ${'a'.repeat(17_000)}\r\n`)),
      500: both((path) => head(path)),
      501: both((path) => head(path, 'Transfer-Encoding: gzip\r\n')),
      505: both((path) => head(path, '', '2.0')),
    };
    for (const [status, requests] of Object.entries(cases)) {
      isBroken = status === '500';
      for (const bytes of requests) {
        const said = assertFailure(await sendRaw(world.port, bytes), Number(status), bytes);
        assert.equal(said, SENTENCES[Number(status)]?.detail);
      }
    }
    isBroken = false;
    for (const path of [list, get]) {
      assertFailure(await send(world.port, { path: `${path}?page=1`, key }), 422);
      const held = { 'if-none-match': '*' };
      assert.equal((await send(world.port, { path, key })).status, 200);
      assert.equal((await send(world.port, { path, key, headers: held })).status, 304);
    }
    await world.gateway.close();
    for (const path of [list, get]) {
      const said = assertFailure(await send(world.port, { path, key }), 503);
      assert.equal(said, SENTENCES[503]?.detail);
    }
  });
});
