// Bundles the program with all that it imports into one file of CommonJS: for the package, and for the executable.

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build, type BuildOptions, type Plugin } from 'esbuild';

import { OLDEST_NODE } from '../src/node.ts';

export const ROOT = fileURLToPath(new URL('../', import.meta.url));

/** What differs between bundles. */
export interface Bundling {
  /** The folder it is written to. */
  readonly to: string;
  readonly entries: readonly string[];
  /** What stands before all else. */
  readonly head?: string;
  /** What stands behind all else. */
  readonly tail?: string;
  /** What names stand for in the code. */
  readonly define?: Readonly<Record<string, string>>;
  readonly plugins?: Plugin[];
}

/** Bundles entries, each into a file of its name that ends in `.cjs`; returns the paths of all sources in them. */
export async function bundle(bundling: Bundling): Promise<string[]> {
  const { to, entries, head = '', tail = '', define = {}, plugins = [] } = bundling;
  const { metafile } = await build({
    absWorkingDir: ROOT,
    outdir: to,
    entryPoints: [...entries],
    plugins,
    banner: { js: head },
    footer: { js: tail },
    define: { ...define, COMMIT: JSON.stringify(commit()) },
    ...FORM,
  });
  for (const file of Object.keys(metafile.outputs)) keepPlain(join(ROOT, file));
  return Object.keys(metafile.inputs);
}

/**
 * Leaves no character in a bundle that is not ASCII: V8 takes twice the memory for a text with one
 * that has no place in Latin-1. The bundler writes those of strings as escapes, not those of regular
 * expressions, where an escape means the same, and of comments.
 */
function keepPlain(file: string): void {
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/[^\0-\x7f]/g, escape));
}

function escape(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

// CommonJS, as `import { … } from 'node:http'` has Node make every export of it, a WebSocket among
// them: 35 ms and 15 MB. Not minified, as that gains 2 ms and stack traces would say nothing.
const FORM = {
  outExtension: { '.js': '.cjs' },
  bundle: true,
  preserveSymlinks: true, // the bundler writes the path of each module, which is to be the same wherever packages are
  platform: 'node',
  format: 'cjs',
  target: `node${OLDEST_NODE}`,
  metafile: true,
  logLevel: 'warning',
} as const satisfies BuildOptions;

/** The commit that is built, with `-dirty` behind it where a file has changed, or is none of it; null where there is no repository. */
function commit(): string | null {
  try {
    const head = git('rev-parse', '--short=12', 'HEAD');
    return git('status', '--porcelain') === '' ? head : `${head}-dirty`;
  } catch {
    return null;
  }
}

/** What travels with the program and is not bundled: the viewer of the reference page. */
const BESIDE = ['node_modules/swagger-ui-dist/'];

function git(...words: string[]): string {
  return execFileSync('git', words, { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' }).trim();
}

/** The licences of the packages that sources are from, and of what travels with them, one after the other. */
export function licences(sources: readonly string[]): string {
  const folders = [...sources, ...BESIDE].map(
    (file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0],
  );
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

/** The licence of a package: a file of that name, or the end of its readme. */
function licenceIn(folder: string): string {
  const named = (name: RegExp) => readdirSync(folder).find((each) => name.test(each));
  const read = (file = '') => readFileSync(join(folder, file), 'utf8');
  const file = named(/^licen[cs]e/i);
  const readme = named(/^readme/i);
  const text = file ? read(file) : /^#+ licen[cs]e\s([^]*)/im.exec(readme ? read(readme) : '')?.[1];
  if (text === undefined) throw new Error(`${folder} has no licence beside it`);
  return text.trim();
}
