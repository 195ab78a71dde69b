// Adding a field or an endpoint: the documented changes are sufficient, for every entry point.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { promisify } from 'node:util';

import type { Change } from '../../src/contract/schemas/memory.ts';
import { ROOT } from '../support/world/program.ts';
import { isShort, sized } from '../support/world/thorough.ts';
import { createWorld, memory } from '../support/world/world.ts';

const diffs = ['add-a-field', 'add-an-endpoint'].map((name) => {
  const page = readFileSync(join(ROOT, `docs/contributing/${name}.md`), 'utf8');
  return /```diff\n([^]*?)```/.exec(page)?.[1] ?? '';
});

const PARTS = ['src', 'sql', 'fixtures', 'scripts', 'test', 'package.json', 'tsconfig.json'];

/** Copies the project without build output and packages, and applies a diff to the copy. */
async function grow(t: TestContext, diff: string): Promise<string> {
  const copy = mkdtempSync(join(tmpdir(), 'memory-gateway-growth-'));
  t.after(() => rmSync(copy, { recursive: true }));
  const filter = (path: string) =>
    !/\/test\/(outside|browser|\.)|\/bench\/data$|node_modules/.test(path);
  for (const part of PARTS) cpSync(join(ROOT, part), join(copy, part), { recursive: true, filter });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  writeFileSync(join(copy, 'change.diff'), diff);
  await promisify(execFile)('git', ['apply', 'change.diff'], { cwd: copy });
  return copy;
}

/** Runs a program in the copy. Fails with its output. */
async function run(copy: string, ...args: readonly string[]): Promise<string> {
  const { NODE_TEST_CONTEXT: _, TEST_FOLDER: __, ...rest } = process.env; // the inner run must not count as part of this run
  // A short run tries the entry points of every day.
  const env = { ...rest, NODE_V8_COVERAGE: '', ...(isShort && { THOROUGH: '' }) };
  const found = await promisify(execFile)(process.execPath, args, { cwd: copy, env }).catch(
    ({ stdout, stderr }: { stdout: string; stderr: string }) =>
      assert.fail(`${args.join(' ')}: ${stdout}${stderr}`),
  );
  return found.stdout;
}

/**
 * The tests to run in the copy: the promises of every entry point, and the tests of documents and
 * storage.
 */
const SUITES = [
  'api/promises',
  'client/client',
  'api/openapi',
  'store/store',
  ...(isShort
    ? []
    : ['embed/fetch-handler', 'embed/caller', 'project/openapi-check', 'http/paths']),
];

/** The number of the next migration of an engine. With one that is taken, the change would be left out. */
function nextMigration(engine: string): string {
  const numbers = readdirSync(join(ROOT, 'sql', engine)).filter((name) => name.endsWith('.sql'));
  return String(numbers.length + 1).padStart(4, '0');
}

/** Compiles a copy. The packages are those of the project, whose types "npm run check" compiles. */
const compile = (copy: string) =>
  run(copy, 'node_modules/typescript/bin/tsc', '-p', '.', '--skipLibCheck');
/** Compiles a copy with one change. A short run compiles only the one with both. */
const compileOne = async (copy: string) => isShort || compile(copy);

describe('A change of the API', { concurrency: 2 }, () => {
  it('is documented twice: for a field and for an endpoint', () => {
    const touched = diffs.map((diff) =>
      Array.from(diff.matchAll(/^\+\+\+ b\/(.*)$/gm), ([, p]) => p),
    );
    assert.deepEqual(touched, [
      [
        `sql/sqlite/${nextMigration('sqlite')}-language.sql`,
        `sql/postgres/${nextMigration('postgres')}-language.sql`,
        'src/contract/schemas/memory.ts',
        'src/contract/openapi/descriptions.ts',
        'test/types/fields.test-d.ts',
      ],
      [
        'src/contract/targets.ts',
        'src/contract/client-routes.ts',
        'src/contract/routes.ts',
        'src/contract/api.ts',
        'src/contract/openapi/descriptions.ts',
        'src/gateway/endpoints/handlers.ts',
        'test/types/contract.test-d.ts',
      ],
    ]);
  });

  it('that adds a field is a line and a migration, and gives the bytes of a new write', async (t) => {
    const world = await createWorld(t);
    const old = memory({ id: 'old', name: 'a\u0000b\ud800"\\ 👩‍👩‍👧', transcript: '\u2028' });
    const key = world.addAccount('ana', [old]);
    const before = await world.gateway.as('ana').memories.get({ memory_id: 'old' });
    const { next: since } = await world.gateway.as('ana').changes.page();
    const copy = await grow(t, diffs[0] ?? '');
    await compileOne(copy);
    writeFileSync(
      join(copy, 'check.ts'),
      `
      import { createClient } from './src/client/index.ts';
      import * as v from 'valibot';
      import { toMemory } from './src/formats/draft.ts';
      import { memory as ours } from './src/formats/products/memory.ts';
      import { connectGateway } from './src/gateway/open.ts';
      import { engineOf } from './src/store/engines.ts';
      const [, , database = '', old = '', since = '', apiKey = ''] = process.argv;
      await engineOf(database).upgrade({});
      const draft = v.parse(ours.item, { ...JSON.parse(old), language: 'de' });
      const imported = toMemory(draft, Date.parse).memory.language;
      const gateway = await connectGateway({ database });
      const before = await gateway.as('ana').memories.get({ memory_id: 'old' });
      const feed = await gateway.as('ana').changes.list({ since });
      const changed = await engineOf(database).withWriter(async ({ memories }) => [
        await memories.put('ana', JSON.parse(old)),
        await memories.put('ana', { ...JSON.parse(old), id: 'new', language: 'en' }),
      ]);
      const { language } = await gateway.as('ana').memories.get({ memory_id: 'new' });
      const document = await (await gateway.fetch(new Request('http://h/openapi.json'))).json();
      const { Memory, MemoryFields } = document.components.schemas;
      const client = createClient({ baseUrl: 'http://h', apiKey, fetch: gateway.fetch });
      const cut = [];
      const slim = [];
      for (const { memories } of [gateway.as('ana'), client]) {
        cut.push(await memories.list({ order: 'asc', limit: 1, fields: ['language'] }));
        cut.push([await memories.get({ memory_id: 'new', fields: ['language'] })]);
        const fields = Memory.required.filter((name) => name !== 'transcript');
        slim.push(...(await memories.list({ order: 'asc', fields })));
      }
      const parameters = document.paths['/v1/memories'].get.parameters;
      const { schema } = parameters.find(({ name }) => name === 'fields');
      await gateway.close();
      console.log(JSON.stringify({ before, feed, imported, changed, language, cut, slim, taken: schema.items.enum, Memory, MemoryFields }));
      `,
    );
    const args = [world.database, JSON.stringify(old), since, key];
    const said = JSON.parse(await run(copy, 'check.ts', ...args));
    assert.deepEqual(said.before, { ...before, language: '' });
    assert.deepEqual(said.changed, [false, true], 'a memory that is written again is the same');
    assert.equal(said.language, 'en');
    assert.equal(said.imported, 'de', 'of a file that an export wrote');
    assert.equal(said.Memory.required.length, 10);
    assert.match(said.Memory.properties.language.description, /language spoken/);

    const { transcript: _, ...slim } = { ...before, language: '' };
    const news = [{ id: 'new', language: 'en' }];
    assert.deepEqual(said.cut, [news, news, news, news]);
    assert.deepEqual(said.slim, [
      { ...slim, id: 'new', language: 'en' },
      slim,
      { ...slim, id: 'new', language: 'en' },
      slim,
    ]);
    assert.deepEqual(said.taken, said.Memory.required);
    assert.deepEqual(said.MemoryFields.properties, said.Memory.properties);
    assert.deepEqual(said.MemoryFields.required, ['id']);
    assert.deepEqual(
      said.feed.map(({ memory_id, change }: Change) => [memory_id, change]),
      [['old', 'upsert']],
      'followers of the feed receive the change',
    );
  });

  it('that adds an endpoint is its route and its handler', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana', [
      memory({ id: 'a', summary: { quick_summary: '', key_takeaways: ['One.', 'Two.'] } }),
    ]);
    const copy = await grow(t, diffs[1] ?? '');
    await compileOne(copy);
    writeFileSync(
      join(copy, 'check.ts'),
      `
      import { createClient } from './src/client/index.ts';
      import { connectGateway } from './src/gateway/open.ts';
      const [, , database = '', apiKey = ''] = process.argv;
      const gateway = await connectGateway({ database });
      const client = createClient({ baseUrl: 'http://h', apiKey, fetch: gateway.fetch });
      const entryPoints = [gateway.as('ana'), client];
      const found: string[][] = [];
      const statuses: number[] = [];
      for (const { memories } of entryPoints) {
        found.push(await memories.takeaways({ memory_id: 'a' }));
        for (const memory_id of ['b', 'a b'])
          await memories.takeaways({ memory_id }).catch(({ status }) => statuses.push(status));
      }
      const document = await (await gateway.fetch(new Request('http://h/openapi.json'))).json();
      console.log(JSON.stringify({ found, statuses, paths: Object.keys(document.paths) }));
      `,
    );
    const said = JSON.parse(await run(copy, 'check.ts', world.database, key));
    assert.deepEqual(said, {
      found: [
        ['One.', 'Two.'],
        ['One.', 'Two.'],
      ],
      statuses: [404, 422, 404, 422],
      paths: [
        '/v1/memories',
        '/v1/memories/{memory_id}',
        '/v1/memories/{memory_id}/lines',
        '/v1/memories/{memory_id}/details',
        '/v1/memories/{memory_id}/takeaways',
        '/v1/search',
        '/v1/days',
        '/v1/people',
        '/v1/tags',
        '/v1/action_items',
        '/v1/changes',
        '/v1/memories/{memory_id}/original',
        '/v1/memories/{memory_id}/audio',
      ],
    });
  });

  it('keeps the promises of every entry point after both changes', async (t) => {
    const copy = await grow(t, diffs.join(''));
    await compile(copy);
    const files = SUITES.map((name) => `test/${name}.test.ts`);
    // One process compiles the sources of the copy once.
    const args = ['--test', '--test-isolation=none', '--test-reporter=tap', ...files];
    const said = await run(copy, ...args);
    assert.match(said, /^# fail 0$/m);
    assert.ok(Number(/^# pass (\d+)$/m.exec(said)?.[1]) >= sized(150, 100), said);
  });
});
