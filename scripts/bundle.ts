// A step of npm run build: the program in one file, beside it what few runs load, and the licences of all that is in them.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build, type BuildOptions, type Plugin } from 'esbuild';

import { OLDEST_NODE } from '../src/node.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const to = process.argv[2] ?? join(ROOT, 'dist/cli/');

/** Loaded for a terminal, for metrics, and for a date in a time zone before Node 26: files of their own, which no other run reads. */
const LATER = ['cli-progress', 'pino-pretty', 'prom-client', 'temporal-polyfill'];

const later: Plugin = {
  name: 'later',
  setup: (builder) => {
    builder.onResolve({ filter: new RegExp(`^(${LATER.join('|')})$`) }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path: `./${path}.cjs`, external: true } : undefined,
    );
  },
};

// CommonJS, as `import { … } from 'node:http'` has Node make every export of it, a WebSocket among
// them: 35 ms and 15 MB. Not minified, as that gains 2 ms and stack traces would say nothing.
const options = {
  absWorkingDir: ROOT,
  outdir: to,
  outExtension: { '.js': '.cjs' },
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: `node${OLDEST_NODE}`,
  metafile: true,
  logLevel: 'warning',
} satisfies BuildOptions;

// What ES modules have and CommonJS has not; and where better-sqlite3 looks for its addons, which
// stay in its own package: there is one for every machine.
const HEAD = `"use strict";
const __url = require('node:url').pathToFileURL(__filename).href;
const __lib = require('node:path').dirname(require.resolve('better-sqlite3'));`;

const program = await build({
  ...options,
  entryPoints: ['src/cli/main.ts'],
  plugins: [later],
  banner: { js: HEAD },
  define: { 'import.meta.url': '__url', __dirname: '__lib' },
});
const rest = await build({ ...options, entryPoints: LATER });

const files = [program, rest].flatMap(({ metafile }) => Object.keys(metafile.inputs));
writeFileSync(join(to, 'LICENSES.txt'), licences(files));

/** The licences of the packages that files are from, one after the other. */
function licences(sources: readonly string[]): string {
  const folders = sources.map((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]);
  return [...new Set(folders.filter((folder) => folder !== undefined))]
    .toSorted()
    .map((folder) => {
      const { name, version } = JSON.parse(
        readFileSync(join(ROOT, folder, 'package.json'), 'utf8'),
      );
      const file = readdirSync(join(ROOT, folder)).find((each) => /^licen[cs]e/i.test(each));
      if (file === undefined) throw new Error(`${folder} has no licence beside it`);
      return `${name} ${version}\n\n${readFileSync(join(ROOT, folder, file), 'utf8').trim()}\n`;
    })
    .join(`\n${'-'.repeat(80)}\n\n`);
}
