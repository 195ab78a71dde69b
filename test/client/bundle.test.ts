// The client in a bundle: its size, its contents, and its requirements on the runtime.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createContext, runInContext } from 'node:vm';
import { gzipSync } from 'node:zlib';

import { build, type Plugin } from 'esbuild';

import { ROOT } from '../support/world/program.ts';
import { createWorld, memories } from '../support/world/world.ts';

interface How {
  readonly plugins?: Plugin[];
  readonly format?: 'esm' | 'iife';
}

/** Bundles an entry point of the package for a runtime without built-in modules. */
async function bundle(entry: string, { plugins = [], format = 'esm' }: How = {}) {
  const { outputFiles, metafile } = await build({
    entryPoints: [`${ROOT}src/${entry}`],
    absWorkingDir: ROOT,
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format,
    globalName: 'bundled',
    platform: 'neutral', // an import of a Node module fails the build
    mainFields: ['module', 'main'],
    plugins,
    logLevel: 'silent',
  });
  const code = outputFiles[0]?.text ?? '';
  return {
    code,
    gzipped: gzipSync(code, { level: 9 }).length,
    files: Object.keys(metafile.inputs),
  };
}

const withoutSchemas: Plugin = {
  name: 'without-schemas',
  setup(builder) {
    builder.onResolve({ filter: /^valibot$|\/(client-routes|memory)\.ts$/ }, ({ path }) => ({
      path,
      external: true,
    }));
  },
};

describe('The client in a bundle', () => {
  it('has at most 3.8 kB gzipped without the schemas, and 7.36 kB with them', async (t) => {
    const [slim, whole] = [
      await bundle('client/index.ts', { plugins: [withoutSchemas] }),
      await bundle('client/index.ts'),
    ];
    t.diagnostic(`gzipped: ${slim.gzipped} bytes without the schemas, ${whole.gzipped} with them`);
    assert.ok(slim.gzipped <= 3800, `${slim.gzipped} bytes`);
    assert.ok(whole.gzipped <= 7360, `${whole.gzipped} bytes`);
    assert.ok(slim.gzipped > 1000 && whole.gzipped > slim.gzipped + 1000, 'something is in it');
  });

  it('holds the client, the contract and valibot, and nothing of the server', async () => {
    for (const entry of ['client/index.ts', 'contract/index.ts']) {
      for (const file of (await bundle(entry)).files)
        assert.match(file, /^(src\/(client|contract)\/|node_modules\/valibot\/)/, file);
    }
  });

  it('reads memories in a runtime with fetch and without Node', async (t) => {
    const world = await createWorld(t);
    const apiKey = world.addAccount('ana', memories(3));
    const { code } = await bundle('client/index.ts', { format: 'iife' });
    const web = { fetch, URL, Request, Headers, URLSearchParams, AbortSignal, performance };
    const timers = { setTimeout, clearTimeout, AbortController, TextEncoder, TextDecoder };
    const context = createContext({ ...web, ...timers, options: { baseUrl: world.url, apiKey } });
    const ids = await runInContext(
      `${code}; bundled.createClient(options).memories.list().then((all) => all.map(({ id }) => id).join())`,
      context,
    );
    assert.equal(ids, 'm002,m001,m000');
    const [status, isFailure] = await runInContext(
      `bundled.createClient(options).memories.get({ memory_id: 'x' }).catch((e) => [e.status, e instanceof bundled.Failure])`,
      context,
    );
    assert.deepEqual([status, isFailure], [404, true]);
  });
});
