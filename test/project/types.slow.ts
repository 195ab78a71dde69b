// The types: which programs compile and which do not, the compiler's cost for them, and that the manual's code has no type errors.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';

import { blocks, pages } from '../support/manual/code.ts';
import { fileOf } from '../support/manual/session.ts';
import { ROOT } from '../support/world/program.ts';

/** Whether a block needs packages of others, which test/outside/package/client.ts installs, or the settings of Next.js. */
const isOfNpm = ({ info }: (typeof blocks)[number]): boolean =>
  /^no-run needs (an npm|a Next\.js) installation/.test(info);

interface Checked {
  readonly code: number;
  readonly text: string;
}

/** Runs the compiler. Returns its errors and its counters. */
async function check(...args: string[]): Promise<Checked> {
  try {
    const file = join(ROOT, 'node_modules/typescript/bin/tsc');
    const { stdout } = await promisify(execFile)(process.execPath, [file, ...args], { cwd: ROOT });
    return { code: 0, text: stdout };
  } catch (error) {
    const { code, stdout } = error as { code: number; stdout: string };
    return { code, text: stdout };
  }
}

/** Compiles files with the project's settings, optionally with other sources for its packages. */
async function checkFiles(files: Readonly<Record<string, string>>): Promise<Checked> {
  const folder = mkdtempSync(join(ROOT, 'test/.example-'));
  try {
    const source = (path: string) => [join(ROOT, 'src', path)];
    const paths = {
      'memory-gateway': source('index.ts'),
      'memory-gateway/client': source('client/index.ts'),
      'memory-gateway/contract': source('contract/index.ts'),
      'memory-gateway/store': source('store/index.ts'),
    };
    const compilerOptions = { paths, skipLibCheck: true, noUnusedLocals: false };
    const config = { extends: '../../tsconfig.json', compilerOptions, include: ['**/*.ts'] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(join(folder, name, '..'), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    return await check('-p', folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * The maximum number of type instantiations for the sources. The published types cost less.
 * Measured with TypeScript 7.0.2: 46,500, 855,500 and 39,900. In the second, nested queries account
 * for 77,000. About 245,000 come from the engines' writing sides, which the compiler reaches
 * through `engines.ts` in the sources only: the queries for the state of sources are 80,000 of them.
 * The store and the endpoints of the app add 150,000, and those of connectors and scopes 60,000. Details,
 * their four endpoints, vectors and the imports of the app add another 160,000. The bin, corrections, pulls, shares
 * and the filters of lists and searches add 131,000; the filters and chapters add 2,000 to each of the others. Stars,
 * notes, scopes by source and tag, and what a key has read add 40,000. The method for originals adds 1,000 to the first.
 */
const BUDGET = {
  'contract.test-d.ts': 48_500,
  'entry-points.test-d.ts': 910_000,
  'fields.test-d.ts': 41_000,
};

describe('The types', () => {
  it('accept right calls, refuse wrong ones, and add no more to the compile time than before', async (t) => {
    const plain = ['--strict', '--exactOptionalPropertyTypes', '--allowImportingTsExtensions'];
    const target = ['--target', 'es2025', '--module', 'nodenext', '--types', 'node', '--noEmit'];
    const counted = ['--singleThreaded', '--extendedDiagnostics', '--skipLibCheck'];
    for (const [file, most] of Object.entries(BUDGET)) {
      const path = `test/types/${file}`;
      const { code, text } = await check('--ignoreConfig', ...plain, ...target, ...counted, path);
      assert.equal(code, 0, text);
      const instantiations = Number(/Instantiations:\s+(\d+)/.exec(text)?.[1]);
      t.diagnostic(`${file}: ${instantiations} instantiations`);
      assert.ok(instantiations > 1000 && instantiations <= most, `${file}: ${instantiations}`);
    }
  });

  it('fit every block of the manual, and report the errors of wrong code beside them', async () => {
    const isShown = (block: (typeof blocks)[number]) => block.language === 'ts' && !isOfNpm(block);
    const shown = blocks.filter(isShown);
    assert.ok(shown.length >= 7, String(shown.length));
    const files = Object.fromEntries(
      pages.flatMap((page, i) =>
        page.blocks
          .filter(isShown)
          .map((block) => [`${i}/${fileOf(block) ?? `line-${block.line}.ts`}`, block.code]),
      ),
    );
    const wrong = `
      import { createClient } from 'memory-gateway/client';
      const api = createClient({ baseUrl: 'http://host', apiKey: 'key' });
      export const text: string = (await api.memories.get({ memory_id: 1 })).duration_seconds;
    `;
    const { code, text } = await checkFiles({ ...files, 'wrong.ts': wrong });
    assert.notEqual(code, 0);
    const errors = text.match(/^.*error TS.*$/gm) ?? [];
    assert.match(text, /Type 'number' is not assignable to type 'string'/);
    assert.equal(errors.length, 2, text);
    for (const error of errors) assert.match(error, /wrong\.ts\(4,/, text);
  });
});
