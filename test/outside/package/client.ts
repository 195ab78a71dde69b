// The package @memory-gateway/client, built and packed: its types, its results on each Node, and the recipes for React.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';

import {
  BIN,
  folder,
  install,
  makeDatabase,
  manifest,
  nodes,
  PROGRAM,
  ROOT,
  run,
  serve,
  tarball,
} from './install.ts';

const built = join(folder, 'client');
await run(process.execPath, ['--import', 'tsx', 'scripts/client/main.ts', '--output', built], {
  cwd: ROOT,
});
const listing = await run(
  'npm',
  ['pack', '--json', '--loglevel=error', '--pack-destination', folder],
  { cwd: built },
);
const [packed] = JSON.parse(listing.slice(listing.search(/^\[/m))) as [
  { filename: string; size: number; files: { path: string }[] },
];
const clientTarball = join(folder, packed.filename);
const home = await install('client-alone', clientTarball);

/** Compiles a program in strict mode. Returns what the compiler says. */
async function compile(
  project: string,
  files: readonly string[],
  more: object = {},
): Promise<string> {
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    module: 'esnext',
    moduleResolution: 'bundler',
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'],
    types: [],
    noEmit: true,
    ...more,
  };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const { stdout } = await promisify(execFile)(process.execPath, [tsc, '-p', project]).catch(
    (error: { stdout: string }) => error,
  );
  return stdout;
}

const PROGRAM_CODE = `
import { createClient, Failure } from '@memory-gateway/client';
const [, , baseUrl, apiKey] = process.argv;
const retries = [];
const seen = [];
const api = createClient({
  baseUrl, apiKey, headers: { 'x-own': 'a' },
  onRequest: (request) => seen.push(request.headers.get('x-own')),
  onResponse: ({ status }) => seen.push(status),
});
const names = (await api.memories.list()).map(({ name }) => name);
const { status, reason, requestId, url } = await api.memories.get({ memory_id: 'none' }).catch((error) => error);
const gone = createClient({ baseUrl: 'http://127.0.0.1:1', apiKey, retries: 1, onRetry: (retry) => retries.push(retry.attempt) });
const failure = await gone.days.list().catch((error) => error);
console.log(JSON.stringify([names, status, reason, requestId.length, url === baseUrl + '/v1/memories/none', seen, retries, failure instanceof Failure, failure.reason]));
`;

describe('The package @memory-gateway/client', () => {
  it('has its code in one small module, its types and its README, and no dependency but that of its types', async () => {
    const paths = packed.files.map(({ path }) => path);
    assert.deepEqual(paths.filter((path) => !path.startsWith('types/')).toSorted(), [
      'LICENSE',
      'README.md',
      'index.js',
      'package.json',
    ]);
    assert.ok(
      paths.filter((path) => path.startsWith('types/')).every((path) => path.endsWith('.d.ts')),
    );
    assert.deepEqual(
      readdirSync(join(home, 'node_modules')).filter((name) => !name.startsWith('.')),
      ['@memory-gateway', 'valibot'],
    );
    const own = JSON.parse(readFileSync(join(built, 'package.json'), 'utf8'));
    assert.equal(own.version, manifest.version);
    assert.deepEqual(own.dependencies, { valibot: manifest.dependencies.valibot });
    const code = readFileSync(join(built, 'index.js'), 'utf8');
    assert.doesNotMatch(code, /\b(import|require)\s*[({"']/);
    assert.ok(gzipSync(code, { level: 9 }).length <= 7360);
    await run(process.execPath, [join(BIN, 'publint'), '--strict', built]);
    await run(process.execPath, [join(BIN, 'attw'), clientTarball, '--profile', 'esm-only']);
  });

  it('has the types of memory-gateway/client', async () => {
    const project = await install('client-types', clientTarball, tarball, '@types/node');
    writeFileSync(
      join(project, 'same.ts'),
      `import type * as small from '@memory-gateway/client';
import type * as whole from 'memory-gateway/client';
type IsAny<T> = 0 extends 1 & T ? true : false;
/** Returns its second argument if both have the same type. */
type Same<A, B> = IsAny<A> extends true ? never : [A] extends [B] ? ([B] extends [A] ? B : never) : never;
const same = <A, B>(_: A, other: Same<A, B> & B) => other;
declare const api: small.Api;
declare const other: whole.Api;
same(api.memories.list(), other.memories.list());
same(api.memories.list({ fields: ['name'] }), other.memories.list({ fields: ['name'] }));
same(api.memories.page({ limit: 1 }), other.memories.page({ limit: 1 }));
same(api.memories.each(), other.memories.each());
same(api.memories.get({ memory_id: 'a' }), other.memories.get({ memory_id: 'a' }));
same(api.memories.lines, other.memories.lines);
same(api.search.page, other.search.page);
same(api.days.list, other.days.list);
same(api.changes.list, other.changes.list);
same(api.changes.page({ order: 'desc' }), other.changes.page({ order: 'desc' }));
same(api.changes.follow, other.changes.follow);
// @ts-expect-error: the comparison can fail
same(api.days.list, other.changes.list);
const picked: Promise<Pick<small.Memory, 'id' | 'name'>[]> = api.memories.list({ fields: ['name'] });
// @ts-expect-error: the transcript was not asked for
void api.memories.list({ fields: ['name'] }).then(([first]) => first?.transcript);
// @ts-expect-error: the id is required
void api.memories.get({});
// @ts-expect-error: a cursor carries the order
void api.memories.page({ cursor: 'a', order: 'asc' });
void picked;
`,
    );
    assert.equal(await compile(project, ['same.ts'], { types: ['node'] }), '');
  });

  for (const [name, node] of Object.entries(nodes))
    it(`reads memories on the ${name} Node`, async (t) => {
      const database = join(folder, `client-${name}.db`);
      const { account, key } = await makeDatabase(node, database);
      const one = join(ROOT, 'fixtures/formats/limitless/week.json');
      await run(node, [PROGRAM, 'import', one, '--account', account, '--database', database], {
        node,
      });
      const { child, url } = await serve(node, database);
      t.after(() => child.kill());
      writeFileSync(join(home, 'program.js'), PROGRAM_CODE);
      const [names, ...rest] = JSON.parse(
        await run(node, ['program.js', url, key], { cwd: home, node }),
      );
      assert.ok(names.length > 1);
      assert.deepEqual(rest, [404, 'answer', 36, true, ['a', 200, 'a', 404], [1], true, 'network']);
    });
});

describe('The recipe for React', () => {
  it('compiles, and shows the memories of a gateway', async (t) => {
    const page = readFileSync(join(ROOT, 'docs/howto/react.md'), 'utf8');
    const project = await install(
      'react',
      clientTarball,
      'react@19.3.1',
      'react-dom@19.3.1',
      '@types/react@19.3.0',
      '@tanstack/react-query@5.108.0',
      'tsx@4.23.15',
    );
    const files = Array.from(
      page.matchAll(/^```tsx?(?: no-run needs an npm installation)? (\S+)\n([^]*?)^```/gm),
      ([, name = '', code = '']) => {
        writeFileSync(join(project, name), code);
        return name;
      },
    );
    assert.deepEqual(files, ['memories.ts', 'App.tsx']);
    const options = { jsx: 'react-jsx', allowImportingTsExtensions: true, skipLibCheck: true };
    assert.equal(await compile(project, files, options), '');
    const database = join(folder, 'react.db');
    const { account, key } = await makeDatabase(nodes.newest, database);
    const week = join(ROOT, 'fixtures/formats/limitless/week.json');
    await run(nodes.newest, [
      PROGRAM,
      'import',
      week,
      '--account',
      account,
      '--database',
      database,
    ]);
    const { child, url } = await serve(nodes.newest, database);
    t.after(() => child.kill());
    writeFileSync(
      join(project, 'render.tsx'),
      `import { createElement } from 'react';
import { renderToPipeableStream } from 'react-dom/server';
import { text } from 'node:stream/consumers';
import { PassThrough } from 'node:stream';
import { App, createQueries } from './App.tsx';
import { connect } from './memories.ts';
const [, , url, key] = process.argv;
const out = new PassThrough();
const api = connect(url, key);
const { pipe } = renderToPipeableStream(createElement(App, { api, queries: createQueries() }), {
  onAllReady: () => pipe(out),
});
const html = await text(out);
const [first] = await api.memories.list({ limit: 1 });
console.log(JSON.stringify([html.includes('<button>' + first.name), html.includes(first.transcript.slice(0, 10)), html.split('<li>').length]));
process.exit(0);
`,
    );
    const said = await run(nodes.newest, ['--import', 'tsx', 'render.tsx', url, key], {
      cwd: project,
    });
    const [hasName, hasTranscript, items] = JSON.parse(said);
    assert.deepEqual([hasName, hasTranscript], [true, true]);
    assert.ok(items > 1);
  });
});
