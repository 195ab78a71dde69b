// npm run client: builds the package @memory-gateway/client, the typed client alone, into out/client or --output FOLDER.

import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { build } from 'esbuild';

import { ROOT } from '../bundling.ts';

const HERE = join(ROOT, 'scripts/client');

/** Bundles the client into one module, with what it needs of valibot. Returns its code. */
async function bundleClient(): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: ['src/client/index.ts'],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module'],
    target: 'es2022',
  });
  return outputFiles[0]?.text ?? '';
}

/** Builds the package. */
async function buildClient(to: string): Promise<void> {
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to, { recursive: true });
  writeFileSync(join(to, 'index.js'), await bundleClient());
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const words = [tsc, '-p', HERE, '--outDir', join(to, 'types')];
  execFileSync(process.execPath, words, { stdio: 'inherit' });
  writeFileSync(join(to, 'package.json'), `${JSON.stringify(manifest(), undefined, 2)}\n`);
  copyFileSync(join(HERE, 'README.md'), join(to, 'README.md'));
  copyFileSync(join(ROOT, 'LICENSE'), join(to, 'LICENSE'));
}

/** What the owner says of the project once, in package.json, is true of this package, too. */
function manifest() {
  const whole = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const { version, license, author, homepage, repository, bugs, engines } = whole;
  const { valibot } = whole.dependencies;
  return {
    name: '@memory-gateway/client',
    version,
    description: 'Typed client of Memory Gateway for Node, Deno, Bun, workers and browsers',
    keywords: ['api', 'client', 'memories', 'memory-gateway', 'transcripts'],
    homepage,
    bugs,
    license,
    author,
    repository,
    files: ['index.js', 'types'],
    type: 'module',
    sideEffects: false,
    exports: {
      '.': { types: './types/client/index.d.ts', default: './index.js' },
      './package.json': './package.json',
    },
    dependencies: { valibot }, // for the declarations, which name its types
    engines,
    publishConfig: { access: 'public', provenance: true },
  };
}

const { values } = parseArgs({ options: { output: { type: 'string' } } });
const to = values.output ?? join(ROOT, 'out/client');
await buildClient(to);
process.stdout.write(`${to}\n`);
