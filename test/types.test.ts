// The types: what compiles and what must not, what they cost a program, and that the README's code has none wrong.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';

import { ROOT } from './support/program.ts';
import { blocks } from './support/readme.ts';

interface Checked {
  readonly code: number;
  readonly text: string;
}

/** Runs the compiler; says what it found and counted. */
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

/** Compiles files with the project's settings, and other sources of its packages where they are given. */
async function checkFiles(files: Readonly<Record<string, string>>): Promise<Checked> {
  const folder = mkdtempSync(join(ROOT, 'test/.example-'));
  try {
    const source = (path: string) => [join(ROOT, 'src', path)];
    const paths = {
      'memory-gateway': source('index.ts'),
      'memory-gateway/client': source('client/index.ts'),
      'memory-gateway/contract': source('contract/index.ts'),
    };
    const compilerOptions = { paths, skipLibCheck: true, noUnusedLocals: false };
    const config = { extends: '../../tsconfig.json', compilerOptions, include: ['*.ts'] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    return await check('-p', folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * What our own sources may cost, in instantiations; the published types cost less. Measured 27,000, 187,600 and
 * 23,600 with TypeScript 7.0.2: of the second nested queries are 77,000, and those of PostgreSQL, which the
 * compiler follows in our sources and in none of the published types, some 90,000.
 */
const BUDGET = {
  'contract.test-d.ts': 29_000,
  'doors.test-d.ts': 200_000,
  'fields.test-d.ts': 26_000,
};

describe('The types', () => {
  it('take what is right and refuse what is wrong', async () => {
    assert.deepEqual(await check('-p', 'test/types'), { code: 0, text: '' });
  });

  it('find a mistake where there is one', async () => {
    const wrong = `
      import { createClient } from 'memory-gateway/client';
      const api = createClient({ baseUrl: 'http://host', apiKey: 'key' });
      export const text: string = (await api.memories.get({ memory_id: 1 })).duration_seconds;
    `;
    const { code, text } = await checkFiles({ 'wrong.ts': wrong });
    assert.notEqual(code, 0);
    assert.match(text, /Type 'number' is not assignable to type 'string'/);
    assert.equal(text.match(/error TS/g)?.length, 2, text);
  });

  it('cost a program no more than they did', async (t) => {
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

  it('hold in every block of the README', async () => {
    const shown = blocks.filter((block) => block.startsWith('import '));
    assert.ok(shown.length >= 7, String(shown.length));
    const files = Object.fromEntries(shown.map((block, i) => [`block-${i}.ts`, block]));
    assert.deepEqual(await checkFiles(files), { code: 0, text: '' });
  });
});
