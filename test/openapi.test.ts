// The OpenAPI document: it is the contract, a linter finds nothing in it, and the gateway answers all it names.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import { Ajv2020 } from 'ajv/dist/2020.js';
import * as v from 'valibot';

import type { Route } from '../src/contract/api.ts';
import type { Change } from '../src/contract/change.ts';
import { endpointsOf } from '../src/contract/endpoints.ts';
import type { Memory } from '../src/contract/memory.ts';
import { toOpenApi } from '../src/contract/openapi.ts';
import { parameterSchema } from '../src/contract/parameters.ts';
import { routes } from '../src/contract/routes.ts';
import { COMMON_STATUSES, NAMED_STATUSES, type Status } from '../src/contract/statuses.ts';
import { readExamples } from '../src/gateway/examples.ts';
import { document } from './support/documented.ts';
import { newFolder } from './support/left.ts';
import { lint } from './support/linter.ts';
import { assertFailure } from './support/shape.ts';
import { send, sendRaw } from './support/wire.ts';
import { createWorld, memory } from './support/world.ts';

/** What a 200 of a path is, and its link. */
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
/** What parameters take and what they refuse, as far as a document has words for it: 30 February is a date to it. */
const VALUES: Record<string, readonly [takes: readonly unknown[], refuses: readonly unknown[]]> = {
  limit: [
    [1, 1000],
    [0, 1001, 1.5, '1'],
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
      description:
        'How many memories a page holds at most. Left out, it is the limit that the cursor was made with; without a cursor there is none. Takes a whole number from 1 to 1000.',
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
        assert.match(parameter.description, /^[A-Z][^:]*\. Takes [^]+[^.]\.$/);
        assert.doesNotMatch(parameter.description, /undefined/);
      }
  });

  it('takes and refuses the values of parameters that the contract does', () => {
    const ajv = new Ajv2020();
    const tried = new Set<string>();
    for (const { route } of endpointsOf<Route>(routes))
      for (const said of document.paths[route.path]!.get.parameters) {
        if (!('name' in said) || said.in === 'header') continue;
        const { name } = said;
        const known = parameterSchema(route, name);
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
    for (const schema of Object.values(document.components.schemas)) {
      assert.match(String(schema.description), /^[A-Z].*\.$/);
      for (const field of Object.values(schema.properties ?? {}))
        assert.ok('$ref' in Object(field) || 'description' in Object(field));
    }
  });

  it('has a memory that is cut to fields wherever these can be asked for, beside the whole one', () => {
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

  it('has changes, and the link that always comes with them', () => {
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
    assert.equal(headers['link-since'].required, true);
    assert.ok(!('required' in headers['link-cursor']));
  });

  it('shows an answer of every endpoint: a finished memory and one that is not, a writing and a deletion', () => {
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
    const paths = [list, get, '/v1/changes'];
    const all = (make: (path: string) => string) => paths.map(make);

    // 408 takes ten seconds and stands among the tests of framing.
    const cases: Record<number, readonly string[]> = {
      400: all((path) => head(path, 'nonsense\r\n')),
      401: all((path) => head(path, '')),
      404: [head(`${get}s`)],
      414: all((path) => head(`${path}?${'x'.repeat(9000)}`)),
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
      assertFailure(await send(world.port, { path: `${path}?page=1`, key }), 422);
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
