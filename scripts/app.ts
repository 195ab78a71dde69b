// Bundles the pages of the app: their scripts, one style sheet, and their licences. A step of npm run build, and what a clone serves.

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { build, type BuildOptions, type Plugin } from 'esbuild';

import { PRODUCTS_FILE, SAMPLE_FILE, type Products } from '../src/app/samples.ts';
import { OTHER_EXPORT, PRODUCT_EXPORTS, SOURCE_NAMES } from '../src/formats/product-exports.ts';
import { once } from '../src/lib/once.ts';
import { licences, ROOT } from './bundling.ts';

/** A file of the app: its name, and its bytes. */
export interface BundledFile {
  readonly name: string;
  readonly body: Buffer<ArrayBuffer>;
}

/** The first script of the app. It loads the screens that are not in it. */
const MAIN = join(ROOT, 'src/app/browser/main.tsx');

/** What the scripts that are loaded later share. It is too small for scripts of its own, so it is in the first one. */
const SHARED = [
  'app/browser/parts/as-curl.tsx',
  'app/browser/parts/lists/own-note.tsx',
  'app/browser/parts/names-dialog.tsx',
  'app/browser/parts/short-date.ts',
  'app/browser/parts/controls/zone-choice.tsx',
  'app/browser/parts/save-file.ts',
  'app/browser/state/changes/put-right.ts',
  'app/browser/state/products.ts',
  'app/browser/state/resource.ts',
  'text/surrogates.ts',
  'text/turns.ts',
].map((path) => join(ROOT, 'src', path));

/** The script that sends the first requests. It has no markup. */
const EARLY = { early: join(ROOT, 'src/app/browser/early.ts') };

/** The service worker. Its name stays the same, so that browsers find the next one. */
const WORKER = { worker: join(ROOT, 'src/app/browser/worker.ts') };

/** The page about an OAuth client, and the style of all pages. */
const BESIDE_IT = {
  consent: join(ROOT, 'src/app/browser/consent/main.tsx'),
  app: join(ROOT, 'src/app/browser/style/app.css'),
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

/**
 * Markup becomes `createElement('p', null, a, b)`, which is shorter than `jsx('p', { children: [a, b] })` of `tsconfig.json`.
 * Only instead of that file can it be told.
 */
const SHORT_MARKUP = {
  tsconfigRaw: {
    compilerOptions: {
      jsx: 'react',
      jsxFactory: 'createElement',
      jsxFragmentFactory: 'Fragment',
      verbatimModuleSyntax: true,
    },
  },
  inject: [join(ROOT, 'node_modules/preact/dist/preact.mjs')],
} as const satisfies BuildOptions;

/** Bundles the app. A script or style has a hash of its content in its name, so it can be cached for ever. */
export async function bundleApp(): Promise<BundledFile[]> {
  const app = await bundle({ entryPoints: { main: MAIN }, splitting: true, plugins: [oneCore] });
  const others = await bundle({ entryPoints: BESIDE_IT });
  const early = await bundle({ entryPoints: EARLY, inject: [] });
  const worker = await bundle({ entryPoints: WORKER, inject: [], entryNames: '[name]' });
  const plain = PLAIN.map((name) => ({
    name,
    body: readFileSync(join(ROOT, 'src/app/browser/static', name)),
  }));
  const inputs = [app, others].flatMap(({ metafile }) => Object.keys(metafile.inputs));
  const sources = inputs.filter((path) => path.includes('node_modules/'));
  const samples = { name: SAMPLE_FILE, body: Buffer.from(JSON.stringify(sampleMemories())) };
  const about = { name: PRODUCTS_FILE, body: Buffer.from(JSON.stringify(productTexts())) };
  const texts = { name: 'licences.txt', body: Buffer.from(licences(sources)) };
  return [
    ...nameCore(app),
    ...early.files,
    ...worker.files,
    ...others.files,
    ...plain,
    samples,
    about,
    texts,
  ];
}

/** Bundles the app as a clone serves it: once for all gateways of the process, and in a run of tests once for all processes. */
export const appOfClone = once(async () => {
  const { BUILT_PROGRAM: built } = process.env;
  if (built === undefined) return bundleApp();
  const folder = join(dirname(built), '../app/files');
  return readdirSync(folder).map((name) => ({ name, body: readFileSync(join(folder, name)) }));
});

/** Memories of the demo, for somebody who wants to look around first. Their ids say what they are. */
function sampleMemories(): unknown[] {
  const all = JSON.parse(readFileSync(join(ROOT, 'fixtures/memories/mira.json'), 'utf8')) as {
    readonly id: string;
    readonly is_processing: boolean;
  }[];
  return all
    .filter(({ is_processing }) => !is_processing)
    .map((memory) => ({ ...memory, id: `sample-${memory.id}`, user_id: undefined }));
}

function productTexts(): Products {
  return {
    exports: {
      ...Object.fromEntries(PRODUCT_EXPORTS.map(({ product, how }) => [product, how])),
      'Anything else': OTHER_EXPORT,
    },
    names: SOURCE_NAMES,
  };
}

async function bundle(options: BuildOptions) {
  const { outputFiles, metafile } = await build({
    ...SHORT_MARKUP,
    entryNames: '[name]-[hash]',
    ...options,
    absWorkingDir: ROOT,
    outdir: join(ROOT, 'dist/app/files'),
    chunkNames: '[name]-[hash]',
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    preserveSymlinks: true,
    format: 'esm',
    platform: 'browser',
    target: BROWSERS,
    charset: 'utf8',
    // What libraries have for their developers' tools.
    define: { 'window.__PREACT_SIGNALS_DEVTOOLS__': 'undefined' },
    legalComments: 'none', // licences.txt has them
    logLevel: 'warning',
  });
  const files = outputFiles.map(({ path, contents }) => ({
    name: basename(path),
    body: Buffer.from(contents),
  }));
  return { files, metafile };
}

/**
 * Keeps the modules of the first script in one file. The bundler makes a file for every set of scripts that
 * share modules, which would be fifteen. So each script that is loaded later imports the first one, and the
 * sets are one.
 */
const oneCore: Plugin = {
  name: 'one-core',
  setup(bundler) {
    bundler.onResolve({ filter: /./ }, async ({ kind, path, resolveDir }) =>
      kind === 'dynamic-import'
        ? { path: join(resolveDir, path), pluginData: IS_LATER }
        : undefined,
    );
    bundler.onLoad({ filter: /./ }, ({ path, pluginData }) => {
      const added = path === MAIN ? SHARED : pluginData === IS_LATER ? [MAIN] : [];
      if (added.length === 0) return undefined;
      const imports = added.map((each) => `import ${JSON.stringify(each)};`).join('\n');
      return { contents: `${readFileSync(path, 'utf8')}\n${imports}`, loader: 'tsx' };
    });
  },
};

const IS_LATER = 'later';

/** Returns the files of the app with the first script as `app-….js`, instead of a file that only imports it. */
function nameCore({ files, metafile }: Awaited<ReturnType<typeof bundle>>): BundledFile[] {
  const outputs = Object.entries(metafile.outputs);
  const [entry, { imports }] = outputs.find(([, { entryPoint }]) =>
    MAIN.endsWith(`/${entryPoint}`),
  )!;
  const core = basename(imports.find(({ kind }) => kind === 'import-statement')!.path);
  const named = core.replace(/^.*-/, 'app-');
  const rename = exportOwnNames(String(files.find(({ name }) => name === core)?.body), core);
  return files
    .filter(({ name }) => name !== basename(entry))
    .map(({ name, body }) => ({
      name: name === core ? named : name,
      body: Buffer.from(rename(body.toString()).replaceAll(`./${core}`, `./${named}`)),
    }));
}

/**
 * Returns a function for scripts after which a script exports what it has under its own names, and others import these.
 * The bundler makes up a second name for each, which is 0.5 kB of all scripts when they are compressed.
 */
function exportOwnNames(core: string, path: string): (script: string) => string {
  const [all = '', pairs = ''] = /\bexport\{([^{}]*)\};?\s*$/.exec(core) ?? [];
  const owns = new Map(
    pairs.split(',').map((pair) => pair.split(' as ').toReversed() as [string, string]),
  );
  const own = (pair: string) => pair.replace(/^[^ ]+/, (name) => owns.get(name) ?? name);
  return (script) =>
    script
      .replace(all, `export{${[...owns.values()].toSorted().join(',')}};`)
      .replace(/^import\{([^{}]*)\}from"\.\/([^"]*)"/, (found, names: string, from: string) =>
        from === path
          ? `import{${names.split(',').map(own).toSorted(byOwn).join(',')}}from"./${from}"`
          : found,
      );
}

/** Sorts imports by the names that a script has for them, which compresses best. */
function byOwn(one: string, other: string): number {
  const [a = '', b = ''] = [one, other].map((pair) => pair.split(' ').at(-1));
  return a < b ? -1 : 1;
}

/** Bundles the app into a folder, which is emptied first. */
export async function writeApp(to: string): Promise<void> {
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to, { recursive: true });
  for (const { name, body } of await bundleApp()) writeFileSync(join(to, basename(name)), body);
}

if (import.meta.main) await writeApp(process.argv[2] ?? join(ROOT, 'dist/app/files/'));
