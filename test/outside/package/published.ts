// The package as published: packed, installed in another project, and used on the promised versions of Node. `npm run test:package` runs it, with the requests to the registry that any installation sends.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import {
  BIN,
  folder,
  makeDatabase,
  manifest,
  nodes,
  packed,
  PROGRAM,
  project,
  ROOT,
  run,
  serve,
  tarball,
} from './install.ts';
import './client.ts';
import './postgres.ts';
import './runtimes.ts';
import './types.ts';

/** The formats that the package and its app write, and those of its own memories, which `importMemories` reads with their details. */
const FORMATS =
  /^formats\/(markdown\/|captions\/(file|write)\.|products\/memory\.|time\/product-time\.|turns\/(lines|spoken|turns)\.|(bytes|details|draft|field-schemas|format|id|issue-text)\.)/;

describe('The package', () => {
  it('contains all files that it needs to run, and no others', () => {
    const expected =
      /^(dist\/[\w/-]+\.(js|d\.ts)|dist\/cli\/[\w-]+\.(cjs|txt)|dist\/viewer\/[\w.-]+|dist\/app\/files\/[\w.-]+|fixtures\/(accounts|details|memories\/\w+)\.json|scripts\/deploy\/[\w.@-]+|sql\/(sqlite|postgres)\/((temporary|copy|verify)\/)?[\w-]+\.sql|docs\/[\w/-]+\.(md|svg|png|jpg)|(README|CHANGELOG|CONTRIBUTING|SECURITY)\.md|LICENSE|package\.json)$/;
    const paths = packed.files.map(({ path }) => path);
    assert.deepEqual(
      paths.filter((path) => !expected.test(path)),
      [],
    );
    const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' });
    const built = sources
      .filter(
        (name) =>
          name.endsWith('.ts') &&
          (FORMATS.test(name) || !/^(cli|formats|sources|connect|app\/browser)\//.test(name)),
      )
      .flatMap((name) => ['js', 'd.ts'].map((end) => `dist/${name.replace(/ts$/, end)}`));
    assert.deepEqual(
      new Set(paths.filter((path) => /^dist\/(?!viewer\/|app\/files\/).*\.(js|d\.ts)$/.test(path))),
      new Set(built),
      'no outdated file, and none missing',
    );
  });

  it('passes the linters for packages', async () => {
    await run(process.execPath, [join(BIN, 'publint'), '--strict', ROOT]);
    await run(process.execPath, [join(BIN, 'attw'), tarball, '--profile', 'esm-only']);
  });

  it('is as large as the manual says', (t) => {
    const lock = JSON.parse(readFileSync(join(project, 'node_modules/.package-lock.json'), 'utf8'));
    const installed = Object.keys(lock.packages).filter(
      (path) => !path.includes('@types/') && !path.includes('undici-types'),
    );
    const bytes = installed
      .flatMap((path) => readdirSync(join(project, path), { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
    const page = readFileSync(join(ROOT, 'docs/reference/library.md'), 'utf8');
    const said = /package has about ([\d.]+) MB[^]* is (\d+) packages with (\d+) MB/.exec(page);
    const found = [packed.size / 1e6, installed.length, bytes / 1e6];
    t.diagnostic(
      `MB packed, packages, MB installed: ${found.map((each) => each.toFixed(1)).join(', ')}`,
    );
    for (const [i, value] of found.entries()) {
      const figure = Number(said?.[i + 1]);
      assert.ok(Math.abs(value / figure - 1) < 0.05, `${value} is not ${said?.[i + 1]}`);
    }
  });
});

for (const [name, node] of Object.entries(nodes)) {
  describe(`On the ${name} Node it promises`, () => {
    const database = join(folder, `${name}.db`);
    let apiKey = '';

    it('its program creates a database, an account and a key, and its entry points read them', async (t) => {
      t.diagnostic(await run(node, ['--version']));
      const said = await run(node, [PROGRAM, '--version'], { node });
      assert.ok(said.startsWith(`memory-gateway ${manifest.version} (commit `), said);
      const { account, key } = await makeDatabase(node, database);
      apiKey = key;
      writeFileSync(
        join(project, 'read.js'),
        `
        import { openGateway, routes as all } from 'memory-gateway';
        import { createClient, Failure } from 'memory-gateway/client';
        import { routes, Memory } from 'memory-gateway/contract';
        const [, , database, account, apiKey] = process.argv;
        const gateway = openGateway({ database });
        const client = createClient({ baseUrl: 'http://host', apiKey, fetch: gateway.fetch });
        const lists = [await gateway.as(account).memories.list(), await client.memories.list()];
        const failed = await client.memories.get({ memory_id: 'x' }).catch((error) => error);
        await gateway.close();
        console.log(JSON.stringify([lists, failed.status, failed instanceof Failure, all === routes, Memory.kind]));
        `,
      );
      const read = await run(node, ['read.js', database, account, key], { cwd: project });
      assert.deepEqual(JSON.parse(read), [[[], []], 404, true, true, 'schema']);
    });

    it('its server serves, and exits with 0', async () => {
      const { child, url } = await serve(node, database);
      for (const [path, status] of [
        ['/readyz', 200],
        ['/v1/memories', 401],
        ['/openapi.json', 200],
        ['/docs', 200],
        ['/docs/start.js', 200],
        ['/docs/swagger-ui-bundle.js', 200],
      ] as const)
        assert.equal((await fetch(url + path)).status, status, path);
      const dated = `${url}/v1/memories?started_after=2026-01-01&timezone=Europe/Berlin`;
      const answer = await fetch(dated, { headers: { 'x-api-key': apiKey } });
      assert.equal(answer.status, 200, 'with a calendar');
      child.kill('SIGTERM');
      assert.equal(await new Promise((resolve) => child.once('close', resolve)), 0);
    });

    it('its server describes its connector, and registers an OAuth client', async () => {
      const base = 'http://localhost:1';
      const { child, url } = await serve(node, database, ['--connect', '--base-url', base]);
      const json = async (path: string, body?: object) => {
        const headers = { 'content-type': 'application/json' };
        const post = { method: 'POST', headers, body: JSON.stringify(body) };
        const response = await fetch(url + path, body === undefined ? {} : post);
        assert.ok(response.ok, `${path}: ${response.status}`);
        return (await response.json()) as Record<string, unknown>;
      };
      const resource = await json('/.well-known/oauth-protected-resource/mcp/connect');
      assert.deepEqual(resource['authorization_servers'], [`${base}/oauth`]);
      const issuer = await json('/.well-known/oauth-authorization-server/oauth');
      assert.equal(issuer['registration_endpoint'], `${base}/oauth/register`);
      const redirect_uris = ['https://assistant.example/callback'];
      const client = await json('/oauth/register', { redirect_uris });
      assert.deepEqual(client['redirect_uris'], redirect_uris);
      child.kill('SIGTERM');
      assert.equal(await new Promise((resolve) => child.once('close', resolve)), 0);
    });

    it('its client and its contract load nothing of the server', async () => {
      writeFileSync(
        join(project, 'graph.js'),
        `
        import { registerHooks } from 'node:module';
        const loaded = [];
        registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
        await import('memory-gateway/client');
        await import('memory-gateway/contract');
        console.log(JSON.stringify(loaded));
        `,
      );
      const loaded: string[] = JSON.parse(await run(node, ['graph.js'], { cwd: project }));
      assert.ok(loaded.length > 5);
      for (const url of loaded)
        assert.match(url, /node_modules\/(memory-gateway\/dist\/(client|contract)|valibot)\//);
    });
  });
}
