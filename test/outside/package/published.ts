// The package as published: packed, installed elsewhere, and used on the Nodes it promises.
// Run by `npm run test:package`; it asks the registry for what a stranger's install would.

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const BIN = join(ROOT, 'node_modules/.bin');
const folder = mkdtempSync(join(tmpdir(), 'memory-gateway-package-'));
after(() => rmSync(folder, { recursive: true }));

/** An environment as a stranger's: what npm says of this project is gone, its registry stays. */
function environment(node?: string) {
  const ours = /^(npm_(?!config_)|npm_config_(\w*prefix|strict_\w+)|NODE_(OPTIONS|TEST|V8))/;
  const clean = Object.entries(process.env).filter(([name]) => !ours.test(name));
  const path = [...(node === undefined ? [] : [dirname(node)]), process.env['PATH']].join(':');
  return { ...Object.fromEntries(clean), PATH: path };
}

async function run(
  file: string,
  args: readonly string[],
  { cwd = folder, node = undefined as string | undefined } = {},
) {
  const { stdout } = await promisify(execFile)(file, args, { cwd, env: environment(node) });
  return stdout;
}

/** Makes an empty project and installs packages there. */
async function install(name: string, ...packages: string[]): Promise<string> {
  const project = join(folder, name);
  mkdirSync(project);
  const manifest = { private: true, type: 'module', allowScripts: { node: true } };
  writeFileSync(join(project, 'package.json'), JSON.stringify(manifest));
  const quiet = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
  await run('npm', ['install', ...quiet, ...packages], { cwd: project });
  return project;
}

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

const listing = await run(
  'npm',
  ['pack', '--json', '--loglevel=error', '--pack-destination', folder],
  { cwd: ROOT },
);
const [packed] = JSON.parse(listing.slice(listing.search(/^\[/m))) as [Packed];
const tarball = join(folder, packed.filename);
const project = await install('project', tarball, '@types/node');
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const [oldest] = /\d+\.\d+/.exec(manifest.engines.node) ?? [];
const nodes = {
  newest: process.execPath,
  oldest: join(await install('oldest', `node@${oldest}.0`), 'node_modules/node/bin/node'),
};
const PROGRAM = join(project, 'node_modules/.bin/memory-gateway');

describe('The package', () => {
  it('holds what it needs to run, and nothing else', () => {
    const expected =
      /^(dist\/[\w/-]+\.(js|d\.ts)|dist\/viewer\/[\w.-]+|fixtures\/memories\/mira\.json|sql\/sqlite\/[\w-]+\.sql|README\.md|LICENSE|CHANGELOG\.md|package\.json)$/;
    const paths = packed.files.map(({ path }) => path);
    assert.deepEqual(
      paths.filter((path) => !expected.test(path)),
      [],
    );
    const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' });
    const built = sources
      .filter((name) => name.endsWith('.ts'))
      .flatMap((name) => ['js', 'd.ts'].map((end) => `dist/${name.replace(/ts$/, end)}`));
    assert.deepEqual(
      new Set(paths.filter((path) => /^dist\/(?!viewer\/).*\.(js|d\.ts)$/.test(path))),
      new Set(built),
      'nothing stale, nothing missing',
    );
  });

  it('is clean to the linters of packages', async () => {
    await run(process.execPath, [join(BIN, 'publint'), '--strict', ROOT]);
    await run(process.execPath, [join(BIN, 'attw'), tarball, '--profile', 'esm-only']);
  });

  it('costs what the README says', (t) => {
    const lock = JSON.parse(readFileSync(join(project, 'node_modules/.package-lock.json'), 'utf8'));
    const installed = Object.keys(lock.packages).filter(
      (path) => !path.includes('@types/') && !path.includes('undici-types'),
    );
    const bytes = installed
      .flatMap((path) => readdirSync(join(project, path), { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
    const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
    const said = /package has (\d+) kB.* installed it is (\d+) packages with (\d+) MB/.exec(readme);
    const found = [packed.size / 1000, installed.length, bytes / 1e6];
    t.diagnostic(`kB, packages, MB: ${found.map(Math.round).join(', ')}`);
    for (const [i, value] of found.entries())
      assert.ok(
        Math.abs(value / Number(said?.[i + 1]) - 1) < 0.05,
        `${value} is not ${said?.[i + 1]}`,
      );
  });
});

for (const [name, node] of Object.entries(nodes)) {
  describe(`On the ${name} Node it promises`, () => {
    const database = join(folder, `${name}.db`);
    const program = (...args: string[]) =>
      run(node, [PROGRAM, ...args, '--database', database], { node });

    it('its program makes a database, an account and a key, and its entries read them', async (t) => {
      t.diagnostic(await run(node, ['--version']));
      assert.equal(await run(node, [PROGRAM, '--version'], { node }), `${manifest.version}\n`);
      await program('migrate');
      const account = (await program('accounts', 'create', 'Ana')).trim();
      const key = (await program('keys', 'create', '--account', account)).trim();
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

    it('its server serves, and ends well', async () => {
      const child = spawn(node, [PROGRAM, 'serve', '--port', '0', '--database', database], {
        env: environment(node),
      });
      const url = await new Promise<string>((resolve, reject) => {
        child.stdout.on('data', (part) => {
          const found = /http:\/\/127\.0\.0\.1:\d+/.exec(String(part));
          if (found) resolve(found[0]);
        });
        child.once('close', (code) => reject(new Error(`ended with ${code}`)));
      });
      for (const [path, status] of [
        ['/readyz', 200],
        ['/v1/memories', 401],
        ['/openapi.json', 200],
        ['/docs', 200],
        ['/docs/start.js', 200],
        ['/docs/swagger-ui-bundle.js', 200],
      ] as const)
        assert.equal((await fetch(url + path)).status, status, path);
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

describe('The types of the package', () => {
  const consumer = `
    import { createServer } from 'node:http';
    import { openGateway, type Gateway } from 'memory-gateway';
    import { createClient, type Memory } from 'memory-gateway/client';
    import { routes, type Api } from 'memory-gateway/contract';
    const gateway: Gateway = openGateway({ database: 'x' });
    createServer(gateway.listener);
    const doors: Api[] = [gateway.as('ana'), createClient({ baseUrl: 'http://host', apiKey: 'k' })];
    export const memory: Memory | undefined = (await doors[0]?.memories.list({ limit: 1 }))?.[0];
    export const path: '/v1/memories' = routes.memories.list.path;
    // @ts-expect-error: the id is text
    await doors[0]?.memories.get({ memory_id: 1 });
  `;
  const page = `
    import { createClient, type Memory } from 'memory-gateway/client';
    const api = createClient({ baseUrl: 'http://host', apiKey: 'k' });
    for await (const memory of api.memories.each()) {
      const text: string = memory.transcript;
      console.log(text satisfies Memory['transcript']);
    }
    // @ts-expect-error: no such order
    await api.memories.list({ order: 'up' });
  `;
  for (const [name, code, options] of [
    ['a program on Node', consumer, { module: 'nodenext', types: ['node'], lib: ['es2022'] }],
    [
      'a bundled program',
      consumer,
      { module: 'esnext', moduleResolution: 'bundler', types: ['node'], lib: ['es2022'] },
    ],
    [
      'a worker or a page',
      page,
      {
        module: 'esnext',
        moduleResolution: 'bundler',
        types: [],
        lib: ['es2022', 'dom', 'dom.asynciterable'],
      },
    ],
  ] as const) {
    it(`hold in ${name}, with every declaration checked`, async () => {
      const home = mkdtempSync(join(project, 'types-'));
      const strict = { strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false };
      const compilerOptions = { ...strict, ...options, target: 'es2022', noEmit: true };
      writeFileSync(join(home, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
      writeFileSync(join(home, 'index.ts'), code);
      const compilers = [join(ROOT, 'node_modules/typescript/bin/tsc')];
      for (const compiler of compilers) {
        const { stdout } = await promisify(execFile)(process.execPath, [
          compiler,
          '-p',
          home,
        ]).catch((error: { stdout: string }) => error);
        assert.equal(stdout, '');
      }
    });
  }
});
