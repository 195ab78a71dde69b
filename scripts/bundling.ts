// Bundles the program with all its imports into one CommonJS file: for the package, and for the executable.

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, parse } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build, type BuildOptions, type Plugin } from 'esbuild';

import { OLDEST_NODE } from '../src/node-version.ts';

export const ROOT = fileURLToPath(new URL('../', import.meta.url));

/** The differences between bundles. */
export interface Bundling {
  /** The output folder. */
  readonly to: string;
  readonly entries: readonly string[];
  /** Code before the bundle. */
  readonly head?: string;
  /** Code after the bundle. */
  readonly tail?: string;
  /** Replacements for names in the code. */
  readonly define?: Readonly<Record<string, string>>;
  /** Packages to bundle in the place of others. */
  readonly alias?: Readonly<Record<string, string>>;
  readonly plugins?: Plugin[];
}

/**
 * Bundles entry points, each into a file of its name with `.cjs`. Returns the paths of all sources
 * in them.
 */
export async function bundle(bundling: Bundling): Promise<string[]> {
  const { to, entries, head = '', tail = '', define = {}, alias = {}, plugins = [] } = bundling;
  const { metafile } = await build({
    absWorkingDir: ROOT,
    outdir: to,
    entryPoints: entries.map((entry) => ({ in: entry, out: parse(entry).name })),
    plugins,
    banner: { js: head },
    footer: { js: tail },
    alias: { ...MODULES, ...alias },
    define: { ...define, COMMIT: JSON.stringify(commit()) },
    ...FORM,
  });
  for (const file of Object.keys(metafile.outputs)) keepPlain(join(ROOT, file));
  return Object.keys(metafile.inputs);
}

/**
 * Makes a bundle ASCII only, because V8 takes twice the memory for a text with characters outside
 * Latin-1. The bundler escapes strings, but neither regular expressions, in which an escape means
 * the same, nor comments. Throws if a raw text has such a character, because there it does not.
 */
function keepPlain(file: string): void {
  const code = readFileSync(file, 'utf8');
  const [raw] = /\bString\.raw`[^`]*[^\0-\x7f`][^`]*`/.exec(code) ?? [];
  if (raw !== undefined) throw new Error(`Write an escape instead of a character in ${raw}`);
  writeFileSync(file, code.replaceAll(/[^\0-\x7f]/g, escape));
}

function escape(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Modules in the place of a `main` that is UMD, whose `require` no bundler follows. */
const MODULES = { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' };

// CommonJS, because `import { … } from 'node:http'` makes Node create every export of it, including
// a WebSocket: 35 ms and 15 MB. Not minified, because that gains only 2 ms and makes stack traces
// useless.
const FORM = {
  outExtension: { '.js': '.cjs' },
  bundle: true,
  preserveSymlinks: true, // the bundler writes the path of each module, which must not depend on the place of the packages
  platform: 'node',
  format: 'cjs',
  target: `node${OLDEST_NODE}`,
  drop: ['console'], // libraries would write between our results and log entries
  metafile: true,
  logLevel: 'warning',
} as const satisfies BuildOptions;

/**
 * The commit of the build, with `-dirty` appended if a file has changed or is new. null without a
 * repository.
 */
export function commit(): string | null {
  try {
    const head = git('rev-parse', '--short=12', 'HEAD');
    return git('status', '--porcelain') === '' ? head : `${head}-dirty`;
  } catch {
    return null;
  }
}

/** Packages that are shipped with the program without being in its bundle: of the reference page, and of the app's pages. */
export const BESIDE: readonly string[] = [
  'swagger-ui-dist',
  'preact',
  '@preact/signals',
  '@preact/signals-core',
  'valibot',
].map((name) => `node_modules/${name}/`);

function git(...words: string[]): string {
  return execFileSync('git', words, { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' }).trim();
}

/** Joins the licences of the packages that sources come from. */
export function licences(sources: readonly string[]): string {
  const folders = sources.map((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]);
  return [...new Set(folders.filter((folder) => folder !== undefined))]
    .toSorted()
    .map((folder) => {
      const { name, version } = JSON.parse(
        readFileSync(join(ROOT, folder, 'package.json'), 'utf8'),
      );
      return `${name} ${version}\n\n${licenceIn(join(ROOT, folder))}\n`;
    })
    .join(`\n${'-'.repeat(80)}\n\n`);
}

/** Returns the licence of a package: a file with that name, or the end of its readme. */
function licenceIn(folder: string): string {
  const named = (name: RegExp) => readdirSync(folder).find((each) => name.test(each));
  const read = (file = '') => readFileSync(join(folder, file), 'utf8');
  const file = named(/^licen[cs]e/i);
  const readme = named(/^readme/i);
  const text = file ? read(file) : /^#+ licen[cs]e\s([^]*)/im.exec(readme ? read(readme) : '')?.[1];
  if (text === undefined) throw new Error(`${folder} has no licence file`);
  return text.trim();
}
