// The OpenAPI document: it matches the contract and the gateway's responses, and a linter finds nothing in it.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import { Ajv2020 } from 'ajv/dist/2020.js';
import * as v from 'valibot';

import { entryOf } from '../../src/contract/check-input.ts';
import { httpEndpoints } from '../../src/contract/file-routes.ts';
import { toOpenApi } from '../../src/contract/openapi/document.ts';
import type { Change, Memory } from '../../src/contract/schemas/memory.ts';
import { COMMON_STATUSES, NAMED_STATUSES, type Status } from '../../src/contract/statuses.ts';
import { readExamples } from '../../src/gateway/public/openapi.ts';
import { lint } from '../support/project/openapi-linter.ts';
import { document } from '../support/wire/openapi-check.ts';
import { assertFailure } from '../support/wire/response-shape.ts';
import { send, sendRaw } from '../support/wire/wire.ts';
import { newFolder } from '../support/world/artifacts.ts';
import { createWorld, memory } from '../support/world/world.ts';

/** The type and the links of a 200 response of a path. */
function answered(path: string) {
  const { content, headers } = document.paths[path]!.get.responses[200] as unknown as {
    content: Record<string, { schema: object; example: unknown }>;
    headers: Record<string, { $ref: string }>;
  };
  return { ...content['application/json'], link: headers['link'] };
}

const SENTENCES: Readonly<Record<number, Status>> = { ...NAMED_STATUSES, ...COMMON_STATUSES };

const moment = [
  ['2026-11-21', '2026-11-21T09:30:00Z', '2026-11-21t09:30:00.123456z'],
  ['2026-13-01', '2026-11-21T09:30Z', '2026-11-21T09:30:00', 'yesterday', '', 1],
] as const;
const cursor = [
  ['AbC_-1', 'a'.repeat(8000)],
  ['', 'a b', 'a=', 'a'.repeat(8001)],
] as const;
/**
 * Accepted and refused values of the parameters, as far as a schema can tell: it accepts 30
 * February as a date.
 */
const VALUES: Record<string, readonly [takes: readonly unknown[], refuses: readonly unknown[]]> = {
  limit: [
    [1, 1000],
    [0, 1001, 1.5, '1'],
  ],
  '/v1/search limit': [
    [1, 100],
    [0, 101, 1.5, '1'],
  ],
  person: [
    [['Ann'], ['Doe, Jane', 'Bo']],
    ['Ann', [], [''], [' '], ['x'.repeat(201)], Array.from({ length: 11 }, () => 'Ann')],
  ],
  tag: [
    ['work', 'x'.repeat(200)],
    ['', ' ', 'x'.repeat(201), ['work']],
  ],
  source: [['limitless'], ['', ['limitless']]],
  first: [
    [1, 1_000_000_000],
    [0, 1_000_000_001, 1.5, '1'],
  ],
  last: [
    [1, 1_000_000_000],
    [0, 1_000_000_001, 1.5, '1'],
  ],
  max_tokens: [
    [100, 20_000],
    [99, 20_001, 100.5, '100'],
  ],
  times: [
    [true, false],
    ['true', 1],
  ],
  cursor,
  since: cursor,
  order: [
    ['asc', 'desc'],
    ['up', 'ASC', ''],
  ],
  started_after: moment,
  started_before: [['2026-11-21T09:30:00+01:00', '2024-02-29'], moment[1]],
  timezone: [
    ['UTC', 'europe/berlin', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5'],
    ['+01:00', '', '1', 'Europe Berlin'],
  ],
  done: [
    [true, false],
    ['true', 1],
  ],
  owner: [
    ['Mira', ' a '],
    ['', ' \t', 1],
  ],
  is_processing: [
    [true, false],
    ['true', 1],
  ],
  q: [
    ['a', ' a ', '"a phrase" and*', '\u{1f95b}'.repeat(1024)],
    ['', ' \t', 'a'.repeat(1025), 1],
  ],
  fields: [
    [['id'], ['transcript', 'name']],
    [[], ['title'], ['id', 'id'], [''], 'id'],
  ],
  memory_id: [
    ['a', '...', '~'.repeat(128)],
    ['', '.', '..', 'a/b', 'a b', 'ä', 'a'.repeat(129)],
  ],
};

describe('The OpenAPI document', () => {
  it('has the operations of the contract and no others', () => {
    const said = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, { operationId }]) => [operationId, method, path]),
    );
    const meant = httpEndpoints.map(({ name, route: { method, path } }) => [
      name,
      method.toLowerCase(),
      path,
    ]);
    assert.deepEqual(said, meant);
  });

  it('has the parameters of the contract, with their values', () => {
    const { parameters } = document.paths['/v1/memories']!.get;
    assert.deepEqual(parameters[0], {
      name: 'limit',
      in: 'query',
      required: false,
      description:
        "Page size. Default: the cursor's page size, or all memories. Must be a whole number from 1 to 1000.",
      schema: { type: 'integer', minimum: 1, maximum: 1000 },
      example: 3,
    });
    const [id] = document.paths['/v1/memories/{memory_id}']!.get.parameters;
    assert.ok(id && 'in' in id);
    assert.deepEqual([id.name, id.in, id.required], ['memory_id', 'path', true]);
    const fields = [...parameters].find((each) => 'name' in each && each.name === 'fields');
    assert.partialDeepStrictEqual(fields, { in: 'query', style: 'form', explode: false });
    const said = Object.values(document.paths).flatMap(({ get }) => get.parameters);
    for (const parameter of said)
      if ('description' in parameter) {
        assert.match(parameter.description, /^[A-Z`][^]*\. Must be [^]+[^.]\.$/);
        assert.doesNotMatch(parameter.description, /undefined/);
      }
  });

  it('accepts and refuses the same parameter values as the contract', () => {
    const ajv = new Ajv2020();
    const tried = new Set<string>();
    for (const { route } of httpEndpoints)
      for (const said of document.paths[route.path]!.get.parameters) {
        if (!('name' in said) || said.in === 'header') continue;
        const { name: written } = said;
        const own = `${route.path} ${written}`;
        const name = Object.hasOwn(VALUES, own) ? own : written;
        const known = entryOf(route.input, written);
        tried.add(name);
        for (const [i, values] of VALUES[name]!.entries())
          for (const value of values) {
            const what = `${name} ${String(value).slice(0, 40)}`;
            assert.equal(v.is(known, value), i === 0, what);
            assert.equal(
              ajv.validate(said.schema as object, value),
              i === 0,
              `${what}, documented`,
            );
          }
      }
    assert.deepEqual(tried, new Set(Object.keys(VALUES)));
  });

  it('describes a memory with all its fields', () => {
    const { Memory, Summary, Error: failed } = document.components.schemas;
    assert.deepEqual(Memory.required, Object.keys(Memory.properties ?? {}));
    assert.deepEqual(Memory.required, Object.keys(memory({ id: 'a' })), 'all of them, in order');
    assert.deepEqual(Object.keys(Summary.properties ?? {}), ['quick_summary', 'key_takeaways']);
    const { started_at, duration_seconds, summary } = Memory.properties as Record<string, object>;
    assert.partialDeepStrictEqual(started_at, { type: 'string', format: 'date-time' });
    assert.partialDeepStrictEqual(duration_seconds, { type: 'integer', minimum: 0 });
    assert.deepEqual(summary, { $ref: '#/components/schemas/Summary' });
    assert.deepEqual([failed.required, failed.additionalProperties], [['detail'], false]);
    for (const schema of Object.values(document.components.schemas)) {
      assert.match(String(schema.description), /^[A-Z].*\.$/);
      for (const field of Object.values(schema.properties ?? {}))
        assert.ok('$ref' in Object(field) || 'description' in Object(field));
    }
  });

  it('describes a memory with some fields wherever `fields` is a parameter', () => {
    const { Memory, MemoryFields } = document.components.schemas;
    assert.deepEqual(MemoryFields.properties, Memory.properties);
    assert.deepEqual(MemoryFields.required, ['id']);
    const either = {
      anyOf: [
        { $ref: '#/components/schemas/Memory' },
        { $ref: '#/components/schemas/MemoryFields' },
      ],
    };
    assert.deepEqual(answered('/v1/memories').schema, { type: 'array', items: either });
    assert.deepEqual(answered('/v1/memories/{memory_id}').schema, either);
  });

  it('describes changes, and the link to more of them', () => {
    assert.deepEqual(answered('/v1/changes').schema, {
      type: 'array',
      items: { $ref: '#/components/schemas/Change' },
    });
    const { Change } = document.components.schemas;
    assert.deepEqual(Change.required, ['memory_id', 'change', 'changed_at']);
    assert.partialDeepStrictEqual(Change.properties, { change: { enum: ['upsert', 'delete'] } });
    const { headers } = document.components;
    assert.deepEqual(answered('/v1/changes').link, { $ref: '#/components/headers/link-since' });
    assert.deepEqual(answered('/v1/memories').link, { $ref: '#/components/headers/link-cursor' });
    assert.equal(answered('/v1/memories/{memory_id}').link, undefined);
    const pattern = new RegExp(headers['link-since'].schema.pattern);
    for (const name of ['since', 'cursor'])
      assert.match(`</v1/changes?${name}=abc>; rel="next"`, pattern);
    for (const name of ['link-since', 'link-cursor'] as const)
      assert.ok(!('required' in headers[name]), 'a last page has none');
  });

  it('has an example for every endpoint: memories with and without a summary, an upsert and a deletion', () => {
    const list = answered('/v1/memories').example as Memory[];
    assert.deepEqual(new Set(list.map((each) => each.is_processing)), new Set([false, true]));
    assert.ok(
      list.some((each) => each.id === (answered('/v1/memories/{memory_id}').example as Memory).id),
    );
    const changes = answered('/v1/changes').example as Change[];
    assert.deepEqual(
      changes.map(({ change }) => change),
      ['upsert', 'delete'],
    );
    const times = changes.map(({ changed_at }) => changed_at);
    assert.deepEqual(times, times.toSorted(), 'oldest first');
  });

  it("passes all recommended rules of Redocly's linter, without the network", async () => {
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
    const { memories, ...others } = readExamples();
    const examples = { ...others, memories: { ...memories, get: { id: 1 } as never } };
    const wrong = toOpenApi({ version: '1.2.3', baseUrl: '', examples });
    assert.ok((await find({ ...wrong, info })).warnings > 1, 'the linter does find a fault');
  });
});

describe('The server of the document', () => {
  const serverOf = async (port: number, headers: Record<string, string> = {}) =>
    JSON.parse((await send(port, { path: '/openapi.json', headers })).text).servers[0].url;

  it('is the address that it was fetched from, because programs know no other', async (t) => {
    const { port } = await createWorld(t);
    assert.equal(await serverOf(port), `http://127.0.0.1:${port}`);
    assert.equal(await serverOf(port, { host: 'memories.test:81' }), 'http://memories.test:81');
    // A proxy that nobody named here may have another address.
    assert.equal(await serverOf(port, { 'x-forwarded-proto': 'https' }), '/');
  });

  it('is that of --base-url if that has one', async (t) => {
    const { port } = await createWorld(t, { baseUrl: 'https://a.example' });
    assert.equal(await serverOf(port), 'https://a.example');
  });
});

describe('A documented status', () => {
  it('is returned on every path that has it, with the text of its example', async (t) => {
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
    const lines = '/v1/memories/one/lines';
    const paths = [
      list,
      get,
      lines,
      `${get}/details`,
      `${get}/original`,
      `${get}/audio`,
      '/v1/search?q=one',
      '/v1/days',
      '/v1/changes',
      '/v1/people',
      '/v1/tags',
      '/v1/action_items',
    ];
    const and = (path: string, query: string) => `${path}${path.includes('?') ? '&' : '?'}${query}`;
    const all = (make: (path: string) => string) => paths.map(make);

    // 408 takes ten seconds. The tests of framing include it.
    const cases: Record<number, readonly string[]> = {
      400: all((path) => head(path, 'nonsense\r\n')),
      401: all((path) => head(path, '')),
      404: [head(`${get}s`)],
      414: all((path) => head(and(path, 'x'.repeat(14_000)))),
      417: all((path) => head(path, 'Expect: more\r\n')),
      422: [list, '/v1/changes'].map((path) => head(`${path}?limit=1&limit=2`)),
      431: all((path) => head(path, `X-A: ${'a'.repeat(17_000)}\r\n`)),
      500: all((path) => head(path)),
      501: all((path) => head(path, 'Transfer-Encoding: gzip\r\n')),
      505: all((path) => head(path, '', '2.0')),
    };
    for (const [status, requests] of Object.entries(cases)) {
      isBroken = status === '500';
      for (const bytes of requests) {
        const said = assertFailure(await sendRaw(world.port, bytes), Number(status), bytes);
        assert.equal(said, SENTENCES[Number(status)]?.detail);
      }
    }
    isBroken = false;
    for (const path of paths) {
      assertFailure(await send(world.port, { path: and(path, 'page=1'), key }), 422);
      if (/\/(?:original|audio)$/.test(path)) continue; // it has none
      const held = { 'if-none-match': '*' };
      assert.equal((await send(world.port, { path, key })).status, 200);
      assert.equal((await send(world.port, { path, key, headers: held })).status, 304);
    }
    await world.gateway.close();
    for (const path of paths) {
      const said = assertFailure(await send(world.port, { path, key }), 503);
      assert.equal(said, SENTENCES[503]?.detail);
    }
  });
});
