// The published program: the modules that it loads, the code that it contains, its compile cache, and that it behaves like the sources.

import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { after, describe, it, type TestContext } from 'node:test';

import Database from 'better-sqlite3';

import { ROOT, runProcess, startProcess, stop, waitFor } from '../support/world/program.ts';
import { createWorld, memories } from '../support/world/world.ts';

/** Lists the modules that a process loads under Node 22, which has no Temporal. */
const LISTING = `
const loaded = [];
delete globalThis.Temporal;
require('node:module').registerHooks({
  load: (url, context, next) => (loaded.push(url), next(url, context)),
});
process.on('exit', () => {
  const own = loaded.filter((url) => url.startsWith('file:'));
  const builtin = process.moduleLoadList.filter((name) => /undici|fs\\/promises/.test(name));
  const hasServer = process.moduleLoadList.includes('NativeModule _http_server');
  require('node:fs').writeSync(2, JSON.stringify({ own, builtin, hasServer }));
});
`;

/** Gives a process the home TEST_HOME. */
const HOME = `require('node:os').userInfo = () => ({ homedir: process.env.TEST_HOME });`;

/** The files that every run loads. */
const PROGRAM = ['dist/cli/main.cjs', 'dist/cli/program.cjs'];

interface Answered {
  readonly id?: string;
  readonly length?: number;
  readonly openapi?: string;
}

/** Bundles the program into the place where the package has it. */
async function bundle() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'memory-gateway-program-')));
  after(() => rmSync(folder, { recursive: true }));
  const place = join(folder, 'dist/cli');
  mkdirSync(place, { recursive: true });
  for (const name of ['package.json', 'node_modules', 'sql', 'fixtures'])
    symlinkSync(join(ROOT, name), join(folder, name));
  const { code, stderr } = await runProcess([place], { script: 'scripts/bundle.ts' });
  assert.deepEqual([code, stderr], [0, '']);
  const preload = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return { NODE_OPTIONS: `--require=${join(folder, name)}` };
  };
  return {
    place,
    script: relative(ROOT, join(place, 'main.cjs')),
    listing: preload('listing.cjs', LISTING),
    ownHome: preload('home.cjs', HOME),
  };
}

const { place, script, listing, ownHome } = await bundle();

/** Serves memories with the bundled program. `end` returns the modules that it loaded. */
async function serve(t: TestContext, args: readonly string[] = []) {
  const world = await createWorld(t);
  const headers = { 'x-api-key': world.addAccount('ana', memories(3)) };
  const env = { PORT: '0', ...listing };
  const child = startProcess(['serve', '--database', world.database, ...args], { script, env });
  t.after(() => stop(child, 'SIGKILL'));
  let said = '';
  child.stdout.on('data', (part: Buffer) => (said += part.toString()));
  const [url = ''] = /http:[\d./:]+/.exec(await waitFor(child, 'stdout', /http:.*\n/)) ?? [];
  const ask = async (path: string) => {
    const answer = await fetch(url + path, { headers });
    return { status: answer.status, body: (await answer.json()) as Answered };
  };
  const message = async (body: string) => {
    const type = { 'content-type': 'application/json' };
    const method = 'POST';
    return (await fetch(`${url}/mcp`, { method, body, headers: { ...headers, ...type } })).text();
  };
  const register = () =>
    fetch(`${url}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"redirect_uris": ["https://client.example/callback"]}',
    });
  const end = async () => {
    const listed = waitFor(child, 'stderr', /\}$/);
    await stop(child);
    const { own, builtin } = JSON.parse(await listed) as Record<'own' | 'builtin', string[]>;
    return { own: own.map((file) => file.replace(/.*\/(?=dist\/|node_modules\/)/, '')), builtin };
  };
  return { world, ask, message, register, end, said: () => said };
}

describe('The published program', () => {
  it('loads only its two files to serve memories, and no large module of Node', async (t) => {
    const { ask, end } = await serve(t);
    assert.equal((await ask('/v1/memories/m001')).body.id, 'm001');
    assert.equal((await ask('/v1/memories?q=memory')).status, 200);
    const { own, builtin } = await end();
    assert.deepEqual(own, PROGRAM);
    assert.deepEqual(builtin, [], 'the modules that Node loads by itself');
  });

  it('loads no server for a command that needs none', async () => {
    const { stderr } = await runProcess(['version'], { script, env: listing });
    const { own, hasServer } = JSON.parse(stderr);
    assert.equal(own.length, PROGRAM.length);
    assert.equal(hasServer, false);
  });

  it('loads a calendar for a date in a time zone, and the descriptions of the API for its document', async (t) => {
    const { ask, end } = await serve(t);
    const path = '/v1/memories?started_after=2020-01-01&timezone=Europe/Berlin';
    assert.equal((await ask(path)).body.length, 3);
    assert.match((await ask('/openapi.json')).body.openapi ?? '', /^3\.1\./);
    assert.ok((await end()).own.includes('dist/cli/temporal-polyfill.cjs'));
  });

  it('loads the metrics library only with --admin', async (t) => {
    const { ask, end, said } = await serve(t, ['--admin', '0']);
    assert.equal((await ask('/v1/memories/m001')).status, 200);
    const [, admin = ''] = /"admin":"([^"]+)"/.exec(said()) ?? [];
    const text = await (await fetch(`${admin}/metrics`)).text();
    assert.match(text, /^memory_gateway_requests_total\{route="memories.get",.*\} 1$/m);
    assert.deepEqual((await end()).own, [...PROGRAM, 'dist/cli/prom-client.cjs']);
  });

  it('loads the MCP SDK with the first message of an agent, not before', async (t) => {
    const { ask, message, end } = await serve(t);
    assert.equal((await ask('/v1/memories/m001')).status, 200);
    assert.match(await message('{"jsonrpc":"2.0","id":1,"method":"tools/list"}'), /check_quote/);
    assert.deepEqual((await end()).own, [...PROGRAM, 'dist/cli/sdk.cjs']);
  });

  it('loads the OAuth library with the first request of a client, and only with --connect', async (t) => {
    const { ask, end } = await serve(t, ['--connect', '--base-url', 'http://localhost:1']);
    assert.equal((await ask('/v1/memories/m001')).status, 200);
    const wellKnown = '/.well-known/oauth-authorization-server/oauth';
    assert.equal((await ask(wellKnown)).status, 200);
    assert.deepEqual((await end()).own, PROGRAM);
    const second = await serve(t, ['--connect', '--base-url', 'http://localhost:1']);
    assert.equal((await second.register()).status, 201);
    assert.deepEqual((await second.end()).own, [...PROGRAM, 'dist/cli/oidc.cjs']);
  });

  it('behaves as its sources do', async () => {
    const { stdout } = await runProcess(['--version'], { script });
    assert.match(stdout, /^memory-gateway \d+\.\d+\.\d+ \(commit [0-9a-f]{12}(-dirty)?\), Node /);
    for (const args of [['help'], ['openapi', '--base-url', '/x'], ['serve', 'x']])
      assert.deepEqual(await runProcess(args, { script }), await runProcess(args), args.join(' '));
  });

  it('logs the function names of a failure', async (t) => {
    const { world, ask, end, said } = await serve(t);
    const db = new Database(world.database);
    db.exec("UPDATE memories SET body = zeroblob(9) WHERE id = 'm001'");
    db.close();
    assert.equal((await ask('/v1/memories/m001')).status, 500);
    await end();
    const { err } = JSON.parse(said().trim().split('\n')[1] ?? '');
    assert.match(
      err.message,
      /m001 of account \w+ is damaged: its bytes have changed since it was written/,
    );
    assert.match(
      err.stack,
      /at damagedMemory \(.*program\.cjs:\d+:\d+\)[^]*at Object\.memory \(.*program\.cjs:\d+/,
    );
  });

  it('includes the licence of each package in it', async () => {
    const files = readdirSync(place);
    assert.deepEqual(files.toSorted(), [
      'LICENSES.txt',
      'cli-progress.cjs',
      'main.cjs',
      'oidc.cjs',
      'pg.cjs',
      'pino-pretty.cjs',
      'program.cjs',
      'prom-client.cjs',
      'sdk.cjs',
      'temporal-polyfill.cjs',
      'thread.cjs',
    ]);
    const code = files.map((name) => readFileSync(join(place, name), 'utf8')).join('\n');
    const inside = code.matchAll(/^ *\/\/ .*node_modules\/((?:@[^/]+\/)?[^/]+)\/\S+$/gm);
    const names = new Set(Array.from(inside, ([, name]) => String(name)));
    for (const name of ['kysely', 'pg', 'pino', 'temporal-polyfill', 'valibot'])
      assert.ok(names.has(name));
    const licences = readFileSync(join(place, 'LICENSES.txt'), 'utf8');
    for (const name of names)
      assert.match(licences, new RegExp(`^${name} \\d+\\.\\d+\\.\\d+$`, 'm'));
  });

  it('is created by the build', () => {
    const { scripts, bin } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    assert.match(scripts.build, /scripts\/bundle\.ts\b/);
    assert.equal(bin['memory-gateway'], 'dist/cli/main.cjs');
  });
});

describe('The compile cache of the published program', () => {
  function createHome(t: TestContext): string {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'memory-gateway-home-')));
    t.after(() => rmSync(folder, { recursive: true }));
    return folder;
  }

  /** Prints the version of the program with a home, and returns the names of its cache's folders. */
  async function version(home: string, env: Readonly<Record<string, string>> = {}) {
    const given = { NODE_COMPILE_CACHE: '', TEST_HOME: home, ...ownHome };
    const { code, stdout, stderr } = await runProcess(['version'], {
      script,
      env: { ...given, ...env },
    });
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /^memory-gateway \d/);
    const cache = join(home, '.cache/memory-gateway');
    return existsSync(cache) ? readdirSync(cache, { recursive: true, encoding: 'utf8' }) : [];
  }

  it('caches its compiled code for the next start', async (t) => {
    const home = createHome(t);
    const first = await version(home);
    assert.equal(first.filter((name) => name.includes('/')).length, 1, 'the program, in one file');
    assert.deepEqual(await version(home), first);
  });

  it('caches nothing in a home that it cannot use, and runs all the same', async (t) => {
    const home = createHome(t);
    writeFileSync(join(home, '.cache'), '');
    assert.deepEqual(await version(home), []);
  });

  it('leaves it to NODE_COMPILE_CACHE and NODE_DISABLE_COMPILE_CACHE', async (t) => {
    const home = createHome(t);
    assert.deepEqual(await version(home, { NODE_COMPILE_CACHE: join(home, 'named') }), []);
    assert.notDeepEqual(readdirSync(join(home, 'named')), []);
    assert.deepEqual(await version(home, { NODE_DISABLE_COMPILE_CACHE: '1' }), []);
    assert.deepEqual(readdirSync(home), ['named']);
  });
});
