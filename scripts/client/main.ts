// npm run client: builds the package @memory-gateway/client, the typed client alone, into out/client or --output FOLDER.

import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import { parseArgs } from 'node:util';

import { build } from 'esbuild';

import { ROOT } from '../bundling.ts';

const HERE = join(ROOT, 'scripts/client');

/** The declarations that are written by hand, because the others name a schema library. */
const BY_HAND = ['client-routes.d.ts', 'routes.d.ts', 'schema.d.ts'];

/** Bundles the client into one module. Returns its code. */
export async function bundleClient(): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: ['src/client/index.ts'],
    alias: { valibot: join(HERE, 'valibot.ts') },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
  });
  return outputFiles[0]?.text ?? '';
}

/** Builds the package. */
export async function buildClient(to: string): Promise<void> {
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to, { recursive: true });
  writeFileSync(join(to, 'index.js'), await bundleClient());
  writeDeclarations(join(to, 'types'));
  writeFileSync(join(to, 'package.json'), `${JSON.stringify(manifest(), undefined, 2)}\n`);
  copyFileSync(join(HERE, 'README.md'), join(to, 'README.md'));
  copyFileSync(join(ROOT, 'LICENSE'), join(to, 'LICENSE'));
}

/** What the owner says of the project once, in package.json, is true of this package, too. */
function manifest() {
  const whole = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const { version, license, author, homepage, repository, bugs, engines } = whole;
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
    engines,
    publishConfig: { access: 'public', provenance: true },
  };
}

/** Writes the declarations that the entry point needs, without those of schemas. */
function writeDeclarations(to: string): void {
  const made = mkdtempSync(join(tmpdir(), 'memory-gateway-types-'));
  try {
    const flags = ['-p', 'tsconfig.build.json', '--emitDeclarationOnly', '--outDir', made];
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    execFileSync(process.execPath, [tsc, ...flags], { cwd: ROOT, stdio: 'inherit' });
    for (const name of BY_HAND)
      copyFileSync(join(HERE, 'types', name), join(made, 'contract', name));
    copyDeclaration('client/index.d.ts', { from: made, to, done: new Set() });
  } finally {
    rmSync(made, { recursive: true });
  }
}

interface Copying {
  readonly from: string;
  readonly to: string;
  readonly done: Set<string>;
}

/** Copies a declaration file and all that it imports. */
function copyDeclaration(file: string, copying: Copying): void {
  const { from, to, done } = copying;
  if (done.has(file)) return;
  done.add(file);
  const text = withoutSchemas(readFileSync(join(from, file), 'utf8'));
  mkdirSync(dirname(join(to, file)), { recursive: true });
  writeFileSync(join(to, file), text);
  for (const [, path = ''] of text.matchAll(/\bfrom '([^']+)'|\bimport\("([^"]+)"\)/g)) {
    if (!path.startsWith('.'))
      throw new Error(`${file} imports ${path}, but the package has no dependencies`);
    copyDeclaration(normalize(join(dirname(file), path)).replace(/\.ts$/, '.d.ts'), copying);
  }
}

/** Removes constants and functions, which the bundle has inside, and points the rest to our own types of schemas. */
function withoutSchemas(text: string): string {
  if (!text.includes("'valibot'")) return text;
  return text
    .replaceAll(
      /(?:^\/\*\*(?:(?!\*\/)[^])*?\*\/\n)?^export declare (?:const|function) [^]*?;\n(?=\/\*\*|\/\/|export |import |interface |type |declare |$(?![^]))/gm,
      '',
    )
    .replace("'valibot'", "'./schema.ts'");
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { output: { type: 'string' } } });
  const to = values.output ?? join(ROOT, 'out/client');
  await buildClient(to);
  process.stdout.write(`${to}\n`);
}
