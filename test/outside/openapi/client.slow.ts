// A client generated from the OpenAPI document: its types accept right calls only, and it reads the demo.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { readFixtures } from '../../../src/cli/commands/database/seed.ts';
import { newFolder } from '../../support/world/artifacts.ts';
import { runProcess } from '../../support/world/program.ts';
import { createServerOn } from '../../support/world/server-in-process.ts';

const HERE = dirname(fileURLToPath(import.meta.url));

const START = `import createClient from 'openapi-fetch';
import type { components, paths } from './api.d.ts';

declare const process: { env: Record<string, string> };
const { URL: baseUrl = '', KEY: key = '' } = process.env;
const client = createClient<paths>({
  baseUrl,
  headers: { 'X-API-Key': key },
  // Lists with commas, as the document has them: only types are made of that.
  querySerializer: { array: { style: 'form', explode: false } },
});
`;

const READER = `${START}
const pages: string[][] = [];
let cursor: string | undefined;
do {
  const query = cursor === undefined ? { limit: 5, order: 'asc' as const } : { cursor };
  const { data, error, response } = await client.GET('/v1/memories', { params: { query } });
  if (error !== undefined) throw new Error(error.detail);
  pages.push(data.map(({ id }) => id));
  cursor = /cursor=([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
} while (cursor !== undefined);

const get = (memory_id: string) =>
  client.GET('/v1/memories/{memory_id}', { params: { path: { memory_id } } });
const { data: one } = await get(pages[0]?.[0] ?? '');
// Whole, or cut: with no fields asked for it is whole, which the reader knows and a type cannot.
const whole = one as components['schemas']['Memory'];
const takeaways: string[] = whole.summary.key_takeaways;
const seconds: number = whole.duration_seconds;
const { error: none } = await get('none');

const { data: slim = [], error: refused } = await client.GET('/v1/memories', {
  params: {
    query: {
      started_after: '2026-09-23',
      started_before: '2026-11-16T19:00:05+01:00',
      timezone: 'Europe/Vienna',
      is_processing: false,
      q: 'coffee',
      fields: ['name', 'started_at'],
    },
  },
});
if (refused !== undefined) throw new Error(refused.detail);
const names: (string | undefined)[] = slim.map(({ name }) => name);
const { data: part } = await client.GET('/v1/memories/{memory_id}', {
  params: { path: { memory_id: whole.id }, query: { fields: ['summary'] } },
});

const changes: components['schemas']['Change'][] = [];
let since: string | undefined;
let more: number;
do {
  const query = since === undefined ? { limit: 7 } : { since };
  const { data = [], response } = await client.GET('/v1/changes', { params: { query } });
  changes.push(...data);
  more = data.length;
  since = /since=([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
} while (more > 0);
const written: string[] = changes.filter(({ change }) => change === 'upsert').map((each) => each.memory_id);

console.log(
  JSON.stringify({ pages, one, takeaways, seconds, none: none?.detail, slim, names, part, written }),
);
`;

/** The memories about coffee between two times, newest first. */
const COFFEE: Readonly<Record<string, readonly string[]>> = {
  leila: ['01a11be4-1fea-7695-a7f4-5a7d13893eaa'],
  mira: ['2026-11-16-standup', 'shared-call', '2026-09-23-one-to-one-annegret'],
  tomas: [],
};

const WRONG = {
  'an unknown path': `await client.GET('/v1/memory');`,
  'a method that is not allowed': `await client.DELETE('/v1/memories');`,
  'a limit that is text': `await client.GET('/v1/memories', { params: { query: { limit: '5' } } });`,
  'an unknown order': `await client.GET('/v1/memories', { params: { query: { order: 'up' } } });`,
  'an unknown parameter': `await client.GET('/v1/memories', { params: { query: { page: 1 } } });`,
  'an unknown field in fields': `await client.GET('/v1/memories', { params: { query: { fields: ['title'] } } });`,
  'fields as one text': `await client.GET('/v1/memories', { params: { query: { fields: 'id,name' } } });`,
  'a boolean that is text': `await client.GET('/v1/memories', { params: { query: { is_processing: 'true' } } });`,
  'a filter on an endpoint without filters': `await client.GET('/v1/changes', { params: { query: { q: 'a' } } });`,
  'a cursor under the other name': `await client.GET('/v1/memories', { params: { query: { since: 'a' } } });`,
  'a field that may be absent': `const { data } = await client.GET('/v1/memories');
const text: string | undefined = data?.[0]?.transcript.slice(1);`,
  'an unknown kind of change': `const { data } = await client.GET('/v1/changes');
console.log(data?.[0]?.change === 'insert');`,
  'a memory among changes': `const { data } = await client.GET('/v1/changes');
console.log(data?.[0]?.name);`,
  'no id': `await client.GET('/v1/memories/{memory_id}', { params: { path: {} } });`,
  'an unknown field': `const { data } = await client.GET('/v1/memories');
console.log(data?.[0]?.title);`,
  'a field of another type': `const { data } = await client.GET('/v1/memories');
const text: string | undefined = data?.[0]?.duration_seconds;`,
  'an error of another shape': `const { error } = await client.GET('/v1/memories');
console.log(error?.message);`,
};

const SETTINGS = {
  compilerOptions: {
    target: 'es2023',
    lib: ['es2023', 'dom', 'dom.iterable'],
    module: 'nodenext',
    types: [],
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    allowImportingTsExtensions: true,
    noEmit: true,
  },
};

const folder = mkdtempSync(join(HERE, '.client-'));
after(() => rmSync(folder, { recursive: true }));

function node(args: readonly string[], env: Record<string, string> = {}) {
  return promisify(execFile)(process.execPath, args, {
    cwd: folder,
    env: { ...process.env, NODE_V8_COVERAGE: '', ...env },
  });
}

function inPackage(name: string, file: string): string {
  return join(dirname(fileURLToPath(import.meta.resolve(`${name}/package.json`))), file);
}

/**
 * Generates types from the document, and compiles all programs with them. Returns the compiler's
 * output.
 */
async function compile(): Promise<string> {
  const { stdout } = await runProcess(['openapi']);
  const programs = Object.values(WRONG).map((code, i) => [`wrong-${i}.ts`, `${START}${code}\n`]);
  const files = {
    'openapi.json': stdout,
    'tsconfig.json': JSON.stringify(SETTINGS),
    'reader.ts': READER,
    ...(Object.fromEntries(programs) as Record<string, string>),
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  await node([inPackage('openapi-typescript', 'bin/cli.js'), 'openapi.json', '-o', 'api.d.ts']);
  const compiled = node([inPackage('typescript', 'lib/tsc.js'), '-p', '.']);
  return compiled.then(
    () => assert.fail('wrong calls do not compile'),
    (error: { stdout: string }) => error.stdout,
  );
}

describe('A client generated by openapi-typescript and openapi-fetch', () => {
  it('compiles if it is used correctly, and only then', async () => {
    const said = await compile();
    const first = START.split('\n').length;
    for (const [i, what] of Object.keys(WRONG).entries()) {
      const [, line] = new RegExp(String.raw`^wrong-${i}\.ts\((\d+),`, 'm').exec(said) ?? [];
      assert.ok(Number(line) >= first, `${what}: ${said}`);
    }
    assert.doesNotMatch(said, /^(?!wrong-|\s|$)/m, 'faults elsewhere');
  });

  it('reads the memories of the demo', async (t) => {
    const database = join(newFolder(), 'demo.db');
    const seeded = await runProcess(['--database', database, '--json'], {
      script: 'scripts/seed.ts',
    });
    const { port } = await createServerOn(t, database);

    for (const { id, memories } of readFixtures()) {
      const account = JSON.parse(seeded.stdout).accounts.find(
        (each: { id: string }) => each.id === id,
      );
      const { key } = account.keys.find(({ state }: { state: string }) => state === 'active');
      const { stdout } = await node(['reader.ts'], { URL: `http://127.0.0.1:${port}`, KEY: key });
      const read = JSON.parse(stdout);
      const expected = [...memories].toSorted((a, b) =>
        [a.started_at, a.id].join() < [b.started_at, b.id].join() ? -1 : 1,
      );
      assert.deepEqual(
        read.pages.flat(),
        expected.map((memory) => memory.id),
      );
      assert.equal(read.pages.length, Math.ceil(expected.length / 5));
      assert.deepEqual(read.one, { ...expected[0], user_id: id });
      assert.equal(read.seconds, expected[0]?.duration_seconds);
      assert.match(read.none, /no memory with this id/);

      const slim = COFFEE[id]!.map((each) => {
        const { name, started_at } = expected.find((memory) => memory.id === each)!;
        return { id: each, name, started_at };
      });
      assert.deepEqual(read.slim, slim);
      assert.deepEqual(
        read.names,
        slim.map(({ name }) => name),
      );
      assert.deepEqual(read.part, { id: expected[0]?.id, summary: expected[0]?.summary });
      assert.deepEqual(read.written.toSorted(), expected.map((memory) => memory.id).toSorted());
    }
  });
});
