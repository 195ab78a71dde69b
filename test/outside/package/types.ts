// The types of the package in another program: they are right, and cost the compiler no more than before.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';

import { isShort } from '../../support/world/thorough.ts';
import { install, project, ROOT } from './install.ts';

const TSC = 'node_modules/typescript/bin/tsc';

/**
 * The supported compilers. The manual names the oldest. A short run tries the newest, and the oldest with the client
 * alone, whose declarations take it a third of the time.
 */
const compilers = {
  newest: join(ROOT, TSC),
  ...(isShort ? {} : { '5.9': join(ROOT, 'test/outside/openapi', TSC) }),
  '5.7': join(await install('compiler', 'typescript@5.7.3'), TSC),
};

/**
 * The limit for a program, in type instantiations. Measured: 9,500 and 8,100 with TypeScript 7.0.2.
 */
const MOST = { whole: 10_400, client: 8900 };

async function compile(compiler: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [compiler, ...args]).catch(
    (error: { stdout: string }) => error,
  );
  return stdout;
}

describe('The types of the package', { concurrency: 2 }, () => {
  const consumer = `
    import { createServer } from 'node:http';
    import { openGateway, type Gateway } from 'memory-gateway';
    import { createClient, type Memory } from 'memory-gateway/client';
    import { routes, type Api } from 'memory-gateway/contract';
    const gateway: Gateway = openGateway({ database: 'x' });
    createServer(gateway.listener);
    const entryPoints: Api[] = [gateway.as('ana'), createClient({ baseUrl: 'http://host', apiKey: 'k' })];
    export const memory: Memory | undefined = (await entryPoints[0]?.memories.list({ limit: 1 }))?.[0];
    export const path: '/v1/memories' = routes.memories.list.path;
    // @ts-expect-error: the id is text
    await entryPoints[0]?.memories.get({ memory_id: 1 });
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
  for (const [name, code, options, most] of [
    [
      'a program on Node',
      consumer,
      { module: 'nodenext', types: ['node'], lib: ['es2022'] },
      MOST.whole,
    ],
    [
      'a bundled program',
      consumer,
      { module: 'esnext', moduleResolution: 'bundler', types: ['node'], lib: ['es2022'] },
      MOST.whole,
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
      MOST.client,
    ],
  ] as const) {
    it(`hold in ${name}, with every declaration checked, at no more cost`, async (t) => {
      const home = mkdtempSync(join(project, 'types-'));
      const strict = { strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false };
      const compilerOptions = { ...strict, ...options, target: 'es2022', noEmit: true };
      writeFileSync(join(home, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
      writeFileSync(join(home, 'index.ts'), code);
      const tried = isShort && most !== MOST.client ? { newest: compilers.newest } : compilers;
      for (const [version, compiler] of Object.entries(tried))
        assert.equal(await compile(compiler, '-p', home), '', `TypeScript ${version}`);
      const counted = ['--skipLibCheck', '--extendedDiagnostics', '--singleThreaded'];
      const said = await compile(compilers.newest, '-p', home, ...counted);
      const instantiations = Number(/Instantiations:\s+(\d+)/.exec(said)?.[1]);
      t.diagnostic(`${instantiations} instantiations`);
      assert.ok(instantiations > 100 && instantiations <= most, String(instantiations));
    });
  }
});
