// Bundles the pages of the app: one script, one style sheet, and their licences. A step of npm run build, and what a clone serves.

import { hash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';

import { build } from 'esbuild';

import { licences, ROOT } from './bundling.ts';

/** A file of the app: its name, and its bytes. */
export interface BundledFile {
  readonly name: string;
  readonly body: Buffer<ArrayBuffer>;
}

/** The sources of the files whose names get a hash: what every visit loads, and the page about an OAuth client. */
const ENTRIES = {
  app: 'src/app/browser/main.tsx',
  consent: 'src/app/browser/consent/main.tsx',
  style: 'src/app/browser/style/app.css',
};

/** Files that are served as they are. */
const PLAIN = [
  'icon.svg',
  'icon-192.png',
  'icon-512.png',
  'apple-touch-icon.png',
  'manifest.webmanifest',
];

/**
 * The oldest browsers that the app is written for: those with `light-dark()`, `dialog` and
 * `Array.prototype.toSorted`.
 */
const BROWSERS = ['chrome123', 'firefox128', 'safari17.5'];

/** Bundles the app. Names with a hash of their content can be cached for ever. */
export async function bundleApp(): Promise<BundledFile[]> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: Object.entries(ENTRIES).map(([out, path]) => ({ in: join(ROOT, path), out })),
    outdir: join(ROOT, 'dist/app/files'),
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    preserveSymlinks: true,
    format: 'esm',
    platform: 'browser',
    target: BROWSERS,
    charset: 'utf8',
    legalComments: 'none', // licences.txt has them
    tsconfig: join(ROOT, 'src/app/browser/tsconfig.json'),
    logLevel: 'warning',
  });
  const hashed = outputFiles.map(({ path, contents }) => {
    const [extension, name] = [extname(path), basename(path, extname(path))];
    const body = Buffer.from(contents);
    const digest = hash('sha256', body).slice(0, 12);
    return { name: `${name === 'style' ? 'app' : name}-${digest}${extension}`, body };
  });
  const plain = PLAIN.map((name) => ({
    name,
    body: readFileSync(join(ROOT, 'src/app/browser/static', name)),
  }));
  const sources = Object.keys(metafile.inputs).filter((path) => path.includes('node_modules/'));
  const texts = { name: 'licences.txt', body: Buffer.from(licences(sources)) };
  return [...hashed, ...plain, texts];
}

/** Bundles the app into a folder, which is emptied first. */
export async function writeApp(to: string): Promise<void> {
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to, { recursive: true });
  for (const { name, body } of await bundleApp()) writeFileSync(join(to, basename(name)), body);
}

if (import.meta.main) await writeApp(process.argv[2] ?? join(ROOT, 'dist/app/files/'));
