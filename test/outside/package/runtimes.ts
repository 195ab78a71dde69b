// The client without Node: in Deno and Bun, with a gateway of the installed package.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import { build } from 'esbuild';

import { folder, install, makeDatabase, nodes, project, run, serve } from './install.ts';

const home = await install('runtimes', 'deno@2.9.6', 'bun@1.4.5');
const runtimes = {
  deno: ['deno', 'run', '--allow-net'],
  bun: ['bun', 'run'],
};

const program = `
import { createClient, Failure } from './client.js';
const [baseUrl, apiKey] = globalThis.Deno ? Deno.args : process.argv.slice(2);
const api = createClient({ baseUrl, apiKey, cache: new Map() }).memories;
const failed = (call) => call.then(() => 'none', (error) => [error instanceof Failure, error.status, error.reason]);
const stop = new AbortController();
stop.abort();
const gone = createClient({ baseUrl: 'http://127.0.0.1:1', apiKey, retries: 0 }).memories;
const late = createClient({ baseUrl, apiKey, timeoutMs: 20, fetch: () => new Promise(() => {}) }).memories;
console.log(JSON.stringify([
  [await api.list(), await api.list(), (await api.page({ limit: 1 })).next ?? null],
  await failed(api.get({ memory_id: 'none' })),
  await failed(api.list({ limit: 0 })),
  await failed(api.list({}, { signal: stop.signal })),
  await failed(gone.list()),
  await failed(late.list()),
]));
`;

describe('The client without Node', () => {
  for (const [name, [file = '', ...args]] of Object.entries(runtimes)) {
    it(`has the same results and errors in ${name}`, async (t) => {
      const database = join(folder, `${name}.db`);
      const { key } = await makeDatabase(nodes.newest, database);
      const { child, url } = await serve(nodes.newest, database);
      t.after(() => child.kill());
      await build({
        entryPoints: [join(project, 'node_modules/memory-gateway/dist/client/index.js')],
        outfile: join(home, 'client.js'),
        bundle: true,
        format: 'esm',
        platform: 'neutral',
        mainFields: ['module', 'main'],
      });
      writeFileSync(join(home, 'program.js'), program);
      const runtime = join(home, 'node_modules/.bin', file);
      t.diagnostic((await run(runtime, ['--version'])).split('\n')[0] ?? '');
      const said = await run(runtime, [...args, 'program.js', url, key], { cwd: home });
      assert.deepEqual(JSON.parse(said), [
        [[], [], null],
        [true, 404, 'answer'],
        [true, 422, 'answer'],
        [true, 0, 'abort'],
        [true, 0, 'network'],
        [true, 0, 'timeout'],
      ]);
    });
  }
});
